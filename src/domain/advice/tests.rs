use super::*;
use crate::domain::{ClientId, ClientSecretDigest, Line, RegisteredSecret, ScopeSet, SubjectId};

const DAY: i64 = 24 * 60 * 60;
const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);

/// A public client with nothing to mend.
fn public() -> Client {
    Client {
        id: ClientId::from_random([1; 16]),
        name: Line::literal("Campus App"),
        owner: SubjectId::service(),
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        redirect_uris: vec!["https://app.example/callback".parse().unwrap()],
        allowed_scopes: [Scope::self_read()].into_iter().collect(),
        plain_pkce_allowed: false,
        first_party: false,
        client_credentials_allowed: false,
        created_at: NOW,
    }
}

/// A client that works without users, with nothing to mend.
fn machine() -> Client {
    Client {
        policy: ClientPolicy::Secret,
        secrets: vec![secret(0)],
        redirect_uris: Vec::new(),
        client_credentials_allowed: true,
        ..public()
    }
}

/// A secret of so many days ago.
fn secret(days: i64) -> RegisteredSecret {
    let created_at = Timestamp::from_seconds(NOW.seconds() - days * DAY);
    RegisteredSecret { digest: ClientSecretDigest::from_bytes([1; 32]), created_at }
}

fn redirecting(client: Client, uris: &[&str]) -> Client {
    Client { redirect_uris: uris.iter().map(|uri| uri.parse().unwrap()).collect(), ..client }
}

fn scopes(number: usize) -> ScopeSet {
    ScopeSet::collect((0..number).map(|number| format!("service:scope-{number}")).collect::<Vec<_>>().iter().map(String::as_str)).unwrap()
}

/// The least change that needs this advice alone.
fn in_need_of(advice: Advice) -> Client {
    match advice {
        Advice::PlainPkce => Client { plain_pkce_allowed: true, ..public() },
        Advice::PublicManagement => Client { allowed_scopes: [Scope::manage()].into_iter().collect(), first_party: true, ..public() },
        Advice::SecretNotDemanded => Client { policy: ClientPolicy::SecretOrPkce, ..machine() },
        Advice::OldSecret => Client { secrets: vec![secret(365)], ..machine() },
        Advice::UnfinishedRotation => Client { secrets: vec![secret(40), secret(30)], ..machine() },
        Advice::NoSecret => Client { secrets: Vec::new(), ..machine() },
        Advice::SecretOnUsersMachine => {
            redirecting(Client { policy: ClientPolicy::SecretOrPkce, secrets: Vec::new(), ..public() }, &["http://127.0.0.1/callback"])
        }
        Advice::PrivateUseScheme => redirecting(public(), &["https://app.example/callback", "com.example.app:/callback"]),
        Advice::Unreachable => redirecting(public(), &[]),
        Advice::LocalhostByName => redirecting(public(), &["http://localhost:8400/callback"]),
        Advice::PkceNotDemanded => redirecting(machine(), &["https://app.example/callback"]),
        Advice::ManyRedirectUris => {
            let uris: Vec<_> = (0..6).map(|number| format!("https://app.example/{number}")).collect();
            redirecting(public(), &uris.iter().map(String::as_str).collect::<Vec<_>>())
        }
        Advice::ManyPublicScopes => Client { allowed_scopes: scopes(6), ..public() },
    }
}

#[test]
fn a_sound_client_needs_no_advice() {
    assert_eq!(public().advise(NOW), []);
    assert_eq!(machine().advise(NOW), []);
    assert_eq!(
        redirecting(public(), &["http://127.0.0.1/callback", "http://[::1]:8400/callback"]).advise(NOW),
        [],
        "RFC 8252, section 7.3"
    );
}

#[test]
fn each_advice_has_a_client_that_needs_it_alone() {
    for advice in Advice::ALL {
        assert_eq!(in_need_of(*advice).advise(NOW), [*advice]);
    }
}

#[test]
fn what_is_within_its_bounds_needs_no_advice() {
    let five: Vec<_> = (0..5).map(|number| format!("https://app.example/{number}")).collect();
    for client in [
        Client { secrets: vec![secret(364)], ..machine() },
        Client { secrets: vec![secret(300), secret(29)], ..machine() },
        Client { allowed_scopes: scopes(5), ..public() },
        Client { allowed_scopes: scopes(60), ..machine() },
        redirecting(public(), &five.iter().map(String::as_str).collect::<Vec<_>>()),
    ] {
        assert_eq!(client.advise(NOW), []);
    }
}

#[test]
fn the_most_serious_comes_first() {
    let worst = Client {
        plain_pkce_allowed: true,
        secrets: vec![secret(400), secret(370)],
        redirect_uris: vec!["http://localhost/callback".parse().unwrap()],
        policy: ClientPolicy::SecretOrPkce,
        ..public()
    };
    let severities: Vec<_> = worst.advise(NOW).into_iter().map(Advice::severity).collect();
    assert!(severities.is_sorted_by(|one, next| one >= next) && severities.len() == 6, "{severities:?}");
}

#[test]
fn each_remedy_is_one_sentence() {
    for advice in Advice::ALL {
        let remedy = advice.remedy();
        assert!(remedy.ends_with('.') && remedy.matches(". ").count() == 0 && remedy.len() > 40, "{remedy}");
    }
}

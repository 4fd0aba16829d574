use super::*;
use crate::domain::{
    ClientId, ClientSecretDigest, RedirectUri, RegisteredSecret, ScopeSet, ShortText, SubjectId,
    Verification,
};

const DAY: i64 = 24 * 60 * 60;
const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);

/// A public client without advice.
fn public() -> Client {
    Client {
        id: ClientId::from_random([1; 16]),
        name: ShortText::from_static("Campus App"),
        owner: SubjectId::service(),
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        redirect_uris: vec!["https://app.example/callback".parse().unwrap()],
        allowed_scopes: [Scope::self_read()].into_iter().collect(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: NOW,
        suspended_at: None,
    }
}

/// A confidential client without advice.
fn confidential() -> Client {
    Client {
        policy: ClientPolicy::Secret,
        secrets: vec![secret(0)],
        pkce_required: true,
        ..public()
    }
}

/// A client without users and without advice.
fn machine() -> Client {
    Client {
        policy: ClientPolicy::Secret,
        secrets: vec![secret(0)],
        redirect_uris: Vec::new(),
        client_credentials_allowed: true,
        ..public()
    }
}

/// A secret created `days` days ago.
fn secret(days: i64) -> RegisteredSecret {
    let created_at = Timestamp::from_seconds(NOW.seconds() - days * DAY);
    RegisteredSecret {
        digest: ClientSecretDigest::from_bytes([1; 32]),
        created_at,
        last_four: None,
        last_used_at: None,
    }
}

fn redirecting(client: Client, uris: &[&str]) -> Client {
    Client {
        redirect_uris: uris.iter().map(|uri| uri.parse().unwrap()).collect(),
        ..client
    }
}

fn scopes(number: usize) -> ScopeSet {
    ScopeSet::parse_all(
        (0..number)
            .map(|number| format!("service:scope-{number}"))
            .collect::<Vec<_>>()
            .iter()
            .map(String::as_str),
    )
    .unwrap()
}

/// The smallest change that causes only this advice.
fn client_needing(advice: Advice) -> Client {
    match advice {
        Advice::PlainPkce => Client {
            plain_pkce_allowed: true,
            ..public()
        },
        Advice::PublicManagement => Client {
            allowed_scopes: [Scope::manage()].into_iter().collect(),
            first_party: true,
            ..public()
        },
        Advice::SecretNotDemanded => Client {
            policy: ClientPolicy::SecretOrPkce,
            ..confidential()
        },
        Advice::OldSecret => Client {
            secrets: vec![secret(365)],
            ..machine()
        },
        Advice::UnfinishedRotation => Client {
            secrets: vec![secret(40), secret(30)],
            ..machine()
        },
        Advice::NoSecret => Client {
            secrets: Vec::new(),
            ..machine()
        },
        Advice::SecretOnUsersMachine => redirecting(
            confidential(),
            &["https://app.example/callback", "http://127.0.0.1/callback"],
        ),
        Advice::PrivateUseScheme => redirecting(
            public(),
            &["https://app.example/callback", "com.example.app:/callback"],
        ),
        Advice::Unreachable => redirecting(public(), &[]),
        Advice::LocalhostByName => redirecting(public(), &["http://localhost:8400/callback"]),
        Advice::IssOmitted => Client {
            iss_omitted: true,
            ..public()
        },
        Advice::PkceNotDemanded => Client {
            pkce_required: false,
            ..confidential()
        },
        Advice::ManyRedirectUris => {
            let uris: Vec<_> = (0..6)
                .map(|number| format!("https://app.example/{number}"))
                .collect();
            redirecting(
                public(),
                &uris.iter().map(String::as_str).collect::<Vec<_>>(),
            )
        }
        Advice::ManyPublicScopes => Client {
            allowed_scopes: scopes(6),
            ..public()
        },
    }
}

#[test]
fn a_sound_client_needs_no_advice() {
    assert_eq!(public().advise(NOW), []);
    assert_eq!(confidential().advise(NOW), []);
    assert_eq!(machine().advise(NOW), []);
    assert_eq!(
        redirecting(
            public(),
            &["http://127.0.0.1/callback", "http://[::1]:8400/callback"]
        )
        .advise(NOW),
        [],
        "RFC 8252, section 7.3"
    );
}

#[test]
fn each_advice_has_a_client_that_needs_it_alone() {
    for advice in Advice::ALL {
        assert_eq!(client_needing(*advice).advise(NOW), [*advice]);
    }
}

/// The client after its owner followed the advice.
fn remedied(advice: Advice, client: Client) -> Client {
    let is_on_the_web = |uri: &RedirectUri| uri.as_str().starts_with("https://");
    match advice {
        Advice::PlainPkce => Client {
            plain_pkce_allowed: false,
            ..client
        },
        Advice::PublicManagement => Client {
            allowed_scopes: ScopeSet::default(),
            ..client
        },
        Advice::SecretNotDemanded => Client {
            policy: ClientPolicy::Secret,
            ..client
        },
        Advice::OldSecret => Client {
            secrets: vec![secret(0)],
            ..client
        },
        Advice::UnfinishedRotation => Client {
            secrets: client.secrets[1..].to_vec(),
            ..client
        },
        Advice::NoSecret => Client {
            secrets: vec![secret(0)],
            ..client
        },
        Advice::SecretOnUsersMachine | Advice::PrivateUseScheme => Client {
            redirect_uris: client
                .redirect_uris
                .iter()
                .filter(|uri| is_on_the_web(uri))
                .cloned()
                .collect(),
            ..client
        },
        Advice::Unreachable => redirecting(client, &["https://app.example/callback"]),
        Advice::LocalhostByName => redirecting(client, &["http://127.0.0.1:8400/callback"]),
        Advice::IssOmitted => Client {
            iss_omitted: false,
            ..client
        },
        Advice::PkceNotDemanded => Client {
            pkce_required: true,
            ..client
        },
        Advice::ManyRedirectUris => Client {
            redirect_uris: client.redirect_uris[..5].to_vec(),
            ..client
        },
        Advice::ManyPublicScopes => Client {
            allowed_scopes: scopes(5),
            ..client
        },
    }
}

#[test]
fn each_advice_goes_away_when_its_remedy_is_followed_and_brings_no_other() {
    for advice in Advice::ALL {
        let remedied = remedied(*advice, client_needing(*advice));
        assert_eq!(
            (remedied.advise(NOW), remedied.check()),
            (vec![], Ok(())),
            "{advice}"
        );
    }
}

#[test]
fn a_new_client_with_usual_settings_that_follows_all_advice_needs_no_more() {
    let mut client = Client {
        policy: ClientPolicy::SecretOrPkce,
        pkce_required: false,
        ..confidential()
    };
    assert_eq!(
        client.advise(NOW),
        [Advice::SecretNotDemanded, Advice::PkceNotDemanded]
    );
    for advice in client.advise(NOW) {
        client = remedied(advice, client);
    }
    assert_eq!(client.advise(NOW), []);
}

#[test]
fn settings_within_their_bounds_need_no_advice() {
    let five: Vec<_> = (0..5)
        .map(|number| format!("https://app.example/{number}"))
        .collect();
    for client in [
        Client {
            secrets: vec![secret(364)],
            ..confidential()
        },
        Client {
            secrets: vec![secret(300), secret(29)],
            ..machine()
        },
        Client {
            allowed_scopes: scopes(5),
            ..public()
        },
        Client {
            allowed_scopes: scopes(60),
            ..machine()
        },
        redirecting(
            public(),
            &five.iter().map(String::as_str).collect::<Vec<_>>(),
        ),
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
    let severities: Vec<_> = worst
        .advise(NOW)
        .into_iter()
        .map(Advice::severity)
        .collect();
    assert!(
        severities.is_sorted_by(|one, next| one >= next) && severities.len() == 7,
        "{severities:?}"
    );
}

#[test]
fn each_remedy_is_one_sentence() {
    for advice in Advice::ALL {
        let remedy = advice.remedy();
        assert!(
            remedy.ends_with('.') && remedy.matches(". ").count() == 0 && remedy.len() > 40,
            "{remedy}"
        );
    }
}

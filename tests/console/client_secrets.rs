use http::StatusCode;
use lyceum::domain::{Client, ClientPolicy, ClientSecret};

use crate::client_fixture::*;
use crate::harness::*;
use crate::pages::assert_safe;

/// The secret that a page shows.
fn shown(page: &str) -> String {
    let rest = page.split("<code id=\"secret\"").nth(1).unwrap_or_else(|| panic!("no secret in {page}"));
    rest.split('>').nth(1).unwrap().split('<').next().unwrap().to_owned()
}

async fn posted(browser: &mut Browser, path: &str) -> Answer {
    let page = browser.get(path).await.body;
    browser.post(path, &[("form_token", &form_token(&page)), ("seen", &hidden(&page, "seen"))]).await
}

/// Fails if the secret is anywhere but in the answer to the form.
#[tokio::test]
async fn s35_a_new_clients_secret_is_shown_once() {
    let world = World::new().await;
    let mut browser = world.browser_of(EMAIL).await;
    let token = form_token(&browser.get("/clients/new").await.body);
    let fields = [("form_token", &*token), ("name", "<b>Kiosk"), ("policy", "secret"), ("redirect_uris", "https://app.example/callback")];
    let page = browser.post("/clients/new", &fields).await;
    assert_eq!(page.status, StatusCode::OK);
    assert_safe(&page);
    let secret = shown(&page.body);
    let [client] = &kept_by_person(&world).await[..] else { panic!("{page:?}") };
    assert_eq!(secret.len(), 43);
    assert!(client.secrets[0].digest.matches(&ClientSecret::presented(&secret).unwrap().digest()));
    assert_eq!(page.body.matches(&*secret).count(), 1, "no sample has it");
    assert!(page.body.contains("process.env.CLIENT_SECRET") && page.body.contains(&format!("/console/clients/{}\"", client.id)));
    for path in ["/clients".to_owned(), format!("/clients/{}", client.id), format!("/clients/{}/edit", client.id)] {
        let page = browser.get(&path).await;
        assert!(page.status == StatusCode::OK && !page.body.contains(&*secret) && !page.body.contains("<b>"), "{path}");
    }
    assert!(!format!("{:?}", world.log.events()).contains(&*secret));
}

#[tokio::test]
async fn before_a_secret_is_rotated_its_owner_is_told_what_becomes_of_the_others() {
    let world = World::new().await;
    let client = client(&world, 1, |client| client).await;
    let path = format!("/clients/{}/secrets/new", client.id);
    let mut browser = world.browser_of(EMAIL).await;
    let page = browser.get(&path).await;
    assert_safe(&page);
    assert!(page.body.contains("goes on working beside it") && !page.body.contains("stops working at once"), "{}", page.body);
    assert_eq!(kept(&world, client.id).await, client, "a page changes nothing");
    let page = posted(&mut browser, &path).await;
    assert_eq!(page.status, StatusCode::OK);
    assert_safe(&page);
    let first = shown(&page.body);
    assert!(page.body.contains("The secret until now goes on working"), "{}", page.body);
    assert_eq!(kept(&world, client.id).await.secrets.len(), 2);
    let page = browser.get(&path).await.body;
    assert!(page.contains("the oldest stops working at once") && !page.contains(&*first), "{page}");
    let second = shown(&posted(&mut browser, &path).await.body);
    let digests: Vec<_> = kept(&world, client.id).await.secrets.iter().map(|secret| secret.digest).collect();
    assert_eq!(digests, [&first, &second].map(|secret| ClientSecret::presented(secret).unwrap().digest()));
}

/// Fails if pressing a button twice takes a secret away that nobody was told of.
#[tokio::test]
async fn a_form_that_is_sent_twice_pushes_out_no_secret_unasked() {
    let world = World::new().await;
    let client = client(&world, 1, |client| client).await;
    let path = format!("/clients/{}/secrets/new", client.id);
    let mut browser = world.browser_of(EMAIL).await;
    let page = browser.get(&path).await.body;
    let (token, seen) = (form_token(&page), hidden(&page, "seen"));
    assert_eq!(browser.post(&path, &[("form_token", &token), ("seen", &seen)]).await.status, StatusCode::OK);
    let after = kept(&world, client.id).await;
    for fields in [vec![("form_token", &*token), ("seen", &*seen)], vec![("form_token", &*token)]] {
        let again = browser.post(&path, &fields).await;
        assert_eq!(again.status, StatusCode::CONFLICT);
        assert_safe(&again);
        assert!(again.body.contains("the oldest stops working at once") && again.body.contains("Somebody else changed it"));
    }
    assert_eq!(kept(&world, client.id).await, after);
}

#[tokio::test]
async fn the_older_secret_is_removed_and_the_newest_stays() {
    let world = World::new().await;
    let client = client(&world, 1, |client| Client { secrets: vec![secret(1), secret(2)], ..client }).await;
    let path = format!("/clients/{}/secrets/older", client.id);
    let mut browser = world.browser_of(EMAIL).await;
    let page = browser.get(&path).await;
    assert_safe(&page);
    assert!(page.body.contains("Remove the older secret of"));
    let (token, seen) = (form_token(&page.body), hidden(&page.body, "seen"));
    // Somebody rotates meanwhile: what was the newest would go.
    let _ = world.store.add_client_secret(client.id, secret(3)).await.unwrap();
    assert_eq!(browser.post(&path, &[("form_token", &token), ("seen", &seen)]).await.status, StatusCode::CONFLICT);
    assert_eq!(kept(&world, client.id).await.secrets, [secret(2), secret(3)]);
    let answer = posted(&mut browser, &path).await;
    assert_eq!(answer.location(), format!("/console/clients/{}?done=secret-removed", client.id));
    assert!(browser.follow().await.body.contains("The older secret is removed."));
    assert_eq!(kept(&world, client.id).await.secrets, [secret(3)]);
    assert_eq!(browser.get(&path).await.status, StatusCode::NOT_FOUND, "there is no older one");
    assert_eq!(browser.post(&path, &[("form_token", &token), ("seen", &seen)]).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_public_client_gets_no_secret_and_one_that_lacks_one_is_not_told_of_others() {
    let world = World::new().await;
    let public = client(&world, 1, |client| Client { policy: ClientPolicy::Public, secrets: Vec::new(), ..client }).await;
    let lacking = client(&world, 2, |client| Client { secrets: Vec::new(), ..client }).await;
    let mut browser = world.browser_of(EMAIL).await;
    let page = browser.get(&format!("/clients/{}/secrets/new", public.id)).await;
    assert!(page.status == StatusCode::CONFLICT && page.body.contains("A public client has no secrets"));
    let token = form_token(&browser.get("/").await.body);
    let answer = browser.post(&format!("/clients/{}/secrets/new", public.id), &[("form_token", &token), ("seen", "x")]).await;
    assert_eq!((answer.status, kept(&world, public.id).await), (StatusCode::CONFLICT, public));
    let path = format!("/clients/{}/secrets/new", lacking.id);
    let page = browser.get(&path).await.body;
    assert!(page.contains("It is shown once, on the next page.") && !page.contains("beside it"), "{page}");
    let page = posted(&mut browser, &path).await.body;
    assert!(!page.contains("goes on working"), "{page}");
}

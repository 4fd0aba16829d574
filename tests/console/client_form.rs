use http::StatusCode;
use lyceum::domain::{Client, ClientPolicy, ClientSettings, RedirectUri, Scope};
use lyceum::store::ClientUpdate;

use crate::client_fixture::*;
use crate::harness::*;
use crate::pages::assert_safe;

/// What a public client's form says, but for its token.
const PUBLIC: [(&str, &str); 4] =
    [("name", "Campus App"), ("policy", "none"), ("redirect_uris", "https://app.example/callback"), ("pkce_required", "true")];

async fn posted(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> Answer {
    let page = browser.get(path).await.body;
    let token = form_token(&page);
    let mut all = vec![("form_token", &*token)];
    let seen = page.contains("name=\"seen\"").then(|| hidden(&page, "seen"));
    all.extend(seen.iter().map(|seen| ("seen", &**seen)));
    all.extend(fields);
    browser.post(path, &all).await
}

/// The fields with others in place of those of the same names.
fn with<'a>(fields: &[(&'a str, &'a str)], other: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = fields.iter().filter(|(name, _)| other.iter().all(|(found, _)| found != name));
    kept.chain(other).copied().collect()
}

#[tokio::test]
async fn a_public_client_is_registered_without_a_secret() {
    let world = World::new().await;
    let mut browser = world.browser_of(EMAIL).await;
    let page = browser.get("/clients/new").await;
    assert_safe(&page);
    assert!(page.body.contains("id=\"policy-secret\" name=\"policy\" value=\"secret\" aria-describedby=\"policy-secret-hint\" checked"));
    assert!(!page.body.contains("first_party\"") && !page.body.contains("client_credentials_allowed\""), "{}", page.body);
    let typed = with(
        &PUBLIC,
        &[("redirect_uris", " https://app.example/callback \r\n\r\ncom.example.app:/back\r\n"), ("scopes", "service:self_read")],
    );
    let answer = posted(&mut browser, "/clients/new", &typed).await;
    let [client] = &kept_by_person(&world).await[..] else { panic!("{answer:?}") };
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, &*format!("/console/clients/{}?done=created", client.id)));
    let uris: Vec<&str> = client.redirect_uris.iter().map(RedirectUri::as_str).collect();
    assert_eq!((client.name.as_str(), uris), ("Campus App", vec!["https://app.example/callback", "com.example.app:/back"]));
    assert!(client.policy == ClientPolicy::Public && client.secrets.is_empty() && client.pkce_required && !client.plain_pkce_allowed);
    assert!(client.allowed_scopes.contains(&Scope::self_read()) && client.owner == world.person);
    assert!(browser.follow().await.body.contains("Campus App"));
}

/// Fails if the faulty form is emptied, or a hostile text leaves its field.
#[tokio::test]
async fn s25_a_form_with_faults_comes_back_as_it_was_typed_with_each_fault_beside_its_field() {
    let world = World::new().await;
    let mut browser = world.browser_of(EMAIL).await;
    let hostile = "</textarea>\"><b class=x>";
    let typed = [("name", hostile), ("policy", hostile), ("redirect_uris", hostile), ("scopes", hostile), ("plain_pkce_allowed", "true")];
    let page = posted(&mut browser, "/clients/new", &typed).await;
    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    assert_safe(&page);
    for text in [
        "policy-fault",
        "redirect_uris-fault",
        "scopes-fault",
        "&#60;/textarea&#62;&#34;&#62;&#60;b",
        "plain_pkce_allowed\" value=\"true\" checked",
        "does not exist any more",
    ] {
        assert!(page.body.contains(text), "{text} is missing in {}", page.body);
    }
    assert!(!page.body.contains("<b ") && !page.body.contains("name-fault"), "a name may have any of these letters");
    let page = posted(&mut browser, "/clients/new", &with(&PUBLIC, &[("name", "a\nb")])).await;
    assert!(page.body.contains("name-fault") && page.status == StatusCode::BAD_REQUEST);
    let page = posted(&mut browser, "/clients/new", &[]).await;
    assert!(page.body.contains("name-fault") && page.body.contains("policy-fault"));
    let many: Vec<String> = (0..201).map(|number| format!("service:scope-{number}")).collect();
    let many: Vec<(&str, &str)> = PUBLIC.into_iter().chain(many.iter().map(|scope| ("scopes", &**scope))).collect();
    assert!(posted(&mut browser, "/clients/new", &many).await.body.contains("At most 200 scopes"));
    assert!(kept_by_person(&world).await.is_empty());
    let mut korean = world.browser_of(EMAIL).await;
    korean.language = "ko";
    assert!(posted(&mut korean, "/clients/new", &with(&PUBLIC, &[("redirect_uris", "x")])).await.body.contains("번째 줄"));
}

/// Fails if any address that an attacker would like can be registered.
#[tokio::test]
async fn s12_hostile_redirects_are_refused_with_their_line_and_rule() {
    let world = World::new().await;
    let mut browser = world.browser_of(EMAIL).await;
    for (uri, rule) in [
        ("javascript:alert(1)", "begin with https://"),
        ("data:text/html,x", "begin with https://"),
        ("http://app.example/callback", "begin with https://"),
        ("https://app.example/#x", "must not have a # part"),
        ("https://user@app.example/", "must not have a user name"),
        ("https://app.example/?code=x", "must not have the parameters"),
        ("https://app.example/a\rb", "must be a whole address"),
        ("https://app.example/\tb", "must be a whole address"),
        ("https://app.example:65536/", "must be at most 65535"),
        ("https:///callback", "must have a host"),
    ] {
        let typed = format!("https://app.example/good\r\n{uri}");
        let page = posted(&mut browser, "/clients/new", &with(&PUBLIC, &[("redirect_uris", &typed)])).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{uri}");
        let fault = page.body.split("id=\"redirect_uris-fault\">").nth(1).unwrap().split('<').next().unwrap();
        assert!(fault.starts_with("Line \u{2068}2\u{2069}: ") && fault.contains(rule), "{uri}: {fault}");
    }
    // A line end makes another address, and never a header or another field.
    let page = posted(&mut browser, "/clients/new", &with(&PUBLIC, &[("redirect_uris", "https://app.example/\r\nlocation: x")])).await;
    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    assert!(kept_by_person(&world).await.is_empty());
}

#[tokio::test]
async fn the_picker_has_the_scopes_of_all_applications_and_marks_what_not_everybody_may_have() {
    let world = World::new().await;
    let other = other(&world).await;
    let own = application(&world, &world.person, 1, "Own <App>", &[("points", true)]).await;
    let theirs = application(&world, &other, 2, "Theirs", &[("free", false), ("kept_back", true)]).await;
    let mut browser = world.browser_of(EMAIL).await;
    let page = browser.get("/clients/new").await;
    assert_safe(&page);
    let box_of = |page: &str, scope: &str| {
        let rest = page.split(&format!("id=\"scope-{scope}\"")).nth(1).unwrap_or_else(|| panic!("no {scope}")).to_owned();
        rest.split("</div>").next().unwrap().to_owned()
    };
    for (scope, can_be_chosen, note) in [
        (own[0].to_string(), true, None),
        (theirs[0].to_string(), true, None),
        (theirs[1].to_string(), false, Some("Needs approval")),
        (Scope::self_read().to_string(), true, None),
        (Scope::manage().to_string(), false, Some("Only for the service&#39;s own clients")),
    ] {
        let tick = box_of(&page.body, &scope);
        assert_eq!(!tick.contains(" disabled"), can_be_chosen, "{tick}");
        assert_eq!(tick.contains("badge warning"), note.is_some(), "{tick}");
        assert!(note.is_none_or(|note| tick.contains(note)), "{tick}");
    }
    assert!(page.body.contains("Own &#60;App&#62;") && page.body.contains("&#60;i&#62;points") && !page.body.contains("<i>"));
    let admins = world.browser_of(ADMIN).await.get("/clients/new").await.body;
    assert!(!box_of(&admins, "service:manage").contains(" disabled"));

    // Whoever asks all the same is told why not.
    let scope = theirs[1].to_string();
    let page = posted(&mut browser, "/clients/new", &with(&PUBLIC, &[("scopes", &scope)])).await;
    assert_eq!(page.status, StatusCode::FORBIDDEN);
    for text in ["scopes-fault", "needs the approval", "value=\"Campus App\""] {
        assert!(page.body.contains(text), "{text} is missing in {}", page.body);
    }
    assert!(box_of(&page.body, &scope).contains(" checked") && !box_of(&page.body, &scope).contains(" disabled"));
    let page = posted(&mut browser, "/clients/new", &with(&PUBLIC, &[("scopes", "service:manage")])).await;
    assert!(page.status == StatusCode::BAD_REQUEST && page.body.contains("service:manage is for"), "{}", page.body);
    let page = posted(&mut browser, "/clients/new", &with(&PUBLIC, &[("scopes", "service:nothing")])).await;
    assert!(page.status == StatusCode::BAD_REQUEST && page.body.contains("does not exist any more"), "{}", page.body);
    assert!(kept_by_person(&world).await.is_empty());

    // Once approved, an existing client adds it.
    let client = client(&world, 1, |client| client).await;
    let id = world.store.scope_definitions(&[theirs[1].clone()].into_iter().collect()).await.unwrap()[0].id;
    let path = format!("/clients/{}/edit", client.id);
    let fields = [("name", "Timetable 1"), ("policy", "secret"), ("scopes", &*scope)];
    assert_eq!(posted(&mut browser, &path, &fields).await.status, StatusCode::FORBIDDEN);
    let _ = world.store.approve_scope(id, client.id, START).await.unwrap();
    assert_eq!(posted(&mut browser, &path, &fields).await.status, StatusCode::SEE_OTHER);
    assert!(kept(&world, client.id).await.allowed_scopes.contains(&theirs[1]));
    assert!(!box_of(&browser.get(&path).await.body, &scope).contains("badge"), "it has it already");
}

/// Fails if a field that an ordinary form does not have is taken from one.
#[tokio::test]
async fn s36_what_is_for_administrators_stays_as_it_is_in_the_forms_of_others() {
    let world = World::new().await;
    let mut browser = world.browser_of(EMAIL).await;
    for field in ["first_party", "client_credentials_allowed", "owner", "id"] {
        let page = posted(&mut browser, "/clients/new", &with(&PUBLIC, &[(field, "true")])).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{field}");
    }
    assert!(kept_by_person(&world).await.is_empty());
    let client = client(&world, 1, |client| Client { client_credentials_allowed: true, ..client }).await;
    let path = format!("/clients/{}/edit", client.id);
    let fields = [("name", "Renamed"), ("policy", "secret")];
    assert_eq!(posted(&mut browser, &path, &fields).await.status, StatusCode::SEE_OTHER);
    assert!(kept(&world, client.id).await.client_credentials_allowed, "its owner cannot have meant it");
    let page = posted(&mut browser, &path, &[("name", "Renamed"), ("policy", "none")]).await;
    assert!(page.status == StatusCode::BAD_REQUEST && page.body.contains("cannot get tokens without a user"), "{}", page.body);
    let mut admin = world.browser_of(ADMIN).await;
    assert_eq!(posted(&mut admin, &path, &[("name", "Ours"), ("policy", "secret"), ("first_party", "true")]).await.status, 303);
    let kept = kept(&world, client.id).await;
    assert!(kept.first_party && !kept.client_credentials_allowed && kept.owner == world.person);
}

/// Fails if somebody's change is undone by a form that was opened before.
#[tokio::test]
async fn a_form_that_shows_an_older_version_overwrites_nothing() {
    let world = World::new().await;
    let client = client(&world, 1, |client| client).await;
    let path = format!("/clients/{}/edit", client.id);
    let mut browser = world.browser_of(EMAIL).await;
    let opened = browser.get(&path).await;
    assert_safe(&opened);
    for text in ["value=\"Timetable 1\"", ">https://app.example/callback</textarea>"] {
        assert!(opened.body.contains(text), "{text} is missing in {}", opened.body);
    }
    let (token, seen) = (form_token(&opened.body), hidden(&opened.body, "seen"));
    let theirs = ClientSettings { name: "By somebody else".parse().unwrap(), ..client.settings() };
    assert_eq!(world.store.update_client(client.id, &client.settings(), theirs.clone()).await.unwrap(), ClientUpdate::Updated);
    let fields = [("form_token", &*token), ("seen", &*seen), ("name", "Mine"), ("policy", "none")];
    for fields in [&fields[..], &fields[2..], &[("seen", "x"), ("name", "Mine"), ("policy", "none")]] {
        let fields: Vec<_> = with(fields, &[("form_token", &token)]);
        let page = browser.post(&path, &fields).await;
        assert_eq!(page.status, StatusCode::CONFLICT);
        assert_safe(&page);
        assert!(
            page.body.contains("Somebody else changed it")
                && page.body.contains("value=\"By somebody else\"")
                && !page.body.contains("Mine")
        );
        assert_eq!(kept(&world, client.id).await.settings(), theirs);
    }
    // From what is shown now, it can be changed; another secret is no other version.
    let _ = world.store.add_client_secret(client.id, secret(9)).await.unwrap();
    let page = browser.post(&path, &fields).await.body;
    let seen = hidden(&page, "seen");
    let fields = with(&fields, &[("seen", &seen), ("policy", "secret")]);
    let answer = browser.post(&path, &fields).await;
    assert_eq!(answer.location(), format!("/console/clients/{}?done=saved", client.id));
    assert_eq!(kept(&world, client.id).await.name.as_str(), "Mine");
    assert!(browser.follow().await.body.contains("Mine"));
}

#[tokio::test]
async fn changing_a_client_keeps_its_secrets_and_the_order_of_its_scopes() {
    let world = World::new().await;
    let scopes = application(&world, &world.person, 1, "Own", &[("a", false), ("b", false), ("c", false)]).await;
    let before = [scopes[2].clone(), scopes[0].clone()].into_iter().collect();
    let client = client(&world, 1, |client| Client { allowed_scopes: before, ..client }).await;
    let path = format!("/clients/{}/edit", client.id);
    let mut browser = world.browser_of(EMAIL).await;
    let chosen: Vec<String> = scopes.iter().map(ToString::to_string).collect();
    let mut fields = vec![("name", "Timetable 1"), ("policy", "secret")];
    fields.extend(chosen.iter().map(|scope| ("scopes", &**scope)));
    assert_eq!(posted(&mut browser, &path, &fields).await.status, StatusCode::SEE_OTHER);
    let changed = kept(&world, client.id).await;
    let order: Vec<&Scope> = changed.allowed_scopes.iter().collect();
    assert_eq!((order, &changed.secrets), (vec![&scopes[2], &scopes[0], &scopes[1]], &client.secrets));
    let page = browser.get(&path).await.body;
    assert!(page.contains("The secrets of this client stop working at once"), "{page}");
    assert_eq!(posted(&mut browser, &path, &[("name", "Public now"), ("policy", "none")]).await.status, StatusCode::SEE_OTHER);
    assert!(kept(&world, client.id).await.secrets.is_empty());
}

use http::StatusCode;
use lyceum::domain::{ClientId, ClientSettings, PageRequest, ScopeDefinition, Verification};
use lyceum::http::Clock;
use lyceum::http::audit::{Change, EventKind, ManagedObject};
use lyceum::http::auth_server::{AuthServerBuilder, UserLimits};
use lyceum::store::{ClientUpdate, ScopeApproval, ScopePatch};

use crate::account::school_with_student;
use crate::fixtures::DAY;
use crate::harness::*;
use crate::pages::assert_safe;
use crate::registry_fixtures::*;

/// A scope of [`EMAIL`] that needs approval, and a client of [`OTHER`] that requests it.
async fn wanted(harness: &Harness) -> (ScopeDefinition, ClientId) {
    let stranger = other(harness).await;
    let made = application(harness, 1, &harness.person, "Points").await;
    let read = scope(harness, 1, &made, "read").await;
    let change = ScopePatch {
        approval_required: Some(true),
        ..ScopePatch::default()
    };
    let _ = harness.store.update_scope(read.id, change).await.unwrap();
    let client = client(harness, 1, &stranger, "<b>Lunch", &[]).await;
    (read, client)
}

/// Asks for the scope on the page of the client.
async fn ask(browser: &mut Browser, read: &ScopeDefinition, lunch: ClientId) -> TestResponse {
    let page = format!("/clients/{lunch}/scopes");
    let fields = [
        ("scope", &*read.id.to_string()),
        ("reason", "Show <b>points</b> at lunch"),
    ];
    fill_in(browser, &page, &fields).await
}

/// Path of the decision about a request.
fn decision(read: &ScopeDefinition, lunch: ClientId) -> String {
    format!("/applications/requests/{}/{lunch}", read.id)
}

// Proves: spec 4
/// Fails if somebody else decides, or a request is no request for the owner.
#[tokio::test]
async fn a_scope_that_needs_approval_is_asked_for_and_approved_by_its_owner_only() {
    let harness = Harness::new().await;
    let (read, lunch) = wanted(&harness).await;
    let listed = async || {
        let seen = harness
            .store
            .client(lunch)
            .await
            .unwrap()
            .unwrap()
            .settings();
        let new = ClientSettings {
            allowed_scopes: scope_set(&[&read]),
            ..seen.clone()
        };
        harness
            .store
            .update_client(lunch, &seen, new)
            .await
            .unwrap()
    };
    let mut asker = harness.browser_of(OTHER).await;
    let page = format!("/clients/{lunch}/scopes");
    let shown = asker.get(&page).await;
    assert_safe(&shown);
    assert_says(
        &shown,
        &[
            "Points",
            DEVELOPER,
            "Read &#60;b&#62;points",
            "Request a scope",
        ],
    );
    assert!(!shown.body.contains(EMAIL), "{}", shown.body);
    let answer = ask(&mut asker, &read, lunch).await;
    let sent = done(&mut asker, &answer, &format!("{page}?done=request-sent")).await;
    assert_safe(&sent);
    assert_says(&sent, &["Request sent.", "Pending", "Withdraw"]);
    assert!(
        !sent.body.contains("name=\"scope\""),
        "the scope cannot be asked for twice"
    );
    assert_says(
        &asker.get(&format!("/clients/{lunch}")).await,
        &["1 pending"],
    );

    let approve = format!("{}/approve", decision(&read, lunch));
    let refused = send(&mut asker, &sent, &approve, &[]).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(
        listed().await,
        ClientUpdate::NeedsApproval(read.scope.clone())
    );
    assert_says(
        &asker.get("/applications/requests").await,
        &["There are no pending requests."],
    );

    let mut owner = harness.browser_of(EMAIL).await;
    assert_says(
        &owner.get("/applications").await,
        &["1 scope request to review"],
    );
    let inbox = owner.get("/applications/requests").await;
    assert_safe(&inbox);
    assert_says(
        &inbox,
        &[
            "&#60;b&#62;Lunch",
            DEVELOPER,
            "Show &#60;b&#62;points&#60;/b&#62; at lunch",
            "Points",
        ],
    );
    assert!(!inbox.body.contains(OTHER), "{}", inbox.body);
    assert!(
        !inbox.body.contains(&format!("/clients/{lunch}\"")),
        "the owner of the application does not see the client's page"
    );
    let answer = send(&mut owner, &inbox, &approve, &[("back", "waiting")]).await;
    let approved = done(&mut owner, &answer, "/applications/requests?done=approved").await;
    assert_says(
        &approved,
        &["Request approved.", "There are no pending requests."],
    );
    assert_says(&asker.get(&page).await, &["Approved", "Add to client"]);
    let home = asker.get("/").await;
    assert_safe(&home);
    assert_says(
        &home,
        &[
            "“&#60;b&#62;Lunch” may use “Read &#60;b&#62;points&#60;/b&#62;”.",
            &format!("href=\"/console/clients/{lunch}/edit\">Add to client</a>"),
        ],
    );
    let form = asker.get(&format!("/clients/{lunch}/edit")).await;
    assert_says(&form, &[&format!("value=\"{}\"", read.scope)]);
    assert!(!owner.get("/").await.body.contains("may use"));
    let of_client = format!("/clients/{lunch}");
    assert_says(&asker.get(&of_client).await, &["badge good\">1 approved<"]);
    assert_eq!(listed().await, ClientUpdate::Updated);
    assert!(!asker.get("/").await.body.contains("may use"));
    assert!(!asker.get(&of_client).await.body.contains("1 approved"));
    assert!(!asker.get(&page).await.body.contains("Add to client"));
    assert_says(&owner.get(&scope_path(&read)).await, &["In use", DEVELOPER]);
    let changes: Vec<_> = harness
        .log
        .events()
        .into_iter()
        .filter_map(|event| match event.kind {
            EventKind::Managed {
                by, object, change, ..
            } => Some((by, object, change)),
            _ => None,
        })
        .collect();
    let (scope, client) = (read.scope.clone(), lunch);
    let asker = harness.store.client(lunch).await.unwrap().unwrap();
    assert_eq!(
        changes[changes.len() - 2..],
        [
            (
                asker.owner.clone(),
                ManagedObject::ScopeRequest {
                    scope: scope.clone(),
                    client
                },
                Change::Created
            ),
            (
                harness.person.clone(),
                ManagedObject::ScopeApproval { scope, client },
                Change::Created
            )
        ]
    );
}

/// Fails if users see the e-mail address of a student, or administrators do not.
#[tokio::test]
async fn users_see_each_other_by_name_and_administrators_see_the_address() {
    let directory = school_with_student().await;
    let settings = |auth: AuthServerBuilder| auth.directory(directory);
    let harness = Harness::with_settings(ADDRESS, settings, |console| console).await;
    let (read, lunch) = wanted(&harness).await;
    let application = format!("/applications/{}", read.scope.application);
    let (mut asker, mut admin) = (
        harness.browser_of(OTHER).await,
        harness.browser_of(ADMIN).await,
    );
    for path in [format!("/clients/{lunch}/scopes"), application] {
        let page = asker.get(&path).await;
        assert_safe(&page);
        assert_says(&page, &["&#60;b&#62;Kim"]);
        assert!(!page.body.contains(EMAIL), "{path}: {}", page.body);
        assert_says(&admin.get(&path).await, &["&#60;b&#62;Kim", EMAIL]);
    }
    ask(&mut asker, &read, lunch).await;
    assert_says(&admin.get("/admin/waiting").await, &[OTHER]);
}

/// Fails if a refusal needs no reason, or the asker does not see it.
#[tokio::test]
async fn a_refused_request_says_why_and_can_be_made_again() {
    let harness = Harness::new().await;
    let (read, lunch) = wanted(&harness).await;
    let mut asker = harness.browser_of(OTHER).await;
    ask(&mut asker, &read, lunch).await;
    let refuse = format!("{}/refuse", decision(&read, lunch));
    let mut owner = harness.browser_of(EMAIL).await;
    let inbox = owner.get("/applications/requests").await;
    for typed in ["", " ", "turn\u{202e}ed"] {
        let answer = send(&mut owner, &inbox, &refuse, &[("reason", typed)]).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{typed:?}");
        assert_safe(&answer);
        assert_says(
            &answer,
            &["id=\"reason-1-fault\">", "<details class=\"refuse\" open>"],
        );
    }
    let answer = send(&mut owner, &inbox, &refuse, &[("reason", HOSTILE)]).await;
    done(
        &mut owner,
        &answer,
        "/applications/requests?done=request-refused",
    )
    .await;
    let repeated = send(&mut owner, &inbox, &refuse, &[("reason", "again")]).await;
    assert_eq!(repeated.status, StatusCode::NOT_FOUND, "it waits no more");
    let page = asker.get(&format!("/clients/{lunch}/scopes")).await;
    assert_safe(&page);
    assert_says(
        &page,
        &[
            "Denied",
            "&#34;&#62;&#60;b&#62;x&#60;/b&#62;",
            "name=\"scope\"",
        ],
    );
    let home = asker.get("/").await;
    assert_safe(&home);
    assert_says(
        &home,
        &[
            "“&#60;b&#62;Lunch” was denied “Read &#60;b&#62;points&#60;/b&#62;”.",
            "&#34;&#62;&#60;b&#62;x&#60;/b&#62;",
        ],
    );
    let of_client = asker.get(&format!("/clients/{lunch}")).await;
    assert_says(&of_client, &["badge problem\">1 denied<"]);
    harness.clock.advance(8 * DAY);
    let mut asker = harness.browser_of(OTHER).await;
    assert!(!asker.get("/").await.body.contains("was denied"));
    let answer = ask(&mut asker, &read, lunch).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let page = asker.get(&format!("/clients/{lunch}/scopes")).await;
    assert!(page.body.contains("Pending") && !page.body.contains("Denied"));
    let mut owner = harness.browser_of(EMAIL).await;
    assert_says(&owner.get("/").await, &["1 scope request to review"]);
    let admins = harness.browser_of(ADMIN).await.get("/").await.body;
    assert!(
        admins.contains("Review &#60;b&#62;Lunch") && !admins.contains("for your scopes"),
        "the same request is in the list of what waits: {admins}"
    );
    let withdraw = format!("/clients/{lunch}/scopes/{}/withdraw", read.id);
    let theirs = owner.get("/applications").await;
    let answer = send(&mut owner, &theirs, &withdraw, &[]).await;
    assert_eq!(
        answer.status,
        StatusCode::FORBIDDEN,
        "only the owner of the client withdraws"
    );
    let answer = send(&mut asker, &page, &withdraw, &[]).await;
    let location = format!("/clients/{lunch}/scopes?done=request-withdrawn");
    let page = done(&mut asker, &answer, &location).await;
    assert!(!page.body.contains("Pending"));
}

/// Fails if an unknown scope, or one that needs no approval, can be asked for, or the number of
/// requests is not limited.
#[tokio::test]
async fn only_scopes_that_need_approval_are_asked_for_and_only_a_few_at_once() {
    let harness = Harness::with_auth(|builder| {
        builder.user_limits(UserLimits {
            scope_requests_per_client: 1,
            ..UserLimits::default()
        })
    })
    .await;
    let (read, lunch) = wanted(&harness).await;
    let made = harness.store.application(read.scope.application).await;
    let made = made.unwrap().unwrap();
    let open = scope(&harness, 2, &made, "open").await;
    let write = scope(&harness, 3, &made, "write").await;
    let change = ScopePatch {
        approval_required: Some(true),
        ..ScopePatch::default()
    };
    let _ = harness.store.update_scope(write.id, change).await.unwrap();
    let mut asker = harness.browser_of(OTHER).await;
    let page = format!("/clients/{lunch}/scopes");
    let open = open.id.to_string();
    for (scope, reason, fault) in [
        ("", "Lunch", "scope-fault"),
        ("x", "Lunch", "scope-fault"),
        (
            "7d444840-9dc0-41d1-b245-5ffdce74fad2",
            "Lunch",
            "scope-fault",
        ),
        (&*open, "Lunch", "scope-fault"),
        (&*write.id.to_string(), "", "reason-fault"),
    ] {
        let fields = [("scope", scope), ("reason", reason)];
        let answer = fill_in(&mut asker, &page, &fields).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{scope} {reason}");
        assert_safe(&answer);
        assert_says(&answer, &[&format!("id=\"{fault}\">")]);
    }
    let answer = ask(&mut asker, &read, lunch).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let answer = ask(&mut asker, &write, lunch).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_says(&answer, &["the limit of pending requests"]);
    let mut owner = harness.browser_of(EMAIL).await;
    assert_eq!(
        owner.get(&page).await.status,
        StatusCode::FORBIDDEN,
        "the page is for the owner of the client"
    );
}

/// Fails if administrators do not find everything in one list, or decide nothing there.
#[tokio::test]
async fn administrators_verify_and_approve_in_one_list() {
    let harness = Harness::new().await;
    let (read, lunch) = wanted(&harness).await;
    let seen = harness.store.client(lunch).await.unwrap().unwrap();
    let before = seen.settings();
    let unverified = ClientSettings {
        verification: Verification::Unverified,
        ..before.clone()
    };
    let updated = harness.store.update_client(lunch, &before, unverified);
    assert_eq!(updated.await.unwrap(), ClientUpdate::Updated);
    let mut asker = harness.browser_of(OTHER).await;
    ask(&mut asker, &read, lunch).await;
    assert_eq!(
        asker.get("/admin/waiting").await.status,
        StatusCode::FORBIDDEN
    );
    let mut admin = harness.browser_of(ADMIN).await;
    let list = admin.get("/admin/waiting").await;
    assert_safe(&list);
    assert_says(
        &list,
        &[
            "&#60;b&#62;Lunch",
            OTHER,
            "https://app.example/callback",
            "Unverified clients",
            "Requested scopes",
            "Verify",
            "Approve",
            "Deny",
            "Reason (required, shown to the owner of the client)",
        ],
    );
    let verify = format!("/clients/{lunch}/verify");
    let answer = send(&mut admin, &list, &verify, &[("back", "waiting")]).await;
    let location = format!("/admin/waiting?done=verified&client={lunch}");
    let list = done(&mut admin, &answer, &location).await;
    assert!(!list.body.contains("Unverified"));
    let notice = "role=\"status\" tabindex=\"-1\" autofocus>&#60;b&#62;Lunch is verified.<";
    assert_says(&list, &[notice]);
    let refuse = format!("{}/refuse", decision(&read, lunch));
    let answer = send(&mut admin, &list, &refuse, &[("back", "waiting")]).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_says(&answer, &["/admin/waiting", "id=\"reason-1-fault\">"]);
    let approve = format!("{}/approve", decision(&read, lunch));
    let answer = send(&mut admin, &list, &approve, &[("back", "waiting")]).await;
    let list = done(&mut admin, &answer, "/admin/waiting?done=approved").await;
    assert_says(&list, &["There are no pending approvals."]);
}

/// Fails if the start page says for ever that a scope may be added, or no longer says it to a user who
/// was away for a few weeks.
#[tokio::test]
async fn an_approved_scope_that_is_not_added_leaves_the_start_page_after_30_days() {
    let harness = Harness::new().await;
    let (read, lunch) = wanted(&harness).await;
    ask(&mut harness.browser_of(OTHER).await, &read, lunch).await;
    harness.clock.advance(40 * DAY);
    let approval = harness
        .store
        .approve_scope(read.id, lunch, harness.clock.now());
    assert_eq!(approval.await.unwrap(), ScopeApproval::Approved);
    let says = async || {
        let home = harness.browser_of(OTHER).await.get("/").await;
        home.body.contains("may use")
    };
    harness.clock.advance(30 * DAY);
    assert!(says().await, "not counted from the request");
    harness.clock.advance(DAY);
    assert!(!says().await);
    let page = format!("/clients/{lunch}/scopes");
    let page = harness.browser_of(OTHER).await.get(&page).await;
    assert_says(&page, &["Approved", "Add to client"]);
}

// Proves: threats 55
/// Fails if a client or a request is approved that is another one than the list showed, or a request
/// that waits no more.
#[tokio::test]
async fn an_approval_is_about_the_client_and_the_request_that_were_shown() {
    let harness = Harness::new().await;
    let (read, lunch) = wanted(&harness).await;
    let mut asker = harness.browser_of(OTHER).await;
    let mut owner = harness.browser_of(EMAIL).await;
    let approve = format!("{}/approve", decision(&read, lunch));
    let withdraw = format!("/clients/{lunch}/scopes/{}/withdraw", read.id);
    let approved = async || {
        let clients = harness
            .store
            .clients_of_scope(read.id, PageRequest::LARGEST);
        clients.await.unwrap().items.len()
    };
    ask(&mut asker, &read, lunch).await;
    let shown = owner.get("/applications/requests").await;
    let token = form_token(&shown.body);
    let unbound = owner.post(&approve, &[("form_token", &token)]).await;
    assert_eq!(unbound.status, StatusCode::CONFLICT, "{unbound:?}");

    let seen = harness.store.client(lunch).await.unwrap().unwrap();
    let renamed = ClientSettings {
        name: "Another name".parse().unwrap(),
        ..seen.settings()
    };
    let settings = seen.settings();
    let updated = harness.store.update_client(lunch, &settings, renamed);
    assert_eq!(updated.await.unwrap(), ClientUpdate::Updated);
    let shown = send(&mut owner, &shown, &approve, &[]).await;
    assert_eq!(shown.status, StatusCode::CONFLICT);
    assert_safe(&shown);
    assert_says(
        &shown,
        &[
            "This has changed in the meantime",
            "Another name",
            "Approve",
        ],
    );

    harness.clock.advance(MINUTE);
    let page = asker.get(&format!("/clients/{lunch}/scopes")).await;
    send(&mut asker, &page, &withdraw, &[]).await;
    let answer = send(&mut owner, &shown, &approve, &[]).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "it is withdrawn");
    assert_says(&answer, &["There are no pending requests."]);
    ask(&mut asker, &read, lunch).await;
    let answer = send(&mut owner, &shown, &approve, &[]).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "it is another request");
    assert_eq!(approved().await, 0);

    let first = send(&mut owner, &answer, &approve, &[]).await;
    assert_eq!(first.status, StatusCode::SEE_OTHER);
    assert_eq!(approved().await, 1);
    let second = send(&mut owner, &answer, &approve, &[]).await;
    assert_eq!(second.status, StatusCode::CONFLICT, "it is approved");
}

/// Number of live grants that have a scope.
async fn live_grants(harness: &Harness, scope: &ScopeDefinition) -> u64 {
    let usage = harness.store.scope_usage(scope.id, START).await;
    usage.unwrap().unwrap().grants.live
}

/// Fails if existing grants keep a withdrawn scope.
#[tokio::test]
async fn withdrawing_says_what_the_client_loses_and_takes_it() {
    let harness = Harness::new().await;
    let (read, lunch) = wanted(&harness).await;
    let write = scope(
        &harness,
        2,
        &harness
            .store
            .application(read.scope.application)
            .await
            .unwrap()
            .unwrap(),
        "write",
    )
    .await;
    let _ = harness
        .store
        .approve_scope(read.id, lunch, START)
        .await
        .unwrap();
    live_grant(&harness, 1, lunch, &[&read, &write]).await;
    live_grant(&harness, 2, lunch, &[&write]).await;
    let withdraw = format!("{}/clients/{lunch}/withdraw", scope_path(&read));
    let mut owner = harness.browser_of(EMAIL).await;
    let preview = owner.get(&withdraw).await;
    assert_safe(&preview);
    assert_says(
        &preview,
        &[
            "Remove the scope from &#60;b&#62;Lunch?",
            "This affects 1 active connection.",
            "until you approve it again",
        ],
    );
    assert_eq!(
        live_grants(&harness, &read).await,
        1,
        "the preview changes nothing"
    );

    live_grant(&harness, 3, lunch, &[&read]).await;
    let again = send(&mut owner, &preview, &withdraw, &[]).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert_safe(&again);
    assert_says(
        &again,
        &[
            "has changed since you opened the page",
            "This affects 2 active connections.",
        ],
    );
    let answer = send(&mut owner, &again, &withdraw, &[]).await;
    let page = done(
        &mut owner,
        &answer,
        &format!("{}?done=scope-withdrawn", scope_path(&read)),
    )
    .await;
    assert_says(
        &page,
        &[
            "Scope removed from the client.",
            "No client uses this scope.",
        ],
    );
    assert_eq!(live_grants(&harness, &read).await, 0);
    assert_eq!(
        live_grants(&harness, &write).await,
        2,
        "the other scopes stay"
    );
    let gone = fill_in(&mut owner, &withdraw, &[]).await;
    assert_eq!(
        gone.status,
        StatusCode::NOT_FOUND,
        "there is no scope to withdraw"
    );
}

#[tokio::test]
async fn a_scope_without_approval_is_withdrawn_too_and_the_page_says_that_it_can_be_added_again() {
    let harness = Harness::new().await;
    let stranger = other(&harness).await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let read = scope(&harness, 1, &made, "read").await;
    let lunch = client(&harness, 1, &stranger, "Lunch", &[&read]).await;
    let mut owner = harness.browser_of(EMAIL).await;
    let withdraw = format!("{}/clients/{lunch}/withdraw", scope_path(&read));
    let preview = owner.get(&withdraw).await;
    assert_says(&preview, &["Its owner can add it again"]);
    assert!(
        !preview.body.contains("1 active connection"),
        "no grant is affected"
    );
    let answer = send(&mut owner, &preview, &withdraw, &[]).await;
    done(
        &mut owner,
        &answer,
        &format!("{}?done=scope-withdrawn", scope_path(&read)),
    )
    .await;
    assert!(
        harness
            .store
            .client(lunch)
            .await
            .unwrap()
            .unwrap()
            .allowed_scopes
            .is_empty()
    );
}

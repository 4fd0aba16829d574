use lyceum::domain::SigningAlgorithm;

use crate::deployment::{CALLBACK_OF_AUTHJS, Deployment, MountPoint};
use crate::prerequisites::Runtime;
use crate::script::{self, Method};

/// Steps that every client completes.
const STEPS: [&str; 6] = [
    "discovery",
    "code",
    "userinfo",
    "refresh",
    "introspection",
    "revocation",
];

/// Runs a script against a server at each location and with each algorithm, as a confidential client
/// with each authentication method and as a public one.
async fn complete(runtime: Runtime, name: &str, more: &[&str], with_a_secret: &[&str]) {
    if !runtime.can_run(name).await {
        return;
    }
    for (mount_point, algorithm) in [
        (MountPoint::Root, SigningAlgorithm::Rs256),
        (MountPoint::Nested, SigningAlgorithm::Es256),
    ] {
        let deployment = Deployment::start(mount_point, algorithm).await;
        for method in [Method::Basic, Method::Post, Method::None] {
            let mut completed = script::run(runtime.command(name), &deployment, method).await;
            let secret = if matches!(method, Method::None) {
                &[]
            } else {
                with_a_secret
            };
            let mut expected = [&STEPS[..], more, secret].concat();
            completed.sort_unstable();
            expected.sort_unstable();
            assert_eq!(completed, expected, "{name} at {mount_point:?}, {method:?}");
        }
    }
}

#[tokio::test]
async fn oauth4webapi_of_node_works_unchanged() {
    complete(
        Runtime::Node,
        "oauth4webapi.mjs",
        &["token"],
        &["client_credentials", "wrong secret"],
    )
    .await;
}

#[tokio::test]
async fn openid_client_of_node_works_unchanged() {
    complete(
        Runtime::Node,
        "openid-client.mjs",
        &[],
        &["client_credentials"],
    )
    .await;
}

#[tokio::test]
async fn authlib_of_python_works_unchanged() {
    complete(
        Runtime::Python,
        "authlib_client.py",
        &["token"],
        &["client_credentials"],
    )
    .await;
}

#[tokio::test]
async fn requests_oauthlib_of_python_works_unchanged() {
    complete(
        Runtime::Python,
        "requests_oauthlib_client.py",
        &[],
        &["client_credentials"],
    )
    .await;
}

/// Signs a user in to a site that uses Auth.js, at each location and with each authentication method,
/// and returns the steps completed each time. The clients are registered with or without
/// `issOmitted`.
async fn signed_in_by_authjs(arguments: &[&str], iss_omitted: bool) -> Option<Vec<Vec<String>>> {
    if !Runtime::Node.can_run("authjs.mjs").await {
        return None;
    }
    let mut completed = Vec::new();
    for mount_point in [MountPoint::Root, MountPoint::Nested] {
        let deployment = Deployment::start(mount_point, SigningAlgorithm::Es256).await;
        deployment.omit_iss(iss_omitted).await;
        for method in [Method::Basic, Method::Post, Method::None] {
            let mut command = Runtime::Node.command("authjs.mjs");
            command.args(arguments);
            completed.push(script::run_at(command, &deployment, method, CALLBACK_OF_AUTHJS).await);
        }
    }
    Some(completed)
}

#[tokio::test]
async fn auth_js_signs_users_in_where_its_provider_names_the_issuer() {
    let Some(completed) = signed_in_by_authjs(&[], false).await else {
        return;
    };
    assert_eq!(completed, vec![["code", "userinfo"]; 6]);
}

/// Fails if `iss` is no longer in the answer, which other clients need, or Auth.js no longer minds
/// it.
#[tokio::test]
async fn auth_js_refuses_our_issuer_where_its_provider_names_none() {
    let Some(completed) = signed_in_by_authjs(&["without-issuer"], false).await else {
        return;
    };
    assert_eq!(completed, vec![["iss refused"]; 6]);
}

/// Fails if `issOmitted` changes nothing for the clients for which it is there.
#[tokio::test]
async fn auth_js_signs_users_in_without_an_issuer_where_its_client_has_iss_omitted() {
    let Some(completed) = signed_in_by_authjs(&["without-issuer"], true).await else {
        return;
    };
    assert_eq!(completed, vec![["code", "userinfo"]; 6]);
}

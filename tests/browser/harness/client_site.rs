//! Web site of a client.

use std::future::pending;

use axum::Router;
use axum::routing::get;
use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use lyceum::http::serve;
use tokio::net::TcpListener;

pub async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    (listener, origin)
}

/// Starts the client's web site: a callback page, and a page whose scripts may call other origins.
/// Returns the callback URL.
pub(super) async fn client_site() -> String {
    const PAGE: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>The client</title><h1>Back at the client</h1></html>";
    let (listener, origin) = listen().await;
    let headers = |policy| {
        [
            (CONTENT_TYPE, "text/html"),
            (CONTENT_SECURITY_POLICY, policy),
        ]
    };
    let (closed, open) = (
        headers("default-src 'none'"),
        headers("default-src 'none'; connect-src *"),
    );
    let site = Router::new()
        .route("/callback", get(async move || (closed, PAGE)))
        .route("/app", get(async move || (open, PAGE)));
    drop(tokio::spawn(serve(
        listener,
        site.with_state(()),
        pending(),
    )));
    format!("{origin}/callback")
}

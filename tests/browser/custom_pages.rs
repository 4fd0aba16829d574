//! Custom pages of a host, with a logo.

use std::future::pending;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use http::header::CONTENT_TYPE;
use lyceum::AuthServer;
use lyceum::crypto::MasterKey;
use lyceum::domain::SigningAlgorithm;
use lyceum::http::{CustomPages, Page, serve};
use lyceum::store::memory::MemoryStore;
use serde_json::json;

use crate::browser::Browser;
use crate::harness::{listen, random};
use crate::prerequisites::needs_browser;

const LOGO: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#06c"/></svg>"##;

/// Shows a logo of its own origin, and images that must not be loaded.
#[derive(Debug)]
struct WithLogo;

impl CustomPages for WithLogo {
    fn html(&self, _: &Page) -> Option<String> {
        let images = [
            "/logo.svg",
            "http://127.0.0.1:1/logo.svg",
            "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
        ];
        let images: String = images
            .iter()
            .map(|image| format!(r#"<img src="{image}" alt="">"#))
            .collect();
        Some(format!(
            "<!doctype html><html lang=en><title>The school</title><h1>The school</h1>{images}</html>"
        ))
    }
}

/// Fails if a page cannot load its own images, or can load images of other origins.
#[tokio::test]
async fn a_page_of_a_host_shows_a_logo_of_its_own_origin_and_no_other_images() {
    needs_browser!();
    let (listener, origin) = listen().await;
    let server = AuthServer::builder(
        Arc::new(MemoryStore::new()),
        &format!("{origin}/auth"),
        MasterKey::from_bytes(random()),
    );
    let server = server
        .signing_algorithm(SigningAlgorithm::Es256)
        .pages(Arc::new(WithLogo))
        .build()
        .await
        .unwrap();
    let logo = get(async || ([(CONTENT_TYPE, "image/svg+xml")], LOGO));
    let host = Router::new()
        .route("/logo.svg", logo)
        .nest_service("/auth", server);
    drop(tokio::spawn(serve(
        listener,
        host.with_state(()),
        pending(),
    )));

    let browser = Browser::open().await;
    browser.go(&format!("{origin}/auth/v1/oauth/login")).await;
    assert_eq!(browser.text("h1").await, "The school");
    let shown = "return [...document.images].map(image => image.naturalWidth > 0)";
    assert_eq!(
        browser.run(shown, json!([])).await,
        json!([true, false, false])
    );
    let stopped = browser
        .run("return stopped.map(what => what.split(' ')[0])", json!([]))
        .await;
    assert_eq!(stopped, json!(["img-src", "img-src"]));
    // The browser must have reported both refused images.
    assert_eq!(browser.console_errors().await.len(), 2);
    browser.close().await;
}

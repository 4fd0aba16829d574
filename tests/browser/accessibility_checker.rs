//! Test of the checks: each of them must find its fault on a faulty page.

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use http::header::CONTENT_SECURITY_POLICY;
use lyceum::http::serve;
use tokio::net::TcpListener;

use crate::accessibility::faults;
use crate::browser::{Browser, Display};
use crate::prerequisites::needs_browser;

const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'self' 'unsafe-inline'";
const PAGE: &str = r#"<!doctype html><html><title> </title><style>:focus-visible { outline: none } p { color: #aaa; background: #fff }</style>
    <h1>One</h1><h1>Two</h1><p>Hardly to be read</p><input value="without a label"><input aria-label="x" size="4" placeholder="longer than its field"><div style="width: 2000px">wide</div>
    <a href="/" tabindex="-1">not reached</a><button>one</button><button tabindex="1">before it</button>
    <img src="/nowhere" onerror="alert(1)"><script>alert(2)</script></html>"#;

#[tokio::test]
async fn the_checker_reports_each_fault_of_a_page_with_every_fault() {
    needs_browser!();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let site = Router::new().route(
        "/",
        get(async || ([(CONTENT_SECURITY_POLICY, POLICY)], Html(PAGE))),
    );
    drop(tokio::spawn(serve(listener, site, std::future::pending())));
    let display = Display {
        width: 320,
        ..Display::WIDE
    };
    let browser = Browser::with_display(display).await;
    browser.go(&address).await;
    let found = faults(&browser, display).await.join("\n");
    for fault in [
        "its lang is \"\"",
        "it has no title",
        "it has 2 h1",
        "it scrolls sideways, 2",
        "its placeholder is cut in <input aria-label",
        "its policy stopped img-src",
        "a strange script ran: a dialog",
        "Tab does not reach <a href=\"/\"",
        "the focus is not seen on <button>one",
        "Tab goes back to <",
        "color-contrast: ",
        "html-has-lang: ",
        "document-title: ",
        "label: ",
        "landmark-one-main: ",
    ] {
        assert!(found.contains(fault), "{fault:?} is not found, but {found}");
    }
    assert!(
        browser
            .console_errors()
            .await
            .concat()
            .contains("Content Security Policy")
    );
    browser.close().await;
}

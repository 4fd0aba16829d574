//! Bytes of each page with its stylesheet, script and icons, and its first paint.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use crate::browser::{Browser, Display};
use crate::harness::*;
use crate::page_list::{Way, Who, pages_of};
use crate::prerequisites::needs_browser;

/// Bytes of a page with all that it loads, with headers and as transferred.
const LIMIT: u64 = 60 * 1024;

/// Fails if a page or an asset grows, or is no longer compressed.
#[tokio::test]
async fn each_page_weighs_at_most_60_kib_with_its_assets() {
    needs_browser!();
    let harness = Harness::new().await;
    harness.connect().await;
    harness.use_key_for_a_month().await;
    let browser = Browser::with_network_log(Display::WIDE).await;
    let mut measured = Vec::new();
    for (who, email) in [
        (Who::Nobody, None),
        (Who::Owner, Some(EMAIL)),
        (Who::Administrator, Some(ADMIN)),
    ] {
        browser.clear_cookies().await;
        if let Some(email) = email {
            harness.enter(&browser, email, "/").await;
        }
        for (way, path) in pages_of(who) {
            if let Way::Open = way {
                let url = harness.console(&harness.filled(path));
                measured.push(measure(&browser, path, &url).await);
            }
        }
    }
    browser.clear_cookies().await;
    let url = harness.authorize_all();
    measured.push(measure(&browser, "sign-in for an app", &url).await);
    harness.ask(&browser, EMAIL).await;
    let url = harness.auth("/consent");
    measured.push(measure(&browser, "consent", &url).await);
    for path in ["/v1/docs", "/v1/docs/ko"] {
        let url = format!("{}{path}", harness.origin);
        measured.push(measure(&browser, path, &url).await);
    }
    // What the browser takes for a JSON response.
    let bare = measure(&browser, "bare", &format!("{}/v1/nothing", harness.origin)).await;
    browser.close().await;

    measured.sort_by_key(|page| std::cmp::Reverse(page.bytes));
    write_table(&bare, &measured);
    let too_heavy = measured.iter().filter(|page| page.bytes > LIMIT);
    let faults: Vec<&str> = too_heavy.map(|page| page.line.as_str()).collect();
    assert!(
        faults.is_empty(),
        "over {LIMIT} bytes:\n{}",
        faults.join("\n")
    );
}

struct Measured {
    bytes: u64,
    /// Milliseconds to the first paint, of each load.
    paints: Vec<f64>,
    line: String,
}

/// Loads a page with an empty cache.
async fn measure(browser: &Browser, name: &str, url: &str) -> Measured {
    let (mut received, mut paints) = (Vec::new(), Vec::new());
    for _ in 0..loads() {
        browser.clear_cache().await;
        browser.transferred().await;
        browser.go(url).await;
        paints.push(browser.first_paint().await);
        received = browser.transferred().await;
    }
    paints.sort_by(f64::total_cmp);
    assert!(!received.is_empty(), "{name} was not loaded");
    let bytes = received.iter().map(|(_, bytes)| bytes).sum();
    let mut line = format!("{bytes} {name}:");
    for (url, bytes) in &received {
        let file = url.rsplit('/').next().unwrap_or_default();
        let file = file.split('?').next().unwrap_or_default();
        write!(line, " {bytes} {file}").unwrap();
    }
    Measured {
        bytes,
        paints,
        line,
    }
}

/// Writes what was measured to `target/browser/pages.txt`; `scripts/browser --pages` prints it. No
/// test depends on the time of a paint.
fn write_table(bare: &Measured, measured: &[Measured]) {
    let mut table = String::new();
    let mut all: Vec<f64> = measured
        .iter()
        .flat_map(|page| page.paints.clone())
        .collect();
    all.sort_by(f64::total_cmp);
    let span = |paints: &[f64]| {
        let (first, last) = (paints[0], paints[paints.len() - 1]);
        format!("{:.0} ({first:.0}–{last:.0})", paints[paints.len() / 2])
    };
    writeln!(
        table,
        "First paint in ms, median (min–max) of {} loads of {} pages: {}",
        all.len(),
        measured.len(),
        span(&all)
    )
    .unwrap();
    let within = measured
        .iter()
        .filter(|page| page.paints[page.paints.len() / 2] <= 100.0);
    writeln!(
        table,
        "{} pages within 100 ms; a JSON answer of {} bytes without a page: {}",
        within.count(),
        bare.bytes,
        span(&bare.paints)
    )
    .unwrap();
    writeln!(
        table,
        "Per page: first paint in ms, bytes, page: bytes of each file"
    )
    .unwrap();
    for page in measured {
        writeln!(table, "{} {}", span(&page.paints), page.line).unwrap();
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/browser");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("pages.txt"), table).unwrap();
}

/// Number of loads of each page.
#[allow(
    clippy::disallowed_methods,
    reason = "the environment of the tests, not of the library"
)]
fn loads() -> usize {
    let loads = env::var("LYCEUM_LOADS")
        .ok()
        .and_then(|loads| loads.parse().ok());
    loads.unwrap_or(1).max(1)
}

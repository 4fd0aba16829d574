//! Pictures of twelve pages, compared with those that were accepted.
//!
//! `snapshots.txt` has the average colour of each square of [`CELL`] pixels. It is compared where
//! Chromium's major version and the packages of the fonts are those in its first lines; elsewhere
//! the test says that it compares nothing. `scripts/browser --snapshots` writes the file anew.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::{env, fs};

use base64ct::{Base64, Encoding};
use lyceum::domain::Timestamp;
use lyceum::testing::SeededEntropy;
use serde_json::{Value, json};

use crate::browser::{Browser, Display};
use crate::harness::*;
use crate::prerequisites::needs_browser;
use crate::report::report;

/// Width and height of a cell, in pixels.
const CELL: u32 = 32;

/// Difference of a cell's colour that is tolerated, for each of red, green and blue of 255.
const TOLERANCE: u8 = 4;

/// Cells of a picture that may differ more, in thousandths: ports are not always the same.
const DIFFERENT: usize = 1;

/// Noon at the school, on a Wednesday of the first term's last weeks.
const NOW: i64 = 1_795_575_600;

const DARK_PHONE: Display = Display {
    is_dark: true,
    ..Display::USUAL_PHONE
};

/// Console pages with their name, user and display; nobody is signed in without a user.
const PAGES: &[(&str, &str, Display, &str)] = &[
    ("sign-in", "", Display::KOREAN, "/sign-in"),
    ("home-student", EMAIL, Display::KOREAN, "/"),
    ("home-student-dark-phone", EMAIL, DARK_PHONE, "/"),
    ("key", EMAIL, Display::WIDE, "/keys/{key}"),
    ("keys", EMAIL, Display::KOREAN, "/keys"),
    ("students", EMAIL, Display::WIDE, "/data/students"),
    ("students-dark-phone", EMAIL, DARK_PHONE, "/data/students"),
    ("week", EMAIL, Display::KOREAN, "/week"),
    ("month", EMAIL, Display::WIDE, "/month"),
    ("client", EMAIL, Display::KOREAN, "/clients/{client}"),
    ("home-administrator", ADMIN, Display::WIDE, "/"),
    ("waiting", ADMIN, Display::WIDE, "/admin/waiting"),
    ("audit", ADMIN, Display::KOREAN, "/admin/audit"),
];

/// Reduces the picture to rows of average colours, such as `ffffff`.
const AVERAGES_SCRIPT: &str = r#"
    const [data, cell, done] = arguments;
    const image = new Image();
    image.src = "data:image/png;base64," + data;
    image.decode().then(() => {
      const { width, height } = image;
      const canvas = Object.assign(document.createElement("canvas"), { width, height }), context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const pixels = context.getImageData(0, 0, width, height).data, rows = [];
      for (let top = 0; top < height; top += cell) {
        const row = [];
        for (let left = 0; left < width; left += cell) {
          const sums = [0, 0, 0];
          let count = 0;
          for (let y = top; y < Math.min(top + cell, height); y++)
            for (let x = left; x < Math.min(left + cell, width); x++, count++)
              for (const part of [0, 1, 2]) sums[part] += pixels[(y * width + x) * 4 + part];
          row.push(sums.map(sum => Math.round(sum / count).toString(16).padStart(2, "0")).join(""));
        }
        rows.push(row);
      }
      done(rows);
    });"#;

/// Rows of colours.
type Grid = Vec<Vec<[u8; 3]>>;

/// Fails if a colour, a size or the place of something changes.
#[tokio::test]
async fn twelve_pages_look_as_accepted() {
    needs_browser!();
    let browser = Browser::open().await;
    let made_with = format!("{}\n{}", chromium(&browser).await, fonts());
    let is_written = is_written();
    let accepted = fs::read_to_string(file()).unwrap_or_default();
    if !is_written && !accepted.starts_with(&format!("{made_with}\n")) {
        let pinned: Vec<&str> = accepted.lines().take(2).collect();
        report(
            "SKIPPED, no snapshot is compared",
            format!(
                "they are of {}, and here is {}",
                pinned.join(", "),
                made_with.replace('\n', ", ")
            ),
        );
        browser.close().await;
        return;
    }

    let (mut written, mut faults) = (format!("{made_with}\n"), Vec::new());
    for (name, picture) in pictures(&browser).await {
        let rows = averages(&browser, &picture).await;
        write!(written, "\n{name}\n{}", to_text(&rows)).unwrap();
        if !is_written && let Some(fault) = fault(grid_of(&accepted, name).as_ref(), &rows) {
            let path = folder().join(name).with_extension("png");
            fs::write(&path, picture).unwrap();
            faults.push(format!("{name}, see {}: {fault}", path.display()));
        }
    }
    browser.close().await;
    if is_written {
        fs::write(file(), written).unwrap();
    }
    assert!(
        faults.is_empty(),
        "{}\nscripts/browser --snapshots accepts how the pages look now",
        faults.join("\n")
    );
}

/// Fails if the comparison overlooks a button of another colour, or sees a difference that nobody
/// does.
#[test]
fn the_comparison_sees_a_button_and_no_rounding() {
    let white: Grid = vec![vec![[255; 3]; 40]; 25];
    let (mut button, mut rounded) = (white.clone(), white.clone());
    for cell in &mut button[4][10..14] {
        *cell = [255, 240, 255];
    }
    for row in &mut rounded {
        row.fill([252, 255, 254]);
    }
    assert_eq!(
        grid_of(&format!("\npage\n{}", to_text(&button)), "page"),
        Some(button.clone())
    );
    assert_eq!(fault(Some(&white), &rounded), None);
    let told = fault(Some(&white), &button).unwrap();
    assert!(
        told.starts_with("4 of 1000 cells") && told.contains("column 10, row 4"),
        "{told}"
    );
    assert!(fault(None, &white).is_some());
    assert!(fault(Some(&white), &white[1..].to_vec()).is_some());
}

/// Screenshots of the pages, of a school whose ids and time are always the same.
async fn pictures(browser: &Browser) -> Vec<(&'static str, Vec<u8>)> {
    let harness = Harness::with_settings(Settings {
        names: SCHOOL,
        now: Timestamp::from_seconds(NOW),
        entropy: Arc::new(SeededEntropy::new(7)),
        callback: Some("https://clubs.example/callback"),
    })
    .await;
    harness.connect().await;
    harness.use_key_for_a_month().await;
    // The browser has the school's time, too.
    let clock = format!("Date.now = () => {NOW}000");
    let clock = browser
        .devtools(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": clock }),
        )
        .await;

    // The scrollbars of a phone fade away after a while.
    browser.hide_scrollbars(true).await;
    let mut pictures = Vec::new();
    browser.set_display(Display::KOREAN).await;
    browser.go(&harness.authorize_all()).await;
    harness.sign_in(browser, EMAIL).await;
    browser.wait_for("button[value=allow]").await;
    pictures.push(("consent", browser.exact_screenshot().await));
    let mut signed_in = EMAIL;
    for (name, email, display, path) in PAGES {
        browser.set_display(*display).await;
        if *email != signed_in {
            browser.clear_cookies().await;
            if !email.is_empty() {
                harness.enter(browser, email, "/").await;
            }
            signed_in = email;
        }
        assert!(harness.trail.flush().await);
        browser.go(&harness.console(&harness.filled(path))).await;
        browser.first_paint().await;
        pictures.push((name, browser.exact_screenshot().await));
    }
    browser.hide_scrollbars(false).await;
    browser
        .devtools("Page.removeScriptToEvaluateOnNewDocument", clock)
        .await;
    pictures
}

async fn averages(browser: &Browser, picture: &[u8]) -> Grid {
    browser.go("about:blank").await;
    let rows = browser
        .run_long(
            AVERAGES_SCRIPT,
            json!([Base64::encode_string(picture), CELL]),
        )
        .await;
    let row = |row: &Value| {
        let cells = row.as_array().unwrap().iter();
        cells.map(|cell| colour(cell.as_str().unwrap())).collect()
    };
    rows.as_array().unwrap().iter().map(row).collect()
}

/// The difference that is not tolerated.
fn fault(accepted: Option<&Grid>, rows: &Grid) -> Option<String> {
    let Some(accepted) = accepted else {
        return Some("it has no snapshot".to_owned());
    };
    let size = |grid: &Grid| (grid.len(), grid.first().map_or(0, Vec::len));
    if size(accepted) != size(rows) {
        return Some(format!(
            "{:?} rows and columns, not {:?}",
            size(rows),
            size(accepted)
        ));
    }
    let mut different = Vec::new();
    for (row, (before, now)) in accepted.iter().zip(rows).enumerate() {
        for (column, (before, now)) in before.iter().zip(now).enumerate() {
            if before
                .iter()
                .zip(now)
                .any(|(before, now)| before.abs_diff(*now) > TOLERANCE)
            {
                let (before, now) = (hex(*before), hex(*now));
                different.push(format!("column {column}, row {row}: {now}, not {before}"));
            }
        }
    }
    let cells = size(rows).0 * size(rows).1;
    (different.len() * 1000 > cells * DIFFERENT).then(|| {
        let shown = different.len().min(12);
        format!(
            "{} of {cells} cells of {CELL} pixels differ\n  {}",
            different.len(),
            different[..shown].join("\n  ")
        )
    })
}

/// One line for each row; `ffffff*3` are three cells.
fn to_text(rows: &Grid) -> String {
    let mut text = String::new();
    for row in rows {
        let runs: Vec<String> = row
            .chunk_by(|one, next| one == next)
            .map(|run| match run.len() {
                1 => hex(run[0]),
                length => format!("{}*{length}", hex(run[0])),
            })
            .collect();
        writeln!(text, "{}", runs.join(" ")).unwrap();
    }
    text
}

/// The picture of this name in the file.
fn grid_of(text: &str, name: &str) -> Option<Grid> {
    let cells = |run: &str| {
        let (cell, length) = run.split_once('*').unwrap_or((run, "1"));
        vec![colour(cell); length.parse().unwrap()]
    };
    let (_, rest) = text
        .split_once(&format!("\n\n{name}\n"))
        .or_else(|| text.split_once(&format!("\n{name}\n")))?;
    let lines = rest.lines().take_while(|line| !line.is_empty());
    Some(
        lines
            .map(|line| line.split(' ').flat_map(cells).collect())
            .collect(),
    )
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("{red:02x}{green:02x}{blue:02x}")
}

fn colour(hex: &str) -> [u8; 3] {
    [0, 2, 4].map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
}

/// Major version of the browser.
async fn chromium(browser: &Browser) -> String {
    let version = browser.devtools("Browser.getVersion", json!({})).await;
    let product = version["product"].as_str().unwrap();
    let number = product.split('/').nth(1).unwrap();
    format!("chromium {}", number.split('.').next().unwrap())
}

/// Packages of the fonts of pages, with their versions.
fn fonts() -> String {
    let mut packages = BTreeSet::new();
    for family in ["sans-serif", "sans-serif:lang=ko", "monospace"] {
        let file = said("fc-match", &["--format=%{file}", family]);
        let owner = said("dpkg-query", &["--search", &file]);
        let package = owner.split(':').next().unwrap_or_default();
        let format = "--showformat=${Package} ${Version}";
        packages.insert(said("dpkg-query", &["--show", format, package]));
    }
    let packages: Vec<String> = packages.into_iter().collect();
    format!("fonts {}", packages.join(", "))
}

/// What a program of the system says, or that there is no answer.
fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => "unknown".to_owned(),
    }
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/snapshots.txt")
}

/// Folder for pictures that differ.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/browser");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Whether the snapshots are written anew.
#[allow(
    clippy::disallowed_methods,
    reason = "the environment of the tests, not of the library"
)]
fn is_written() -> bool {
    env::var_os("LYCEUM_SNAPSHOTS").is_some()
}

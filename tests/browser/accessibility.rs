//! Checks of every page: structure, keyboard access and axe-core.

use serde_json::{Value, json};

use crate::browser::{Browser, Display};
use crate::prerequisites::axe;

/// Rule sets of axe-core: WCAG 2.2 A and AA, and best practices.
const TAGS: [&str; 6] = [
    "wcag2a",
    "wcag2aa",
    "wcag21a",
    "wcag21aa",
    "wcag22aa",
    "best-practice",
];

/// Rules of axe-core that depend on colours.
const COLOUR_RULES: [&str; 2] = ["color-contrast", "link-in-text-block"];

/// Checks other than axe-core's. Returns one line per fault with its kind and place.
const STRUCTURE_SCRIPT: &str = r#"
    const [language, width] = arguments, faults = [], root = document.documentElement;
    const named = element => element.outerHTML.replace(/\s+/g, " ").slice(0, 120);
    if (root.lang !== language) faults.push(`its lang is "${root.lang}"`);
    if (!document.title.trim()) faults.push("it has no title");
    const headings = [...document.querySelectorAll("h1")];
    if (headings.length !== 1 || !headings[0].innerText.trim()) faults.push(`it has ${headings.length} h1, or an empty one`);
    if (root.scrollWidth > width) {
      const wide = [...document.body.querySelectorAll("*")].filter(element => element.getBoundingClientRect().right > width + 0.5);
      faults.push(`it scrolls sideways, ${root.scrollWidth} > ${width}: ${wide.slice(0, 3).map(named).join(", ")}`);
    }
    for (const field of document.querySelectorAll("input[placeholder]")) {
      const style = getComputedStyle(field), pen = document.createElement("canvas").getContext("2d"), arrow = field.list ? 24 : 0;
      pen.font = style.font;
      const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
      if (field.checkVisibility() && pen.measureText(field.placeholder).width > room) faults.push(`its placeholder is cut in ${named(field)}`);
    }
    for (const what of window.stopped ?? []) faults.push(`its policy stopped ${what}`);
    if (window.wasRun) faults.push(`a strange script ran: ${window.wasRun}`);
    return faults;"#;

/// Numbers the elements that Tab must reach, and records those reached and whether the focus shows.
const TAB_STOPS_SCRIPT: &str = r#"
    const all = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
    const first = radio => [...document.getElementsByName(radio.name)].find(one => one.checked) ?? document.getElementsByName(radio.name)[0];
    window.stops = [...document.querySelectorAll(all)].filter(element =>
      !element.disabled && element.checkVisibility({ visibilityProperty: true }) && (element.type !== "radio" || first(element) === element));
    window.reached = [];
    document.addEventListener("focusin", event => {
      const at = stops.indexOf(event.target);
      if (at < 0 || reached.some(one => one.at === at)) return;
      const rings = [event.target, ...(event.target.labels ?? [])].map(element => getComputedStyle(element));
      const isSeen = rings.some(ring => ring.outlineStyle !== "none" && parseFloat(ring.outlineWidth) > 0);
      reached.push({ at, isSeen });
    });
    // A page that has moved the focus is read from there to its end, and then from its beginning.
    window.isInside = document.activeElement !== document.body;
    document.activeElement?.blur();
    return stops.length;"#;

const ARE_ALL_REACHED_SCRIPT: &str = "return reached.length === stops.length;";

const FOCUS_ORDER_SCRIPT: &str = r#"
    const named = at => stops[at].outerHTML.replace(/\s+/g, " ").slice(0, 120), faults = [];
    stops.forEach((_, at) => { if (!reached.some(one => one.at === at)) faults.push(`Tab does not reach ${named(at)}`); });
    const first = isInside ? reached.findIndex(one => one.at === Math.min(...reached.map(each => each.at))) : 0;
    reached.push(...reached.splice(0, Math.max(first, 0)));
    reached.forEach((one, n) => {
      if (!one.isSeen) faults.push(`the focus is not seen on ${named(one.at)}`);
      if (n && one.at < reached[n - 1].at) faults.push(`Tab goes back to ${named(one.at)}`);
    });
    document.activeElement?.blur();
    return faults;"#;

const AXE_SCRIPT: &str = r#"
    const done = arguments[arguments.length - 1], told = node => `    ${node.target.join(" ")}\n      ${node.failureSummary.replace(/\s*\n\s*/g, " ")}`;
    axe.run(document, { runOnly: arguments[0], resultTypes: ["violations"], preload: false }).then(
      found => done(found.violations.map(rule => `${rule.id}: ${rule.help}\n${rule.nodes.map(told).join("\n")}`)),
      error => done([`axe-core failed: ${error}`]));"#;

/// Script that defines `loadAxe`, which defines `axe`. The browser keeps it, because to send half a
/// megabyte to each page takes as long as the page.
pub fn axe_loader() -> String {
    format!("window.loadAxe = () => {{\n{}\n}};", axe())
}

/// Faults of the page that the browser shows. In dark colours only what depends on colours is
/// looked for: each page is also examined in light ones.
pub async fn faults(browser: &Browser, display: Display) -> Vec<String> {
    let mut faults = structure_faults(browser, display).await;
    let rules = if display.is_dark {
        json!({ "type": "rule", "values": COLOUR_RULES })
    } else {
        faults.extend(keyboard_faults(browser).await);
        json!({ "type": "tag", "values": TAGS })
    };
    browser.run("loadAxe()", json!([])).await;
    faults.extend(texts(browser.run_long(AXE_SCRIPT, json!([rules])).await));
    faults
}

async fn keyboard_faults(browser: &Browser) -> Vec<String> {
    let stops = browser
        .run(TAB_STOPS_SCRIPT, json!([]))
        .await
        .as_u64()
        .unwrap();
    let press_tab = async |times: usize| browser.press(&"\u{e004}".repeat(times)).await;
    press_tab(stops as usize).await;
    // Scrollable areas are stops too, and are not numbered.
    if browser.run(ARE_ALL_REACHED_SCRIPT, json!([])).await == false {
        press_tab(12).await;
    }
    texts(browser.run(FOCUS_ORDER_SCRIPT, json!([])).await)
}

/// Fails if the page has a fault; `page` is its name in the message.
pub async fn examine(browser: &Browser, display: Display, page: &str) {
    assert_none(faults(browser, display).await, browser, display, page).await;
}

/// The same without keyboard and axe-core, which take most of the time; for a page that was
/// examined with other texts.
pub async fn examine_structure(browser: &Browser, display: Display, page: &str) {
    assert_none(
        structure_faults(browser, display).await,
        browser,
        display,
        page,
    )
    .await;
}

async fn structure_faults(browser: &Browser, display: Display) -> Vec<String> {
    texts(
        browser
            .run(STRUCTURE_SCRIPT, json!([display.language, display.width]))
            .await,
    )
}

async fn assert_none(faults: Vec<String>, browser: &Browser, display: Display, page: &str) {
    assert!(
        faults.is_empty(),
        "{page} ({}), looked at as {display:?}:\n  {}",
        browser.address().await,
        faults.join("\n  ")
    );
}

fn texts(value: Value) -> Vec<String> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

//! What is looked at on every page, whatever it says.

use serde_json::{Value, json};

use crate::browser::{Browser, Look};
use crate::installed::axe;

/// What axe-core looks for: WCAG 2.2 A and AA, and what its makers hold good besides.
const TAGS: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/// Everything but axe-core's: of each fault one line that says what it is and where.
const PLAIN: &str = r#"
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
    for (const what of window.stopped ?? []) faults.push(`its policy stopped ${what}`);
    if (window.wasRun) faults.push(`a strange script ran: ${window.wasRun}`);
    return faults;"#;

/// Numbers what can be reached by Tab, and notes what is and whether it looks so.
const STOPS: &str = r#"
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
    document.activeElement?.blur();
    return stops.length;"#;

const REACHED: &str = r#"
    const named = at => stops[at].outerHTML.replace(/\s+/g, " ").slice(0, 120), faults = [];
    stops.forEach((_, at) => { if (!reached.some(one => one.at === at)) faults.push(`Tab does not reach ${named(at)}`); });
    reached.forEach((one, n) => {
      if (!one.isSeen) faults.push(`the focus is not seen on ${named(one.at)}`);
      if (n && one.at < reached[n - 1].at) faults.push(`Tab goes back to ${named(one.at)}`);
    });
    document.activeElement?.blur();
    return faults;"#;

const AXE: &str = r#"
    const done = arguments[arguments.length - 1], told = node => `    ${node.target.join(" ")}\n      ${node.failureSummary.replace(/\s*\n\s*/g, " ")}`;
    axe.run(document, { runOnly: { type: "tag", values: arguments[0] }, resultTypes: ["violations"], preload: false }).then(
      found => done(found.violations.map(rule => `${rule.id}: ${rule.help}\n${rule.nodes.map(told).join("\n")}`)),
      error => done([`axe-core failed: ${error}`]));"#;

/// What is wrong with the page that the browser shows.
pub async fn faults(browser: &Browser, look: Look) -> Vec<String> {
    let mut faults = plain_faults(browser, look).await;
    let stops = browser.run(STOPS, json!([])).await.as_u64().unwrap();
    // More than once around: what scrolls is a stop of its own.
    browser.press(&"\u{e004}".repeat(stops as usize + 12)).await;
    faults.extend(texts(browser.run(REACHED, json!([])).await));
    browser.run(axe(), json!([])).await;
    faults.extend(texts(browser.run_long(AXE, json!([TAGS])).await));
    faults
}

/// Fails on anything that is wrong with the page, under the name that it has here.
pub async fn examine(browser: &Browser, look: Look, page: &str) {
    assert_none(faults(browser, look).await, browser, look, page).await;
}

/// The same without the keyboard and axe-core, which take most of the time: for the same page with other texts.
pub async fn glance(browser: &Browser, look: Look, page: &str) {
    assert_none(plain_faults(browser, look).await, browser, look, page).await;
}

async fn plain_faults(browser: &Browser, look: Look) -> Vec<String> {
    texts(browser.run(PLAIN, json!([look.language, look.width])).await)
}

async fn assert_none(faults: Vec<String>, browser: &Browser, look: Look, page: &str) {
    assert!(faults.is_empty(), "{page} ({}), looked at as {look:?}:\n  {}", browser.address().await, faults.join("\n  "));
}

fn texts(value: Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

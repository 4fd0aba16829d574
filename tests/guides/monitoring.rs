//! The alerts of Prometheus and the dashboard of Grafana, in `docs/monitoring/`.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use lyceum::metrics::{ALL, MetricKind};
use serde_json::Value;

use crate::postgres_server::skip::skips;
use crate::{OPERATIONS, block};

const ALERTS: &str = include_str!("../../docs/monitoring/alerts.yml");
const ALERT_TESTS: &str = include_str!("../../docs/monitoring/alerts_test.yml");
const DASHBOARD: &str = include_str!("../../docs/monitoring/dashboard.json");
/// Declares the methods of the store that expressions name.
const API_KEY_STORE: &str = include_str!("../../src/store/api_keys.rs");

/// Labels that Prometheus adds to every series that it scrapes.
const SCRAPE_LABELS: [&str; 2] = ["job", "instance"];

/// Environment variable that skips the tests with promtool if it is 1.
const SKIP_VARIABLE: &str = "SKIP_PROMTOOL";

const MISSING: &str = "This test needs promtool of Prometheus, which is not in PATH. Install it (Debian and Ubuntu: apt-get install \
    prometheus; macOS: brew install prometheus), or set SKIP_PROMTOOL=1 to do without it.";

/// An alert of the rules file.
struct Alert {
    name: &'static str,
    expression: String,
    severity: String,
    summary: String,
    description: String,
    runbook: String,
}

fn alerts() -> Vec<Alert> {
    let alerts = ALERTS.split("      - alert: ").skip(1).map(|text| {
        let name = text.lines().next().unwrap();
        let value = |key: &str| {
            let mut lines = text
                .lines()
                .skip_while(|line| !line.trim_start().starts_with(&format!("{key}: ")));
            let first = lines
                .next()
                .unwrap_or_else(|| panic!("{name} has no {key}"));
            let value = first.split_once(": ").unwrap().1;
            if value != "|" {
                return value.trim_matches('"').to_owned();
            }
            let deeper = lines.take_while(|line| line.starts_with("          "));
            deeper.collect::<Vec<_>>().join("\n")
        };
        Alert {
            name,
            expression: value("expr"),
            severity: value("severity"),
            summary: value("summary"),
            description: value("description"),
            runbook: value("runbook"),
        }
    });
    alerts.collect()
}

/// A series that an expression selects: its name, and the labels and values of its matchers.
#[derive(Debug)]
struct Selector<'t> {
    name: &'t str,
    matchers: Vec<(&'t str, &'t str)>,
}

/// An expression of PromQL: the series that it selects, and the labels by which it groups them.
#[derive(Debug, Default)]
struct Expression<'t> {
    selectors: Vec<Selector<'t>>,
    grouping: Vec<&'t str>,
}

/// Splits an expression into words, strings and signs.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |character: char| character.is_ascii_alphanumeric() || "_:.".contains(character);
    let (mut tokens, mut rest) = (Vec::new(), text.trim_start());
    while !rest.is_empty() {
        let length = if let Some(string) = rest.strip_prefix('"') {
            string.find('"').unwrap() + 2
        } else {
            rest.find(|character: char| !is_word(character))
                .unwrap_or(rest.len())
                .max(1)
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

/// Reads an expression. Every word that is no operator, function, grouping label or number is the
/// name of a series.
fn expression(text: &str) -> Expression<'_> {
    let (tokens, mut read) = (tokens(text), Expression::default());
    let mut position = 0;
    while let Some(&token) = tokens.get(position) {
        let next = tokens.get(position + 1).copied();
        position += 1;
        let list = |end: &str| {
            let inside = tokens[position + 1..].iter().copied();
            inside.take_while(|token| *token != end).collect::<Vec<_>>()
        };
        match token {
            "by" | "on" => {
                let labels = list(")");
                position += labels.len() + 2;
                read.grouping
                    .extend(labels.into_iter().filter(|token| *token != ","));
            }
            "and" | "or" | "unless" => {}
            "offset" => position += 1,
            _ if !token.starts_with(|first: char| first.is_ascii_alphabetic()) => {}
            _ if matches!(next, Some("(" | "by")) => {}
            name => {
                let inside = if next == Some("{") {
                    list("}")
                } else {
                    Vec::new()
                };
                if next == Some("{") {
                    position += inside.len() + 2;
                }
                let matchers = inside.split(|token| *token == ",").filter_map(|matcher| {
                    let (label, value) = (matcher.first()?, matcher.last()?);
                    Some((*label, value.trim_matches('"')))
                });
                read.selectors.push(Selector {
                    name,
                    matchers: matchers.collect(),
                });
            }
        }
    }
    read
}

/// Returns the metric of the library that a series belongs to, and the labels of the series. A
/// histogram is exported as `_bucket`, `_sum` and `_count`.
fn series(name: &str) -> (Option<&'static str>, BTreeSet<&'static str>) {
    match name {
        "up" => return (None, SCRAPE_LABELS.into()),
        "ALERTS" => return (None, ["alertname", "alertstate"].into()),
        _ => {}
    }
    let metric = ALL
        .iter()
        .find(|metric| {
            let suffixes: &[&str] = match metric.kind {
                MetricKind::Histogram => &["_bucket", "_sum", "_count"],
                MetricKind::Counter | MetricKind::Gauge => &[""],
            };
            suffixes
                .iter()
                .any(|suffix| name.strip_suffix(*suffix) == Some(metric.name))
        })
        .unwrap_or_else(|| panic!("no metric is exported as {name}"));
    let le = name.ends_with("_bucket").then_some("le");
    let labels = metric.labels.iter().copied().chain(SCRAPE_LABELS).chain(le);
    (Some(metric.name), labels.collect())
}

/// Whether a label can have the value, by operations.md or the trait of the store.
fn is_documented(label: &str, value: &str) -> bool {
    match label {
        "job" | "instance" | "alertname" | "alertstate" | "le" => true,
        "status" => {
            value.len() == 3
                && value
                    .bytes()
                    .all(|byte| byte == b'.' || byte.is_ascii_digit())
        }
        "method" => API_KEY_STORE.contains(&format!("async fn {value}(")),
        _ => OPERATIONS.contains(&format!("`{value}`")),
    }
}

/// Asserts that the series, labels and values of an expression exist. Returns its metrics and the
/// labels that its result can have.
fn check(text: &str) -> (BTreeSet<&'static str>, BTreeSet<&'static str>) {
    let read = expression(text);
    assert!(!read.selectors.is_empty(), "{text} selects nothing");
    let (mut metrics, mut labels) = (BTreeSet::new(), BTreeSet::new());
    for selector in &read.selectors {
        let (metric, allowed) = series(selector.name);
        for (label, values) in &selector.matchers {
            assert!(
                allowed.contains(label),
                "{} has no label {label}: {text}",
                selector.name
            );
            for value in values.split('|') {
                assert!(is_documented(label, value), "no {label} is {value}: {text}");
            }
        }
        metrics.extend(metric);
        labels.extend(allowed);
    }
    for label in &read.grouping {
        assert!(labels.contains(label), "no series has {label}: {text}");
    }
    if !read.grouping.is_empty() {
        labels.retain(|label| read.grouping.contains(label));
    }
    (metrics, labels)
}

/// Returns the words between `{{` and `}}`.
fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split("{{").skip(1);
    parts.map(|rest| rest.split("}}").next().unwrap().trim())
}

fn dashboard() -> Value {
    serde_json::from_str(DASHBOARD).unwrap()
}

/// Returns the panels with their queries. A row has none.
fn panels(dashboard: &Value) -> Vec<(&Value, Vec<&Value>)> {
    let panels = dashboard["panels"].as_array().unwrap().iter();
    panels
        .map(|panel| {
            let targets = panel["targets"].as_array().into_iter().flatten();
            (panel, targets.collect())
        })
        .collect()
}

/// Returns the expression of a query, with the variables of Grafana replaced.
fn without_variables(text: &str) -> String {
    let text = text
        .replace("$__rate_interval", "5m")
        .replace("$job", ".*")
        .replace("$instance", ".*");
    assert!(!text.contains('$'), "{text} has an unknown variable");
    text
}

/// Fails if a metric, a label or a value in a rule or a panel is misspelt: such an alert never fires.
#[test]
fn every_metric_label_and_value_of_the_alerts_and_the_dashboard_exists() {
    for alert in alerts() {
        check(&alert.expression);
    }
    let dashboard = dashboard();
    let mut shown = BTreeSet::new();
    for target in panels(&dashboard).into_iter().flat_map(|panel| panel.1) {
        let text = without_variables(target["expr"].as_str().unwrap());
        let (metrics, labels) = check(&text);
        shown.extend(metrics);
        for label in placeholders(target["legendFormat"].as_str().unwrap()) {
            assert!(labels.contains(label), "{label} is not in {text}");
        }
    }
    let known: BTreeSet<_> = ALL.iter().map(|metric| metric.name).collect();
    assert_eq!(shown, known, "the dashboard shows every metric");
    let variables = dashboard["templating"]["list"].as_array().unwrap();
    let queries = variables
        .iter()
        .filter(|variable| variable["type"] == "query");
    for query in queries {
        let text = query["query"]["query"].as_str().unwrap();
        let (values, label) = text
            .strip_prefix("label_values(")
            .and_then(|text| text.strip_suffix(')'))
            .and_then(|text| text.rsplit_once(", "))
            .unwrap();
        assert!(check(&without_variables(values)).1.contains(label));
    }
}

/// Fails if an alert has no test, if its test has no quiet series of the same metrics, or if a text
/// names a label that the alert does not have.
#[test]
fn every_alert_has_series_that_fire_it_and_series_near_them_that_do_not() {
    let tests: Vec<_> = ALERT_TESTS.split("  - name: ").skip(1).collect();
    let alerts = alerts();
    assert_eq!(
        tests
            .iter()
            .map(|test| test.lines().next().unwrap())
            .collect::<Vec<_>>(),
        alerts.iter().map(|alert| alert.name).collect::<Vec<_>>()
    );
    for (alert, test) in alerts.iter().zip(tests) {
        let name = alert.name;
        let values = |key: &str| {
            let lines = test
                .lines()
                .map(|line| line.trim().trim_start_matches("- "));
            let values = lines.filter_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
            values.collect::<Vec<_>>()
        };
        let (mut firing, mut quiet) = (BTreeSet::new(), BTreeSet::new());
        for text in values("series") {
            check(text);
            let read = expression(text);
            let selector = &read.selectors[0];
            let labels: BTreeSet<_> = selector.matchers.iter().map(|(label, _)| *label).collect();
            assert_eq!(
                labels,
                series(selector.name).1,
                "{text} is not as it is exported"
            );
            if text.contains("=\"fires") {
                firing.insert(selector.name.to_owned());
            }
            if text.contains("=\"quiet") {
                quiet.insert(selector.name.to_owned());
            }
        }
        assert!(!firing.is_empty(), "{name} has no series that fires it");
        assert!(
            quiet.is_superset(&firing),
            "{name} has no quiet series of {firing:?}"
        );
        assert_eq!(values("expr"), ["ALERTS{alertstate=\"firing\"}"], "{name}");
        let fired = values("labels");
        assert!(!fired.is_empty(), "{name} fires nowhere");
        for sample in fired {
            for needed in [
                &*format!("alertname=\"{name}\""),
                &*format!("severity=\"{}\"", alert.severity),
                "=\"fires",
            ] {
                assert!(sample.contains(needed), "{sample} lacks {needed}");
            }
            assert!(!sample.contains("=\"quiet"), "{sample}");
            for word in placeholders(&format!("{}{}", alert.summary, alert.description)) {
                let has_it = match word.strip_prefix("$labels.") {
                    Some(label) => sample.contains(&format!("{label}=\"")),
                    None => ["$value", "$value | humanizeDuration"].contains(&word),
                };
                assert!(has_it, "{name} has no {word}");
            }
        }
    }
}

/// Fails if an alert is not in the table, if the table has another one, or if they differ.
#[test]
fn the_table_of_alerts_is_that_of_the_rules() {
    let table = OPERATIONS
        .split("| Alert | Severity | What to do | More |\n")
        .nth(1)
        .unwrap();
    let rows: Vec<_> = table
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .collect();
    let headings: Vec<_> = OPERATIONS
        .lines()
        .filter(|line| line.starts_with("##"))
        .map(|line| line.trim_start_matches('#').trim())
        .collect();
    let expected = alerts().into_iter().map(|alert| {
        let anchor = alert.runbook.strip_prefix("docs/operations.md#").unwrap();
        let heading = headings
            .iter()
            .find(|heading| heading.to_lowercase().replace(' ', "-") == anchor)
            .unwrap_or_else(|| panic!("{} leads nowhere", alert.runbook));
        format!(
            "| `{}` | {} | {} | [{heading}](#{anchor}) |",
            alert.name, alert.severity, alert.description
        )
    });
    let expected: Vec<_> = expected.collect();
    assert_eq!(rows, expected);
}

/// Fails if a panel reads a fixed data source, or covers another.
#[test]
fn every_panel_has_its_own_place_and_reads_the_chosen_data_source() {
    let dashboard = dashboard();
    let (mut ids, mut places) = (BTreeSet::new(), BTreeSet::new());
    for (panel, targets) in panels(&dashboard) {
        let title = &panel["title"];
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "{title}");
        let place = |side: &str| panel["gridPos"][side].as_u64().unwrap();
        for x in place("x")..place("x") + place("w") {
            for y in place("y")..place("y") + place("h") {
                assert!(x < 24 && places.insert((x, y)), "{title} covers another");
            }
        }
        let is_row = panel["type"] == "row";
        assert_eq!(targets.is_empty(), is_row, "{title}");
        let sources = targets.iter().map(|target| &target["datasource"]["uid"]);
        for source in sources.chain((!is_row).then_some(&panel["datasource"]["uid"])) {
            assert_eq!(source, "${datasource}", "{title}");
        }
    }
}

/// Whether this run skips tests with promtool. If so, says so on standard error.
fn skips_promtool() -> bool {
    skips(SKIP_VARIABLE, "the tests of this program with promtool")
}

fn monitoring() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/monitoring")
}

/// Runs promtool in a folder and returns its output.
///
/// # Panics
/// When promtool is not installed, and when it reports an error.
fn promtool(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("promtool")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| match error.kind() {
            ErrorKind::NotFound => panic!("{MISSING}"),
            _ => panic!("promtool: {error}"),
        });
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(output.status.success(), "promtool {arguments:?}: {text}");
    text
}

/// Fails if the rules file has an alert that these tests do not read, or a threshold is moved.
#[test]
fn promtool_accepts_the_rules_and_each_alert_fires_when_it_must_and_only_then() {
    if skips_promtool() {
        return;
    }
    let report = promtool(&monitoring(), &["check", "rules", "alerts.yml"]);
    let count = format!("SUCCESS: {} rules found", alerts().len());
    assert!(report.contains(&count), "{report}");
    promtool(&monitoring(), &["test", "rules", "alerts_test.yml"]);
}

/// Fails if an expression of a panel has an error of syntax or of types.
#[test]
fn promtool_parses_every_expression_of_the_dashboard() {
    if skips_promtool() {
        return;
    }
    let dashboard = dashboard();
    let targets = panels(&dashboard).into_iter().flat_map(|panel| panel.1);
    let rules: Vec<_> = targets
        .enumerate()
        .map(|(number, target)| {
            let text = without_variables(target["expr"].as_str().unwrap());
            serde_json::json!({ "record": format!("dashboard:{number}"), "expr": text })
        })
        .collect();
    // JSON is YAML, too.
    let file = serde_json::json!({ "groups": [{ "name": "dashboard", "rules": rules }] });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("dashboard.yml"), file.to_string()).unwrap();
    let report = promtool(folder.path(), &["check", "rules", "dashboard.yml"]);
    let count = format!("SUCCESS: {} rules found", rules.len());
    assert!(report.contains(&count), "{report}");
}

/// Fails if the documented configuration has an error, or does not name the rules file.
#[test]
fn promtool_accepts_the_configuration_on_the_page_and_finds_the_rules_by_it() {
    if skips_promtool() {
        return;
    }
    let configuration = block(OPERATIONS, "yaml", "rule_files");
    assert!(configuration.contains("job_name: lyceum"));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("prometheus.yml"), configuration).unwrap();
    std::fs::write(folder.path().join("alerts.yml"), ALERTS).unwrap();
    let report = promtool(folder.path(), &["check", "config", "prometheus.yml"]);
    assert!(report.contains("1 rule files found"), "{report}");
}

//! Captures everything that this process emits to `tracing` or `log`, at every level.

use std::fmt::{Debug, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// An event, a span, or fields added to a span.
#[derive(Debug, Clone)]
pub struct LogRecord {
    pub target: String,
    pub level: Level,
    pub is_event: bool,
    pub fields: Vec<(String, String)>,
}

impl LogRecord {
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| &**value)
    }
}

static RECORDS: Mutex<Vec<LogRecord>> = Mutex::new(Vec::new());

/// Starts the capture, in every thread of this process.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        tracing::subscriber::set_global_default(CapturingSubscriber::default()).unwrap();
        log::set_logger(&LogBridge).unwrap();
        log::set_max_level(log::LevelFilter::Trace);
    });
}

/// The records captured so far.
pub fn records() -> Vec<LogRecord> {
    RECORDS.lock().unwrap().clone()
}

/// All records as one text, except those that a test planted.
pub fn text_without(target: &str) -> String {
    let mut text = String::new();
    for line in records().into_iter().filter(|line| line.target != target) {
        writeln!(text, "{} {} {:?}", line.level, line.target, line.fields).unwrap();
        // Also without the escapes of `Debug`.
        line.fields
            .iter()
            .for_each(|(name, value)| writeln!(text, "{name}={value}").unwrap());
    }
    text
}

/// The events with this request id and a rule.
pub fn explanations(request_id: &str) -> Vec<LogRecord> {
    records()
        .into_iter()
        .filter(|line| {
            line.is_event
                && line.field("request_id") == Some(request_id)
                && line.field("rule").is_some()
        })
        .collect()
}

/// Captures records of the `log` crate, which the PostgreSQL driver emits.
struct LogBridge;

impl log::Log for LogBridge {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let fields = vec![("message".to_owned(), record.args().to_string())];
        RECORDS.lock().unwrap().push(LogRecord {
            target: record.target().to_owned(),
            level: Level::TRACE,
            is_event: true,
            fields,
        });
    }

    fn flush(&self) {}
}

#[derive(Default)]
struct CapturingSubscriber(AtomicU64);

impl Subscriber for CapturingSubscriber {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        keep(span.metadata(), false, |fields| span.record(fields));
        Id::from_u64(self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        let mut fields = Fields::default();
        values.record(&mut fields);
        RECORDS.lock().unwrap().push(LogRecord {
            target: "span".to_owned(),
            level: Level::TRACE,
            is_event: false,
            fields: fields.0,
        });
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        keep(event.metadata(), true, |fields| event.record(fields));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

fn keep(metadata: &Metadata<'_>, is_event: bool, record: impl FnOnce(&mut Fields)) {
    let mut fields = Fields::default();
    record(&mut fields);
    let (target, level) = (metadata.target().to_owned(), *metadata.level());
    RECORDS.lock().unwrap().push(LogRecord {
        target,
        level,
        is_event,
        fields: fields.0,
    });
}

#[derive(Default)]
struct Fields(Vec<(String, String)>);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.push((field.name().to_owned(), value.to_owned()));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.push((field.name().to_owned(), format!("{value:?}")));
    }
}

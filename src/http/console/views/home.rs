use askama::Template;
use serde::Serialize;

use super::{DayCard, EventRow, Layout, Plot};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Start page: what needs attention, and the user's keys, apps and clients.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/home.html")]
pub(crate) struct HomePage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    /// The name of the student that the user is.
    pub(crate) student: Option<String>,
    pub(crate) today: DisplayTime,
    /// For students: lessons, lunch and events of today.
    pub(crate) day: Option<DayCard>,
    /// What needs attention, in one line.
    pub(crate) summary: String,
    pub(crate) attention: Vec<AttentionItem>,
    /// What was decided about the user's requests for scopes.
    pub(crate) decisions: Option<AttentionItem>,
    /// Requests of the user's keys on the last days; `None` without a key.
    pub(crate) usage: Option<Plot>,
    /// Some of the user's API keys, the first to end first.
    pub(crate) keys: Vec<HomeKey>,
    pub(crate) key_count: u64,
    /// Some of the clients with access to the account, the last used first.
    pub(crate) apps: Vec<HomeApp>,
    pub(crate) app_count: usize,
    /// Some of the user's clients.
    pub(crate) clients: Vec<HomeClient>,
    pub(crate) client_count: u64,
    pub(crate) application_count: u64,
    /// For administrators: what happens at the school.
    pub(crate) overview: Option<Overview>,
}

/// A warning that needs action, or news.
#[derive(Debug, Serialize)]
pub(crate) struct AttentionItem {
    /// `warning` or `problem`; of news `good` or `plain`.
    pub(crate) kind: &'static str,
    pub(crate) icon: &'static str,
    pub(crate) message: String,
    /// What the action does, or why.
    pub(crate) hint: String,
    /// Path of the page that resolves the warning, below the root. Empty if there are `records`.
    pub(crate) href: String,
    pub(crate) action: &'static str,
    /// The records that the message counts, if they are several.
    pub(crate) records: Vec<AttentionRecord>,
}

/// One of several records that are a single item.
#[derive(Debug, Serialize)]
pub(crate) struct AttentionRecord {
    /// Path of its page, below the root.
    pub(crate) href: String,
    pub(crate) name: String,
    pub(crate) hint: String,
}

/// An API key in the list of the start page.
#[derive(Debug, Serialize)]
pub(crate) struct HomeKey {
    pub(crate) id: String,
    pub(crate) description: String,
    /// The last characters of the value, such as `…6305`.
    pub(crate) hint: String,
    /// How many days are left if they are few, or that it has expired.
    pub(crate) state: Option<String>,
    /// `good`, `warning` or `problem`.
    pub(crate) state_kind: &'static str,
    pub(crate) expires: DisplayTime,
}

/// A client with access to the account.
#[derive(Debug, Serialize)]
pub(crate) struct HomeApp {
    pub(crate) name: String,
    pub(crate) initial: String,
    pub(crate) since: DisplayTime,
    /// `None` if the client has no access at the moment.
    pub(crate) last_used: Option<DisplayTime>,
}

/// A client of the user.
#[derive(Debug, Serialize)]
pub(crate) struct HomeClient {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) initial: String,
    pub(crate) is_unverified: bool,
}

/// What happens at the school, for administrators.
#[derive(Debug, Serialize)]
pub(crate) struct Overview {
    /// Number of clients and requests that wait for a decision.
    pub(crate) waiting_count: u64,
    /// Some of them.
    pub(crate) waiting: Vec<WaitingItem>,
    /// Refused attempts to sign in within a day; `None` without a store of events.
    pub(crate) failed_sign_ins: Option<FailedSignIns>,
    /// The last run of the sync, if there is one.
    pub(crate) sync: Option<LastSync>,
    /// The last import of a file, if its event is stored.
    pub(crate) import: Option<LastImport>,
}

impl Overview {
    /// Whether there is something to say about where the school's data comes from.
    fn has_state(&self) -> bool {
        self.sync.is_some() || self.import.is_some()
    }

    /// The class of the cards, which share a row.
    fn span(&self) -> &'static str {
        match (self.failed_sign_ins.is_some(), self.has_state()) {
            (true, true) => "span-4",
            (false, false) => "span-12",
            _ => "span-6",
        }
    }
}

/// A client or a request that waits for an administrator.
#[derive(Debug, Serialize)]
pub(crate) struct WaitingItem {
    /// The name of the client or of the API key.
    pub(crate) name: String,
    /// Its page.
    pub(crate) href: String,
    pub(crate) initial: String,
    /// The owner of the client or of the key.
    pub(crate) owner: String,
    /// The review status of the client, what the requested scope allows, or the requested fields.
    pub(crate) what: String,
}

/// Refused attempts to sign in since midnight.
#[derive(Debug, Serialize)]
pub(crate) struct FailedSignIns {
    pub(crate) count: u64,
    /// The newest ones, newest first, those for the same account from the same address together.
    pub(crate) newest: Vec<FailedSignIn>,
    /// The first day in the list of events that shows them, such as `2026-11-26`.
    pub(crate) from: String,
}

/// Failed sign-ins for the same account from the same address.
#[derive(Debug, Serialize)]
pub(crate) struct FailedSignIn {
    /// The newest of them.
    pub(crate) event: EventRow,
    pub(crate) count: u64,
}

/// The last import of a file.
#[derive(Debug, Serialize)]
pub(crate) struct LastImport {
    pub(crate) at: DisplayTime,
    /// Who imported which kind of records.
    pub(crate) sentence: String,
    /// How many records were added, changed and removed.
    pub(crate) changes: String,
}

/// The last run of the sync.
#[derive(Debug, Serialize)]
pub(crate) struct LastSync {
    pub(crate) at: DisplayTime,
    pub(crate) result: &'static str,
    /// `good`, `warning` or `problem`; empty while it runs.
    pub(crate) kind: &'static str,
}

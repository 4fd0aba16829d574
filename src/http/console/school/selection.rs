//! The records of a list that are changed together, and what becomes of them.

use super::filter::Filter;
use super::{id_parameter, kind_of};
use crate::directory::Snapshot;
use crate::domain::RecordKind;
use crate::http::audit::Change;
use crate::http::console::error::Error;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::HiddenInput;
use crate::import::{Edit, changed_since, record_name};

/// Maximum number of checked records that are changed at once: their ids are in an address.
const MAX_CHECKED: usize = 500;
/// Maximum number of records that match a filter and are changed at once.
const MAX_MATCHING: usize = 5000;

/// What becomes of the selected records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Students move to another class.
    Class,
    /// Students change their major.
    Major,
    /// Students graduate.
    Graduate,
    /// Students leave.
    Withdraw,
    /// The records are removed.
    Remove,
}

impl Action {
    pub(super) const ALL: [Self; 5] = [
        Self::Class,
        Self::Major,
        Self::Graduate,
        Self::Withdraw,
        Self::Remove,
    ];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Major => "major",
            Self::Graduate => "graduate",
            Self::Withdraw => "withdraw",
            Self::Remove => "remove",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == word)
    }

    pub(super) fn is_for(self, kind: RecordKind) -> bool {
        self == Self::Remove || kind == RecordKind::Students
    }

    pub(super) const fn change(self) -> Change {
        match self {
            Self::Remove => Change::Deleted,
            _ => Change::Changed,
        }
    }
}

/// The selected records and what to do with them.
pub(super) struct Selection {
    pub(super) kind: RecordKind,
    /// The filter whose records are selected; `None` if records are checked one by one.
    filter: Option<Filter>,
    /// The ids with their names, without those that are gone. None if there are too many.
    pub(super) records: Vec<(i64, String)>,
    pub(super) is_too_many: bool,
    /// What the page before showed.
    shown: Shown,
    /// What there is now.
    now: Shown,
    /// The names of the records that have changed since the page before.
    pub(super) changed: Vec<(i64, String)>,
    pub(super) action: Option<Action>,
    pub(super) grade: String,
    pub(super) class_num: String,
    pub(super) major: String,
}

/// The selected records as a page shows them.
#[derive(Debug, Clone, Copy)]
struct Shown {
    count: usize,
    /// The version of the school.
    version: u64,
}

impl Selection {
    /// The selection of a request with these ids and fields.
    pub(super) fn new<'a>(
        request: &UserRequest<'_>,
        snapshot: &Snapshot,
        ids: impl Iterator<Item = &'a str>,
        value: impl Fn(&str) -> Option<&'a str>,
    ) -> Result<Self, Error> {
        let (kind, management) = (kind_of(request)?, request.management());
        let school = management.school()?;
        let filter = value("all").map(|_| value("filter").unwrap_or_default());
        let filter = filter.map(|filter| Filter::parse(school, kind, filter));
        let filter = filter.transpose()?;
        let mut ids: Vec<i64> = match &filter {
            Some(filter) => filter.ids(snapshot, kind)?,
            None => ids.filter_map(|id| id.parse().ok()).collect(),
        };
        ids.sort_unstable();
        ids.dedup();
        let number = |name| value(name).and_then(|number| number.parse::<u64>().ok());
        let current = snapshot.version().number;
        let version = number("version").unwrap_or(current);
        let count = number("count").and_then(|count| count.try_into().ok());
        let shown = Shown {
            count: count.filter(|_| filter.is_some()).unwrap_or(ids.len()),
            version,
        };
        let limit = filter.as_ref().map_or(MAX_CHECKED, |_| MAX_MATCHING);
        let is_too_many = ids.len() > limit;
        if is_too_many {
            ids.clear();
        }
        let named = |id: i64| Some((id, record_name(snapshot, kind, id)?));
        let records: Vec<(i64, String)> = ids.into_iter().filter_map(named).collect();
        let changed = changed_since(snapshot, kind, version);
        let changed = records.iter().filter(|(id, _)| changed.contains(id));
        let text = |name| value(name).unwrap_or_default().trim().to_owned();
        let action = value("action").and_then(Action::parse);
        Ok(Self {
            kind,
            filter,
            is_too_many,
            shown,
            now: Shown {
                count: records.len(),
                version: current,
            },
            changed: changed.cloned().collect(),
            records,
            action: action.filter(|action: &Action| action.is_for(kind)),
            grade: text("grade"),
            class_num: text("classNum"),
            major: text("major"),
        })
    }

    /// Records that the administrator is shown the records.
    pub(super) fn record_look(&self, request: &UserRequest<'_>) -> Result<(), Error> {
        if self.records.is_empty() {
            return Ok(());
        }
        let (kind, management) = (self.kind, request.management());
        let school = management.school()?;
        let names = match (&self.filter, &*self.records) {
            (Some(filter), _) => filter.names(school, kind),
            (None, [(id, _)]) => {
                request.record_one_viewed(kind.as_str(), id_parameter(kind), *id);
                return Ok(());
            }
            (None, _) => vec![id_parameter(kind)],
        };
        request.record_data_viewed(kind.as_str(), names, self.records.len());
        Ok(())
    }

    /// The number of records that the page before showed, and the current one, if they differ.
    pub(super) fn other_count(&self) -> Option<(usize, usize)> {
        let (before, now) = (self.shown.count, self.now.count);
        (before != now && !self.is_too_many).then_some((before, now))
    }

    /// The changes of all selected records.
    pub(super) fn edit(&self, action: Action) -> Edit {
        let cell = |column: &str, value: &str| (column.to_owned(), value.to_owned());
        let cells = match action {
            Action::Class => {
                let grade = (!self.grade.is_empty()).then(|| cell("grade", &self.grade));
                grade
                    .into_iter()
                    .chain([cell("classNum", &self.class_num)])
                    .collect()
            }
            Action::Major => vec![cell("major", &self.major)],
            Action::Graduate => vec![cell("role", "GRADUATE")],
            Action::Withdraw => vec![cell("role", "WITHDRAWN")],
            Action::Remove => Vec::new(),
        };
        let edit = Edit::new(self.kind);
        self.records
            .iter()
            .fold(edit, |edit, (id, _)| match action {
                Action::Remove => edit.remove(*id),
                _ => edit.change(*id, cells.clone()),
            })
    }

    /// The fields that select the same records, as they are now.
    pub(super) fn fields(&self) -> Vec<HiddenInput> {
        self.fields_of(self.now)
    }

    /// The fields of the form that does what is shown.
    pub(super) fn fields_with_action(&self) -> Vec<HiddenInput> {
        [self.fields_of(self.now), self.settings()].concat()
    }

    /// The fields of another page of the same plan, with the same changes in between.
    pub(super) fn fields_of_pages(&self) -> Vec<HiddenInput> {
        [self.fields_of(self.shown), self.settings()].concat()
    }

    fn fields_of(&self, shown: Shown) -> Vec<HiddenInput> {
        let version = input("version", shown.version);
        let Some(filter) = &self.filter else {
            let ids = self.records.iter().map(|(id, _)| input("id", id));
            return ids.chain([version]).collect();
        };
        let (all, filter) = (input("all", true), input("filter", filter.to_query()));
        vec![all, filter, input("count", shown.count), version]
    }

    fn settings(&self) -> Vec<HiddenInput> {
        let settings = [
            ("action", self.action.map_or("", Action::as_str)),
            ("grade", &self.grade),
            ("classNum", &self.class_num),
            ("major", &self.major),
        ];
        let settings = settings.into_iter().filter(|(_, value)| !value.is_empty());
        settings.map(|(name, value)| input(name, value)).collect()
    }
}

fn input(name: &str, value: impl ToString) -> HiddenInput {
    HiddenInput {
        name: name.to_owned(),
        value: value.to_string(),
    }
}

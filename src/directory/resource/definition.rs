use std::fmt;
use std::sync::Arc;

use serde_json::Value as Json;

use super::field::Accessor;
use super::object::{Object, ObjectType, RenderOptions};
use super::parameter::{ParameterInfo, ParameterType};
use super::parse::{CHANGES, OF_CONSOLE, OF_PAGES};
use crate::domain::{ApiScope, Date, Invalid, PersonalField};

/// A list of the data API, declared once: where it is, which scope a key needs, and the fields of its records.
///
/// ```
/// use lyceum::directory::{Field, Object, Parameter, Resource};
///
/// struct Room {
///     id: i64,
///     name: String,
///     seats: i32,
/// }
///
/// type F = Field<Room>;
/// let fields = [
///     F::id("id", |room| room.id).filter(Parameter::new("roomId", "The room with this id.")),
///     F::text("name", |room| Some(&room.name)).filter(Parameter::new("name", "Part of the name.").common()).sort("NAME"),
///     F::int("seats", |room| Some(room.seats)).within(1..=500).filter(Parameter::new("seats", "The seats.")).sort("SEATS"),
/// ];
/// let rooms = Resource::new("rooms", "/v1/rooms", "ROOM_READ".parse()?, Object::new("Room", "A room.", fields));
/// # Ok::<_, lyceum::domain::Invalid>(())
/// ```
pub struct Resource<T> {
    pub(in crate::directory) definition: Definition,
    pub(in crate::directory) object: Object<T>,
    /// For each parameter of the definition the value that it is compared with.
    pub(in crate::directory) conditions: Vec<Accessor<T>>,
    /// For each order of the definition what it sorts by.
    pub(in crate::directory) sorts: Vec<Accessor<T>>,
    pub(in crate::directory) day: Option<fn(&T) -> Date>,
    /// The parameter whose texts are also looked up whole.
    exact: Option<&'static str>,
    /// How many other records are written with a record.
    pub(in crate::directory) inner_records: Option<fn(&T) -> usize>,
}

/// A list without the type of its records.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
    pub(crate) scope: ApiScope,
    /// What OpenAPI and the console call it.
    pub(crate) title: &'static str,
    pub(crate) pagination: Pagination,
    pub(crate) record: Arc<ObjectType>,
    pub(crate) parameters: Vec<ParameterInfo>,
    pub(crate) sorts: Vec<SortInfo>,
    pub(crate) switch: Option<FlagInfo>,
    pub(crate) exclusion: Option<ExclusionInfo>,
    pub(crate) example: Option<Json>,
    /// The parameters that OpenAPI lists after the others.
    pub(crate) documented_last: &'static [&'static str],
}

/// An order of a list.
#[derive(Debug)]
pub(crate) struct SortInfo {
    pub(crate) word: &'static str,
    pub(crate) field: &'static str,
    /// A key without this field may not sort by it: it would see who comes before whom.
    pub(crate) personal: Option<PersonalField>,
    pub(crate) is_id: bool,
}

/// How a list is cut into answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pagination {
    /// In pages, of so many records if the request does not say. What changed can be asked for.
    Pages { size: u32 },
    /// The records of some days at once.
    Days,
}

/// A parameter that is `true` or `false`, the latter if it is absent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlagInfo {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
}

/// Flags that decide together which records are left out, by a word that these have.
#[derive(Debug)]
pub(crate) struct ExclusionInfo {
    pub(crate) flags: Vec<FlagInfo>,
    /// The parameter that compares the word.
    pub(super) parameter: &'static str,
    /// Whether records with the word are there, by the values of the flags.
    pub(super) admits: fn(&[bool], &str) -> bool,
}

impl<T: 'static> Resource<T> {
    /// A list in pages of 100, with this name in `data`, at this path, whose keys need this scope. [`RecordList::new`](crate::directory::RecordList::new)
    /// refuses records without an [id](super::Field::id).
    pub fn new(name: &'static str, path: &'static str, scope: ApiScope, object: Object<T>) -> Self {
        let (mut parameters, mut conditions, mut sorts, mut sort_infos) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for field in object.fields() {
            if let Some(parameter) = field.parameter() {
                parameters.push(parameter);
                conditions.push(field.read);
            }
            if let Some(word) = field.info.sort.filter(|_| !matches!(field.read, Accessor::Nothing)) {
                sorts.push(field.read);
                let is_id = matches!(field.read, Accessor::Id(_));
                sort_infos.push(SortInfo { word, field: field.info.name, personal: field.info.personal, is_id });
            }
        }
        let definition = Definition {
            name,
            path,
            scope,
            title: name,
            pagination: Pagination::Pages { size: 100 },
            record: Arc::clone(object.ty()),
            parameters,
            sorts: sort_infos,
            switch: None,
            exclusion: None,
            example: None,
            documented_last: &[],
        };
        Self { definition, object, conditions, sorts, day: None, exact: None, inner_records: None }
    }

    /// What OpenAPI and the console call the list; its name by default.
    pub fn title(mut self, title: &'static str) -> Self {
        self.definition.title = title;
        self
    }

    /// How many records a page has if the request does not say, 1–1000; 100 by default.
    pub fn page_size(mut self, size: u32) -> Self {
        self.definition.pagination = Pagination::Pages { size: size.clamp(1, crate::domain::PageRequest::MAX_SIZE) };
        self
    }

    /// A record that OpenAPI shows, as JSON.
    pub fn example(mut self, record: Json) -> Self {
        self.definition.example = Some(record);
        self
    }

    /// Lists the records of days at once instead of pages.
    pub(in crate::directory) fn by_day(mut self, day: fn(&T) -> Date) -> Self {
        self.definition.pagination = Pagination::Days;
        self.day = Some(day);
        self
    }

    /// Indexes the text that this parameter searches for look-ups of the whole text.
    pub(in crate::directory) fn exact(mut self, parameter: &'static str) -> Self {
        self.exact = Some(parameter);
        self
    }

    /// Which parameter that is.
    pub(in crate::directory) fn exact_parameter(&self) -> Option<usize> {
        let name = self.exact?;
        self.definition.parameters.iter().position(|known| known.name == name)
    }

    /// A flag that fields with lists of objects are told of.
    pub(in crate::directory) fn switch(mut self, name: &'static str, about: &'static str) -> Self {
        self.definition.switch = Some(FlagInfo { name, about });
        self
    }

    /// How many nested records a record has. Its JSON is then not kept, and they count for the cost of a query.
    pub fn inner_records(mut self, count: fn(&T) -> usize) -> Self {
        self.inner_records = Some(count);
        self
    }

    /// Adds flags that decide together which records are left out, by the word that a parameter compares. `admits` gets the values of the flags in their order and
    /// a word, and tells whether records with that word are in the list.
    pub(in crate::directory) fn excluding(
        mut self,
        parameter: &'static str,
        flags: impl IntoIterator<Item = (&'static str, &'static str)>,
        admits: fn(&[bool], &str) -> bool,
    ) -> Self {
        let flags = flags.into_iter().map(|(name, about)| FlagInfo { name, about }).collect();
        self.definition.exclusion = Some(ExclusionInfo { flags, parameter, admits });
        self
    }

    /// Puts the parameters and the words to sort by in this order, which clients see in links and messages. What is not named comes after, in the order
    /// of the fields.
    pub(in crate::directory) fn ordered(mut self, parameters: &[&str], sorts: &[&str]) -> Self {
        let has = |name: &&str| self.definition.parameters.iter().any(|parameter| parameter.name == *name);
        debug_assert!(parameters.iter().all(has), "a parameter that the list does not have");
        let place = |names: &[&str], name: &str| names.iter().position(|named| *named == name).unwrap_or(names.len());
        let mut by_parameter: Vec<_> = self.definition.parameters.into_iter().zip(self.conditions).collect();
        by_parameter.sort_by_key(|(parameter, _)| place(parameters, parameter.name));
        (self.definition.parameters, self.conditions) = by_parameter.into_iter().unzip();
        let mut by_sort: Vec<_> = self.definition.sorts.into_iter().zip(self.sorts).collect();
        by_sort.sort_by_key(|(sort, _)| place(sorts, sort.word));
        (self.definition.sorts, self.sorts) = by_sort.into_iter().unzip();
        self
    }

    /// Lists these parameters after the others in OpenAPI.
    pub(in crate::directory) fn documented_last(mut self, parameters: &'static [&'static str]) -> Self {
        self.definition.documented_last = parameters;
        self
    }

    /// Checks the numbers and words of a record: the first field that breaks its rule, and the rule. A value that the record had before is accepted, so
    /// that old records stay editable.
    pub(in crate::directory) fn check(&self, record: &T, before: Option<&T>) -> Result<(), (&'static str, Invalid)> {
        self.object.fields().iter().try_for_each(|field| {
            let Some(value) = field.read.value(record) else { return Ok(()) };
            let is_old = || before.and_then(|before| field.read.value(before)).as_ref() == Some(&value);
            match field.parameter_type().map(|kind| kind.check(&value)) {
                Some(Err(rule)) if !is_old() => Err((field.info.name, rule)),
                _ => Ok(()),
            }
        })
    }

    /// What the definition asks for and cannot have, if there is anything.
    pub(in crate::directory) fn problem(&self) -> Option<Invalid> {
        let repeated = |names: Vec<&'static str>| (1..names.len()).any(|at| names[..at].contains(&names[at]));
        let ids = self.object.fields().iter().filter(|field| matches!(field.read, Accessor::Id(_))).count();
        let has_bad_default = self.definition.parameters.iter().any(|parameter| match (&parameter.default, &parameter.kind) {
            (Some(word), ParameterType::Words(words)) => !words.contains(word) || parameter.personal.is_some(),
            (default, _) => default.is_some(),
        });
        let written: Vec<_> = self.definition.record.fields.iter().map(|field| field.name).collect();
        let parameters = self.definition.parameters.iter().flat_map(|parameter| std::iter::once(parameter.name).chain(parameter.alias));
        let parameters = [CHANGES, OF_CONSOLE].into_iter().chain(OF_PAGES).chain(parameters).collect();
        let is_unused = self.object.fields().iter().any(|field| field.is_unused());
        let problems = [
            (ids != 1, "must have one field for the id"),
            (
                !written.iter().all(|name| is_word(name)),
                "must have fields whose names are words of ASCII letters, digits, hyphens and underscores",
            ),
            (repeated(written), "must have a different name for each field"),
            (has_bad_default, "must have defaults that are words of fields which no key does without"),
            (repeated(parameters), "must have a different name for each parameter, none of them one of the data API's own"),
            (repeated(self.definition.sort_words().collect()), "must have a different word for each order"),
            (is_unused, "must filter and sort by fields that can be compared"),
        ];
        problems.into_iter().find(|(is_there, _)| *is_there).map(|(_, rule)| Invalid::new(rule))
    }

    pub(crate) const fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Appends a record as JSON.
    pub(crate) fn write(&self, record: &T, options: RenderOptions, out: &mut Vec<u8>) {
        self.object.write(record, options, out);
    }

    /// The id of a record.
    pub(in crate::directory) fn id(&self) -> Option<fn(&T) -> i64> {
        self.object.fields().iter().find_map(|field| match field.read {
            Accessor::Id(read) => Some(read),
            _ => None,
        })
    }
}

/// Whether that can be a name in addresses, JSON and tables.
pub(crate) fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

impl<T> fmt::Debug for Resource<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resource").field("definition", &self.definition).finish_non_exhaustive()
    }
}

impl Definition {
    /// The words that `sortBy` takes.
    pub(crate) fn sort_words(&self) -> impl Iterator<Item = &'static str> {
        self.sorts.iter().map(|sort| sort.word)
    }

    pub(crate) const fn is_paged(&self) -> bool {
        matches!(self.pagination, Pagination::Pages { .. })
    }

    /// The parameter by whose words flags leave records out.
    pub(in crate::directory) fn excluding_parameter(&self) -> Option<usize> {
        let name = self.exclusion.as_ref()?.parameter;
        self.parameters.iter().position(|known| known.name == name)
    }

    /// Every flag, in the order of the parameters.
    pub(crate) fn flags(&self) -> impl Iterator<Item = FlagInfo> {
        self.exclusion.iter().flat_map(|exclusion| &exclusion.flags).chain(&self.switch).copied()
    }
}

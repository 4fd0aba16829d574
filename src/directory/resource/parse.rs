//! Parameters of a request as a query.

use std::borrow::Cow;

use smol_str::SmolStr;

use super::days::take_days;
use super::definition::{Definition, Pagination};
use super::error::QueryError;
use super::parameter::{ParameterType, boolean, whole_number};
use super::query::{Query, Request, Value};
use crate::directory::changes::Cursor;
use crate::domain::{Date, DateRange, Direction, HiddenFields, Invalid, PageRequest, PersonalField};

/// The parameter of the cursor.
pub(crate) const CHANGES: &str = "updatedSince";

/// The parameter of the page.
pub(crate) const PAGE: &str = "page";

/// The parameter by which the console knows the key to read with.
pub(super) const OF_CONSOLE: &str = "key";

/// The parameters that every list in pages has beside `updatedSince`.
pub(super) const OF_PAGES: [&str; 4] = ["sortBy", "sortDirection", PAGE, "size"];

/// The parameters of a request. Each one that a list knows is taken by its name; what is left at the end is unknown.
pub(crate) struct ParameterReader<'a> {
    given: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    known: Vec<&'static str>,
    taken: Vec<(&'static str, Cow<'a, str>)>,
}

impl<'a> ParameterReader<'a> {
    /// Names and values, decoded. No name comes twice.
    pub(crate) const fn new(given: Vec<(Cow<'a, str>, Cow<'a, str>)>) -> Self {
        Self { given, known: Vec::new(), taken: Vec::new() }
    }

    /// The parameters of these names and values.
    ///
    /// # Errors
    /// When a name comes twice.
    pub(crate) fn decoded(given: &[(&'a str, &'a str)]) -> Result<Self, QueryError> {
        let is_repeated = |at: &usize| given[..*at].iter().any(|(name, _)| *name == given[*at].0);
        match (0..given.len()).find(is_repeated) {
            Some(at) => Err(QueryError::Repeated(given[at].0.to_owned())),
            None => Ok(Self::new(given.iter().map(|(name, value)| (Cow::Borrowed(*name), Cow::Borrowed(*value))).collect())),
        }
    }

    /// The value of a parameter, or `None` when it is absent or empty.
    pub(super) fn take<T>(&mut self, name: &'static str, parse: impl FnOnce(&str) -> Result<T, Invalid>) -> Result<Option<T>, QueryError> {
        self.take_either(name, None, parse)
    }

    /// The value of a parameter that has another name. Both at once are a repetition.
    pub(super) fn take_either<T>(
        &mut self,
        own: &'static str,
        alias: Option<&'static str>,
        parse: impl FnOnce(&str) -> Result<T, Invalid>,
    ) -> Result<Option<T>, QueryError> {
        let mut found = None;
        for name in std::iter::once(own).chain(alias) {
            self.known.push(name);
            let Some(at) = self.given.iter().position(|(given, _)| given == name) else { continue };
            let (_, text) = self.given.remove(at);
            if found.replace((name, text)).is_some() {
                return Err(QueryError::Repeated(name.to_owned()));
            }
        }
        let Some((name, text)) = found.filter(|(_, text)| !text.is_empty()) else { return Ok(None) };
        let value = parse(&text).map_err(|rule| QueryError::Invalid { name, rule })?;
        self.taken.push((own, text));
        Ok(Some(value))
    }

    /// The parameters that had a value and were understood, under their own names and in the order of the list. What was not taken is refused,
    /// unless it is to be ignored.
    ///
    /// # Errors
    /// When a parameter was not taken.
    pub(crate) fn finish(self, ignores_unknown: bool) -> Result<Vec<(&'static str, Cow<'a, str>)>, QueryError> {
        match self.given.into_iter().next() {
            Some((name, _)) if !ignores_unknown => Err(QueryError::Unknown { name: name.into_owned(), known: self.known }),
            _ => Ok(self.taken),
        }
    }
}

impl Definition {
    /// Reads the parameters of a request made on the day `today`.
    pub(crate) fn parse(&self, given: &mut ParameterReader<'_>, today: Date) -> Result<Query, QueryError> {
        // Days are read before the filters, and pages after them: the order of the parameters in messages and links.
        let days = if self.pagination == Pagination::Days { Some(take_days(given, today)?) } else { None };
        let mut values = Vec::with_capacity(self.parameters.len());
        for parameter in &self.parameters {
            let value = given.take_either(parameter.name, parameter.alias, |text| parameter.kind.parse(text))?;
            values.push(value.or_else(|| parameter.default.clone().map(Value::Word)));
        }
        let excluded = self.take_excluded(given)?;
        let switch = self.switch.map_or(Ok(false), |switch| take_flag(given, switch.name))?;
        let request = match (self.pagination, days) {
            (Pagination::Pages { size }, _) => self.take_part(given, size)?,
            (Pagination::Days, days) => Request::Days(days.unwrap_or(DateRange::day(today))),
        };
        Ok(Query { list: self.name, values: values.into(), excluded, switch, request })
    }

    /// The words whose records the flags leave out.
    fn take_excluded(&self, given: &mut ParameterReader<'_>) -> Result<Box<[SmolStr]>, QueryError> {
        let Some(exclusion) = &self.exclusion else { return Ok(Box::default()) };
        let kind = self.excluding_parameter().map(|at| &self.parameters[at].kind);
        let Some(ParameterType::Words(words)) = kind else { return Ok(Box::default()) };
        let flags = exclusion.flags.iter().map(|flag| take_flag(given, flag.name)).collect::<Result<Vec<_>, _>>()?;
        Ok(words.iter().filter(|word| !(exclusion.admits)(&flags, word)).map(SmolStr::new).collect())
    }

    /// Takes the page and the order, or from where on changes are wanted: there is nothing to choose in the order of changes, nor a page to leap to.
    fn take_part(&self, given: &mut ParameterReader<'_>, default_size: u32) -> Result<Request, QueryError> {
        if let Some(since) = given.take(CHANGES, cursor)? {
            for name in [PAGE, "sortBy", "sortDirection"] {
                given.take(name, |_| Err::<(), _>(Invalid::new("does not go with updatedSince")))?;
            }
            let size = take_size(given)?.unwrap_or(default_size);
            return Ok(Request::Changes { since, size });
        }
        let sort = given.take("sortBy", |word| self.parse_sort(word))?.flatten();
        let direction = given.take("sortDirection", str::parse)?.unwrap_or(Direction::Ascending);
        let page = given.take(PAGE, |text| PageRequest::new(small_number(text), 1))?.map_or(0, PageRequest::page);
        let size = take_size(given)?.unwrap_or(default_size);
        let page = PageRequest::new(page, size).map_err(|rule| QueryError::Invalid { name: "size", rule })?;
        Ok(Request::Page { sort, direction, page })
    }

    /// Which order the word means; `None` is the order of the ids.
    fn parse_sort(&self, word: &str) -> Result<Option<usize>, Invalid> {
        let known = self.sorts.iter().position(|sort| sort.word == word);
        let refused = || Invalid::owned(format!("must be one of {}", self.sort_words().collect::<Vec<_>>().join(", ")));
        known.map(|sort| Some(sort).filter(|sort| !self.sorts[*sort].is_id)).ok_or_else(refused)
    }

    /// The first filter or order that uses a hidden field. A client could guess the value by filtering, and an order tells which of two is greater.
    pub(crate) fn hidden_parameter(&self, query: &Query, hidden: HiddenFields) -> Option<(&'static str, PersonalField)> {
        if hidden.is_empty() {
            return None;
        }
        let filters = self.parameters.iter().zip(&query.values).filter(|(_, value)| value.is_some());
        let filters = filters.filter_map(|(parameter, _)| Some((parameter.name, parameter.personal?)));
        let sort = match query.request {
            Request::Page { sort, .. } => sort.and_then(|sort| Some(("sortBy", self.sorts[sort].personal?))),
            Request::Changes { .. } | Request::Days(_) => None,
        };
        filters.chain(sort).find(|(_, field)| hidden.contains(*field))
    }

    /// The names of the parameters that a form can have: all but `updatedSince` and other names.
    pub(crate) fn parameter_names(&self) -> Vec<&'static str> {
        let (days, part): (&[_], &[_]) = match self.pagination {
            Pagination::Days => (&["date", "fromDate", "toDate"], &[]),
            Pagination::Pages { .. } => (&[], &OF_PAGES),
        };
        let filters = self.parameters.iter().map(|parameter| parameter.name).chain(self.flags().map(|flag| flag.name));
        days.iter().copied().chain(filters).chain(part.iter().copied()).collect()
    }
}

fn take_flag(given: &mut ParameterReader<'_>, name: &'static str) -> Result<bool, QueryError> {
    Ok(given.take(name, boolean)?.unwrap_or(false))
}

fn take_size(given: &mut ParameterReader<'_>) -> Result<Option<u32>, QueryError> {
    let size = given.take("size", |text| PageRequest::new(0, small_number(text)))?;
    Ok(size.map(PageRequest::size))
}

/// A number that does not fit becomes the largest, which is refused as well.
fn small_number(text: &str) -> u32 {
    whole_number(text).and_then(|number| u32::try_from(number).ok()).unwrap_or(u32::MAX)
}

/// What `updatedSince` says: nothing is known yet, or a cursor.
fn cursor(text: &str) -> Result<Option<Cursor>, Invalid> {
    const RULE: Invalid = Invalid::new("must be 0 or the cursor of an answer before");
    if text == "0" { Ok(None) } else { text.parse().map(Some).map_err(|_| RULE) }
}

//! Parses the parameters of a request into a query.

use std::borrow::Cow;

use smol_str::SmolStr;

use super::date_range::take_date_range;
use super::definition::{Pagination, ResourceDefinition};
use super::parameter::{ParameterType, boolean, whole_number};
use super::query::{FilterValue, Query, QueryKind};
use super::query_error::QueryError;
use crate::directory::delta::Cursor;
use crate::domain::{
    Date, DateRange, HiddenFields, InvalidValue, PageRequest, PersonalField, SortDirection,
};

/// Name of the parameter for the cursor.
pub(crate) const UPDATED_SINCE: &str = "updatedSince";

/// Name of the parameter for the page number.
pub(crate) const PAGE: &str = "page";

/// Name of the console's parameter for the API key to read with.
pub(super) const CONSOLE_KEY: &str = "key";

/// Names of the parameters of every paged list, except `updatedSince`.
pub(super) const PAGE_PARAMETERS: [&str; 4] = ["sortBy", "sortDirection", PAGE, "size"];

/// Reads the parameters of a request. A list takes the parameters that it knows by name; the
/// remaining ones are unknown.
pub(crate) struct ParameterReader<'a> {
    remaining: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    known: Vec<&'static str>,
    taken: Vec<(&'static str, Cow<'a, str>)>,
}

impl<'a> ParameterReader<'a> {
    /// Reads decoded names and values without repeated names.
    pub(crate) const fn new(parameters: Vec<(Cow<'a, str>, Cow<'a, str>)>) -> Self {
        Self {
            remaining: parameters,
            known: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// Reads decoded names and values.
    ///
    /// # Errors
    /// When a name is repeated.
    pub(crate) fn from_pairs(parameters: &[(&'a str, &'a str)]) -> Result<Self, QueryError> {
        let is_repeated = |at: &usize| {
            parameters[..*at]
                .iter()
                .any(|(name, _)| *name == parameters[*at].0)
        };
        match (0..parameters.len()).find(is_repeated) {
            Some(at) => Err(QueryError::Repeated(parameters[at].0.to_owned())),
            None => Ok(Self::new(
                parameters
                    .iter()
                    .map(|(name, value)| (Cow::Borrowed(*name), Cow::Borrowed(*value)))
                    .collect(),
            )),
        }
    }

    /// Takes the value of a parameter; `None` if it is absent or empty.
    pub(super) fn take<T>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, InvalidValue>,
    ) -> Result<Option<T>, QueryError> {
        self.take_with_alias(name, None, parse)
    }

    /// Takes the value of a parameter with an alias. Giving both is a repetition.
    pub(super) fn take_with_alias<T>(
        &mut self,
        canonical: &'static str,
        alias: Option<&'static str>,
        parse: impl FnOnce(&str) -> Result<T, InvalidValue>,
    ) -> Result<Option<T>, QueryError> {
        let mut found = None;
        for name in std::iter::once(canonical).chain(alias) {
            self.known.push(name);
            let Some(at) = self
                .remaining
                .iter()
                .position(|(parameter, _)| parameter == name)
            else {
                continue;
            };
            let (_, text) = self.remaining.remove(at);
            if found.replace((name, text)).is_some() {
                return Err(QueryError::Repeated(name.to_owned()));
            }
        }
        let Some((name, text)) = found.filter(|(_, text)| !text.is_empty()) else {
            return Ok(None);
        };
        let value = parse(&text).map_err(|rule| QueryError::Invalid { name, rule })?;
        self.taken.push((canonical, text));
        Ok(Some(value))
    }

    /// Returns the taken parameters that had a value, under their own names and in the order of the
    /// list. The remaining ones are refused unless `ignores_unknown` is set.
    ///
    /// # Errors
    /// When a parameter is unknown.
    pub(crate) fn finish(
        self,
        ignores_unknown: bool,
    ) -> Result<Vec<(&'static str, Cow<'a, str>)>, QueryError> {
        match self.remaining.into_iter().next() {
            Some((name, _)) if !ignores_unknown => Err(QueryError::Unknown {
                name: name.into_owned(),
                known: self.known,
            }),
            _ => Ok(self.taken),
        }
    }
}

impl ResourceDefinition {
    /// Parses the parameters of a request made on the day `today`.
    pub(crate) fn parse(
        &self,
        parameters: &mut ParameterReader<'_>,
        today: Date,
    ) -> Result<Query, QueryError> {
        // Days come before the filters and pages after them, which is the order of the parameters
        // in messages and links.
        let days = if self.pagination == Pagination::Days {
            Some(take_date_range(parameters, today)?)
        } else {
            None
        };
        let mut values = Vec::with_capacity(self.parameters.len());
        for parameter in &self.parameters {
            let value = parameters.take_with_alias(parameter.name, parameter.alias, |text| {
                parameter.kind.parse(text)
            })?;
            values.push(value.or_else(|| parameter.default.clone().map(FilterValue::Enum)));
        }
        let excluded_values = self.take_excluded_values(parameters)?;
        let render_flag = self
            .render_flag
            .map_or(Ok(false), |flag| take_flag(parameters, flag.name))?;
        let kind = match (self.pagination, days) {
            (Pagination::Pages { size }, _) => self.take_page_or_changes(parameters, size)?,
            (Pagination::Days, days) => {
                QueryKind::Days(days.unwrap_or(DateRange::single_day(today)))
            }
        };
        Ok(Query {
            list: self.name,
            values: values.into(),
            excluded_values,
            render_flag,
            kind,
        })
    }

    /// Takes the exclusion flags; returns the values whose records they exclude.
    fn take_excluded_values(
        &self,
        parameters: &mut ParameterReader<'_>,
    ) -> Result<Box<[SmolStr]>, QueryError> {
        let Some(exclusion) = &self.exclusion_flags else {
            return Ok(Box::default());
        };
        let kind = self
            .exclusion_parameter()
            .map(|at| &self.parameters[at].kind);
        let Some(ParameterType::Enum(values)) = kind else {
            return Ok(Box::default());
        };
        let flags = exclusion
            .flags
            .iter()
            .map(|flag| take_flag(parameters, flag.name))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(values
            .iter()
            .filter(|value| !(exclusion.includes)(&flags, value))
            .map(SmolStr::new)
            .collect())
    }

    /// Takes the page and the sort order, or the cursor of a query for changes. Changes have a
    /// fixed order and no page numbers.
    fn take_page_or_changes(
        &self,
        parameters: &mut ParameterReader<'_>,
        default_size: u32,
    ) -> Result<QueryKind, QueryError> {
        if let Some(since) = parameters.take(UPDATED_SINCE, cursor)? {
            for name in [PAGE, "sortBy", "sortDirection"] {
                parameters.take(name, |_| {
                    Err::<(), _>(InvalidValue::new("does not go with updatedSince"))
                })?;
            }
            let size = take_size(parameters)?.unwrap_or(default_size);
            return Ok(QueryKind::Changes { since, size });
        }
        let sort = parameters
            .take("sortBy", |name| self.parse_sort(name))?
            .flatten();
        let direction = parameters
            .take("sortDirection", str::parse)?
            .unwrap_or(SortDirection::Ascending);
        let page = parameters
            .take(PAGE, |text| PageRequest::new(small_number(text), 1))?
            .map_or(0, PageRequest::page);
        let size = take_size(parameters)?.unwrap_or(default_size);
        let page = PageRequest::new(page, size)
            .map_err(|rule| QueryError::Invalid { name: "size", rule })?;
        Ok(QueryKind::Page {
            sort,
            direction,
            page,
        })
    }

    /// Parses a value of `sortBy`; `None` is the order of the ids.
    fn parse_sort(&self, name: &str) -> Result<Option<usize>, InvalidValue> {
        let known = self.sorts.iter().position(|sort| sort.name == name);
        let refused = || {
            InvalidValue::from_string(format!(
                "must be one of {}",
                self.sort_names().collect::<Vec<_>>().join(", ")
            ))
        };
        known
            .map(|sort| Some(sort).filter(|sort| !self.sorts[*sort].is_id))
            .ok_or_else(refused)
    }

    /// Returns the first filter or sort order that uses a hidden field. A client could guess a
    /// hidden value by filtering, and an order reveals which of two values is greater.
    pub(crate) fn hidden_parameter(
        &self,
        query: &Query,
        hidden: HiddenFields,
    ) -> Option<(&'static str, PersonalField)> {
        if hidden.is_empty() {
            return None;
        }
        let filters = self
            .parameters
            .iter()
            .zip(&query.values)
            .filter(|(_, value)| value.is_some());
        let filters =
            filters.filter_map(|(parameter, _)| Some((parameter.name, parameter.personal?)));
        let sort = match query.kind {
            QueryKind::Page { sort, .. } => {
                sort.and_then(|sort| Some(("sortBy", self.sorts[sort].personal?)))
            }
            QueryKind::Changes { .. } | QueryKind::Days(_) => None,
        };
        filters
            .chain(sort)
            .find(|(_, field)| hidden.contains(*field))
    }

    /// The parameter with this name or alias.
    #[cfg(feature = "data-api")]
    pub(crate) fn known_parameter(&self, name: &str) -> Option<&'static str> {
        let aliases = self.parameters.iter().filter_map(|known| known.alias);
        let mut known = self.parameter_names().into_iter().chain(aliases);
        known
            .find(|known| *known == name)
            .or_else(|| (name == UPDATED_SINCE).then_some(UPDATED_SINCE))
    }

    /// Names of the parameters for a form: all but `updatedSince` and aliases.
    pub(crate) fn parameter_names(&self) -> Vec<&'static str> {
        let (days, part): (&[_], &[_]) = match self.pagination {
            Pagination::Days => (&["date", "fromDate", "toDate"], &[]),
            Pagination::Pages { .. } => (&[], &PAGE_PARAMETERS),
        };
        let filters = self
            .parameters
            .iter()
            .map(|parameter| parameter.name)
            .chain(self.flags().map(|flag| flag.name));
        days.iter()
            .copied()
            .chain(filters)
            .chain(part.iter().copied())
            .collect()
    }
}

fn take_flag(parameters: &mut ParameterReader<'_>, name: &'static str) -> Result<bool, QueryError> {
    Ok(parameters.take(name, boolean)?.unwrap_or(false))
}

fn take_size(parameters: &mut ParameterReader<'_>) -> Result<Option<u32>, QueryError> {
    let size = parameters.take("size", |text| PageRequest::new(0, small_number(text)))?;
    Ok(size.map(PageRequest::size))
}

/// Parses a number; one that does not fit becomes the largest, which is refused as well.
fn small_number(text: &str) -> u32 {
    whole_number(text)
        .and_then(|number| u32::try_from(number).ok())
        .unwrap_or(u32::MAX)
}

/// Parses `updatedSince`: `0` for all records, or a cursor.
fn cursor(text: &str) -> Result<Option<Cursor>, InvalidValue> {
    const RULE: InvalidValue = InvalidValue::new("must be 0 or the cursor of an answer before");
    if text == "0" {
        Ok(None)
    } else {
        text.parse().map(Some).map_err(|_| RULE)
    }
}

use crate::directory::{Directory, Snapshot};
use crate::domain::RecordKind;
use crate::http::audit::RefusalRule;
use crate::http::console::error::Error;
use crate::http::console::query::encode;
use crate::http::form_urlencoded;
use crate::import::{definition, selected_ids};

/// Parameters of a list that select no records.
const OTHERS: [&str; 4] = ["page", "size", "sortBy", "sortDirection"];

/// The filter of a list: parameters of the data API without the page and the order, as the pages
/// of the editor pass it on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Filter(Vec<(String, String)>);

impl Filter {
    /// The filter in these parameters. Others are left out, as the page of the list does.
    pub(super) fn new<'a>(
        school: &Directory,
        kind: RecordKind,
        parameters: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let known = definition(school, kind).parameter_names();
        let is_filter = |(name, value): &(&str, &str)| {
            known.contains(name) && !OTHERS.contains(name) && !value.is_empty()
        };
        let filters = parameters.filter(is_filter);
        Self(
            filters
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
        )
    }

    /// The filter in a query, as [`to_query`](Self::to_query) writes it.
    pub(super) fn parse(school: &Directory, kind: RecordKind, query: &str) -> Result<Self, Error> {
        let malformed = |_| Error::bad_request(RefusalRule::ParametersMalformed);
        let pairs = form_urlencoded::parse(query).map_err(malformed)?;
        let pairs = pairs.iter().map(|(name, value)| (&**name, &**value));
        Ok(Self::new(school, kind, pairs))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names of the parameters, without their values.
    pub(super) fn names(&self, school: &Directory, kind: RecordKind) -> Vec<&'static str> {
        let mut known = definition(school, kind).parameter_names();
        known.retain(|known| self.0.iter().any(|(name, _)| name == known));
        known
    }

    pub(super) fn to_query(&self) -> String {
        encode(self.pairs())
    }

    /// The ids of all records that match.
    pub(super) fn ids(&self, snapshot: &Snapshot, kind: RecordKind) -> Result<Vec<i64>, Error> {
        let parameters: Vec<(&str, &str)> = self.pairs().collect();
        let invalid = |_| Error::bad_request(RefusalRule::ParametersMalformed);
        selected_ids(snapshot, kind, &parameters).map_err(invalid)
    }

    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

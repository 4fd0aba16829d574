//! The school's data, as the data API answers it to a key of one's own.

mod ask;
mod asked;
mod choices;
mod faults;
mod filters;
mod keys;
mod page;
mod records;
mod table;

use bytes::Bytes;
use http::{Request, Response};

use super::gate::SignedIn;
use super::query::Query;
use super::refusal::Refusal;
use super::server::Server;
use crate::directory::Definition;
use crate::http::issuer::Issuer;
use crate::http::pages::texts::Texts;
use crate::http::{Body, ReadingRoom};
use ask::Outcome;
use asked::Asked;
use keys::OwnKeys;
use page::Reading;
pub(super) use records::shown;

/// Where the data is read.
pub(super) struct Source {
    pub(super) room: ReadingRoom,
    /// Where programs find the data API.
    pub(super) address: Issuer,
}

/// The pages here, by what follows the name of the area in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The records of a list on a page.
    Page,
    /// Records as a table to keep.
    Table,
}

impl Place {
    pub(super) fn at(segments: &[&str]) -> Option<Self> {
        let [name] = segments else { return None };
        Some(if name.ends_with(TABLE) { Self::Table } else { Self::Page })
    }

    /// The methods that the place answers, as in `Allow`.
    pub(super) const fn methods(self) -> &'static str {
        "GET, HEAD"
    }

    /// What the log calls it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Page => "data",
            Self::Table => "data_table",
        }
    }
}

/// What the name of a table ends in.
const TABLE: &str = ".csv";

/// What people call a field or a parameter of a list.
pub(super) fn label_of(definition: &Definition, name: &'static str, text: &Texts) -> &'static str {
    let of_field = definition.record.fields.iter().find(|field| field.name == name).and_then(|field| field.label);
    let own = of_field.or_else(|| definition.parameters.iter().find(|parameter| parameter.field == name)?.label);
    own.or_else(|| text.school.field(name)).unwrap_or(name)
}

/// What people call a list.
pub(super) fn title_of(definition: &Definition, text: &Texts) -> &'static str {
    text.school.list(definition.name).unwrap_or(definition.title)
}

pub(super) async fn answer(server: &Server, place: Place, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let Some(source) = server.data.as_ref().filter(|_| server.api_keys.is_some()) else { return Err(Refusal::not_found()) };
    let name = request.uri().path().rsplit('/').next().unwrap_or_default();
    let lists = source.room.definitions();
    let is_meant = |list: &&&Definition| list.name == name.strip_suffix(TABLE).filter(|_| list.is_paged()).unwrap_or(name);
    let list = *lists.iter().find(is_meant).ok_or_else(Refusal::not_found)?;
    let query = Query::of(request)?;
    let keys = OwnKeys::of(server, who).await?;
    let Some(key) = keys.chosen(query.value("key"), list)? else { return page::without_keys(server, who, list) };
    let asked = Asked::of(place, list, key.id, &query);
    let reading = Reading { server, who, keys: &keys, key, asked: &asked };
    match ask::ask(server, source, key, place, &asked).await? {
        Outcome::Refused(fault) => reading.refused(&fault),
        Outcome::Answered(response) if place == Place::Table => table::answer(&asked, response),
        Outcome::Answered(response) => reading.show(response).await,
    }
}

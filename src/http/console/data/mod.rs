//! The school's data, as the data API answers it to a key of one's own.

mod ask;
mod asked;
mod choices;
mod columns;
mod faults;
mod filters;
mod keys;
mod kind;
mod page;
mod records;
mod table;

use bytes::Bytes;
use http::{Request, Response};

use super::gate::SignedIn;
use super::query::Query;
use super::refusal::Refusal;
use super::server::Server;
use crate::http::issuer::Issuer;
use crate::http::{Body, ReadingRoom};
use ask::Outcome;
use asked::Asked;
use keys::OwnKeys;
pub(super) use kind::Kind;
use page::Reading;

/// Where the data is read.
pub(super) struct Source {
    pub(super) room: ReadingRoom,
    /// Where programs find the data API.
    pub(super) address: Issuer,
}

/// The pages here, by what follows the name of the area in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Records on a page.
    Page(Kind),
    /// Records as a table to keep.
    Table(Kind),
}

impl Place {
    pub(super) fn at(segments: &[&str]) -> Option<Self> {
        let [name] = segments else { return None };
        match name.strip_suffix(".csv") {
            Some(word) => Kind::of(word).filter(|kind| kind.is_paged()).map(Self::Table),
            None => Kind::of(name).map(Self::Page),
        }
    }

    /// The methods that the place answers, as in `Allow`.
    pub(super) const fn methods(self) -> &'static str {
        "GET, HEAD"
    }

    /// What the log calls it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Page(_) => "data",
            Self::Table(_) => "data_table",
        }
    }
}

pub(super) async fn answer(server: &Server, place: Place, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let Some(source) = server.data.as_ref().filter(|_| server.api_keys.is_some()) else { return Err(Refusal::not_found()) };
    let query = Query::of(request)?;
    let keys = OwnKeys::of(server, who).await?;
    let (Place::Page(kind) | Place::Table(kind)) = place;
    let Some(key) = keys.chosen(query.value("key"), kind)? else { return page::without_keys(server, who, kind) };
    let asked = Asked::of(place, key.id, &query);
    let reading = Reading { server, who, keys: &keys, key, asked: &asked };
    match ask::ask(server, source, key, place, &asked).await? {
        Outcome::Refused(fault) => reading.refused(&fault),
        Outcome::Answered(response) if matches!(place, Place::Table(_)) => table::answer(&asked, response),
        Outcome::Answered(response) => reading.show(response).await,
    }
}

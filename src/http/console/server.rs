use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;

use super::data::Source;
use super::visit::Visit;
use crate::directory::Definition;
use crate::domain::Line;
use crate::http::Office;
use crate::http::issuer::Issuer;
use crate::http::requests::Requests;

/// The service as one request finds it: everything that a page needs.
pub(super) struct Server {
    pub(super) shared: Arc<Shared>,
    pub(super) visit: Visit,
}

impl Deref for Server {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

/// What all requests share.
pub(super) struct Shared {
    pub(super) office: Office,
    pub(super) requests: Arc<Requests>,
    /// Where the world finds the pages.
    pub(super) address: Issuer,
    /// The name of it all.
    pub(super) site: Line,
    /// Where the school is.
    pub(super) zone: TimeZone,
    pub(super) lifetimes: Lifetimes,
    /// Where the school's data is read, if it is read here.
    pub(super) data: Option<Source>,
}

impl Deref for Shared {
    type Target = Office;

    fn deref(&self) -> &Office {
        &self.office
    }
}

impl Shared {
    /// The lists of the data API.
    pub(super) fn lists(&self) -> Vec<&Definition> {
        match &self.data {
            Some(source) => source.room.definitions(),
            None => self.office.school_resources().definitions().to_vec(),
        }
    }

    /// Where a browser finds something of ours, from the root of the host.
    pub(super) fn at(&self, path: &str) -> String {
        format!("{}{path}", self.address.path())
    }
}

/// How long people stay signed in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lifetimes {
    /// Without doing anything.
    pub(super) idle: Duration,
    /// Whatever they do.
    pub(super) absolute: Duration,
}

use std::sync::{Arc, OnceLock};

use super::column::Column;
use super::facet::{Facet, Postings};
use super::order::Order;
use super::selection::Selection;
use super::shelf::{Entry, Identified, Shelf};
use crate::directory::changes::{ChangesQuery, Delta};
use crate::directory::history::History;
use crate::domain::{ClubFilter, ClubId, ClubProfile, ClubQuery, ClubSort, ClubStatus, ClubType, Page, Record, Year};

/// The clubs, laid out for reading.
#[derive(Default)]
pub(in crate::directory) struct Clubs {
    shelf: Shelf<ClubProfile>,
    kind: Facet<ClubType>,
    status: Facet<ClubStatus>,
    founded_year: Postings<Year>,
    name: Column,
    orders: [OnceLock<Order>; ClubSort::ALL.len()],
}

impl Clubs {
    /// These clubs after some changed, in ascending order of id.
    pub(in crate::directory) fn after(&self, entries: Vec<Entry<ClubProfile>>) -> Self {
        let (shelf, moves) = self.shelf.after(entries.into_iter());
        let laid = (&shelf, &moves);
        Self {
            kind: Facet::new(&shelf, |profile| Some(profile.club.kind)),
            status: Facet::new(&shelf, |profile| Some(profile.club.status())),
            founded_year: Postings::new(&shelf, |profile| Some(profile.club.years.first())),
            name: Column::new(laid, &self.name, |profile| Some(&profile.club.name)),
            orders: Default::default(),
            shelf,
        }
    }

    pub(in crate::directory) fn len(&self) -> usize {
        self.shelf.len()
    }

    /// The club with this id.
    pub(in crate::directory) fn get(&self, id: ClubId) -> Option<&Arc<Record<ClubProfile>>> {
        self.shelf.get(id)
    }

    pub(in crate::directory) fn page(&self, query: &ClubQuery) -> Page<'_, ClubProfile> {
        self.shelf.page(&self.select(&query.filter), self.order(query.sort), query.direction, query.page)
    }

    pub(in crate::directory) fn delta(&self, history: History<'_>, query: &ChangesQuery<ClubFilter>) -> Delta<ClubProfile> {
        self.shelf.delta(&self.select(&query.filter), history, query)
    }

    fn select(&self, filter: &ClubFilter) -> Selection {
        let mut selected = Selection::all(self.shelf.len());
        if let Some(id) = filter.id {
            selected.keep_only(self.shelf.position(id).into_iter());
        }
        self.founded_year.keep(filter.founded_year, &mut selected);
        self.kind.keep(filter.kind, &mut selected);
        self.status.keep(filter.status, &mut selected);
        self.name.keep(filter.name.as_ref(), &mut selected);
        selected
    }

    /// `None` is the order of the shelf.
    fn order(&self, sort: ClubSort) -> Option<&Order> {
        let by = |sorted: fn(&Shelf<ClubProfile>) -> Order| Some(self.orders[sort as usize].get_or_init(|| sorted(&self.shelf)));
        match sort {
            ClubSort::Id => None,
            ClubSort::Name => by(|shelf| Order::new(shelf, |profile| Some(profile.club.name.as_str()))),
            ClubSort::Type => by(|shelf| Order::new(shelf, |profile| Some(profile.club.kind.as_str()))),
            ClubSort::FoundedYear => by(|shelf| Order::new(shelf, |profile| Some(profile.club.years.first()))),
            ClubSort::AbolishedYear => by(|shelf| Order::new(shelf, |profile| profile.club.years.last())),
            ClubSort::Status => by(|shelf| Order::new(shelf, |profile| Some(profile.club.status().as_str()))),
        }
    }
}

impl Identified for ClubProfile {
    type Id = ClubId;

    fn number(id: ClubId) -> i64 {
        id.get()
    }
}

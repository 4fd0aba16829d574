use std::sync::{Arc, OnceLock};

use super::column::Column;
use super::facet::{Facet, Postings};
use super::order::Order;
use super::selection::Selection;
use super::shelf::{Entry, Identified, Shelf};
use crate::directory::changes::{ChangesQuery, Delta};
use crate::directory::history::History;
use crate::domain::{ClubId, Page, ProjectFilter, ProjectId, ProjectProfile, ProjectQuery, ProjectSort, ProjectStatus, Record};

/// The projects, laid out for reading.
#[derive(Default)]
pub(in crate::directory) struct Projects {
    shelf: Shelf<ProjectProfile>,
    status: Facet<ProjectStatus>,
    club: Postings<ClubId>,
    name: Column,
    by_name: OnceLock<Order>,
}

impl Projects {
    /// These projects after some changed, in ascending order of id.
    pub(in crate::directory) fn after(&self, entries: Vec<Entry<ProjectProfile>>) -> Self {
        let (shelf, moves) = self.shelf.after(entries.into_iter());
        let laid = (&shelf, &moves);
        Self {
            status: Facet::new(&shelf, |profile| Some(profile.project.status())),
            club: Postings::new(&shelf, |profile| profile.project.club),
            name: Column::new(laid, &self.name, |profile| Some(&profile.project.name)),
            by_name: OnceLock::new(),
            shelf,
        }
    }

    pub(in crate::directory) fn len(&self) -> usize {
        self.shelf.len()
    }

    /// The project with this id.
    pub(in crate::directory) fn get(&self, id: ProjectId) -> Option<&Arc<Record<ProjectProfile>>> {
        self.shelf.get(id)
    }

    /// Every project.
    pub(in crate::directory) fn all(&self) -> impl Iterator<Item = &ProjectProfile> {
        self.shelf.values()
    }

    /// The projects of a club.
    pub(in crate::directory) fn of_club(&self, club: ClubId) -> impl Iterator<Item = &ProjectProfile> {
        self.club.positions(club).map(|position| self.shelf.record_at(position).value())
    }

    pub(in crate::directory) fn page(&self, query: &ProjectQuery) -> Page<'_, ProjectProfile> {
        self.shelf.page(&self.select(&query.filter), self.order(query.sort), query.direction, query.page)
    }

    pub(in crate::directory) fn delta(&self, history: History<'_>, query: &ChangesQuery<ProjectFilter>) -> Delta<ProjectProfile> {
        self.shelf.delta(&self.select(&query.filter), history, query)
    }

    fn select(&self, filter: &ProjectFilter) -> Selection {
        let mut selected = Selection::all(self.shelf.len());
        if let Some(id) = filter.id {
            selected.keep_only(self.shelf.position(id).into_iter());
        }
        self.club.keep(filter.club, &mut selected);
        self.status.keep(filter.status, &mut selected);
        self.name.keep(filter.name.as_ref(), &mut selected);
        selected
    }

    /// `None` is the order of the shelf.
    fn order(&self, sort: ProjectSort) -> Option<&Order> {
        match sort {
            ProjectSort::Id => None,
            ProjectSort::Name => Some(self.by_name.get_or_init(|| Order::new(&self.shelf, |profile| Some(profile.project.name.as_str())))),
        }
    }
}

impl Identified for ProjectProfile {
    type Id = ProjectId;

    fn number(id: ProjectId) -> i64 {
        id.get()
    }
}

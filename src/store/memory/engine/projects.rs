use std::sync::OnceLock;

use super::column::Column;
use super::facet::{Facet, Postings};
use super::order::Order;
use super::selection::Selection;
use super::shelf::{Identified, Shelf};
use crate::domain::{ClubId, Page, ProjectFilter, ProjectId, ProjectProfile, ProjectQuery, ProjectSort, ProjectStatus};
use crate::store::{ChangesQuery, DatasetVersion, Delta};

/// The projects, laid out for reading.
#[derive(Default)]
pub(in crate::store::memory) struct Projects {
    shelf: Shelf<ProjectProfile>,
    status: Facet<ProjectStatus>,
    club: Postings<ClubId>,
    name: Column,
    by_name: OnceLock<Order>,
}

impl Projects {
    /// Lays out projects that come in id order, in the state of this number, taking over from `before` what has not changed.
    pub(in crate::store::memory) fn new(profiles: impl Iterator<Item = ProjectProfile>, number: u64, before: &Self) -> Self {
        let shelf = Shelf::new(profiles, number, &before.shelf);
        Self {
            status: Facet::new(&shelf, |profile| Some(profile.project.status())),
            club: Postings::new(&shelf, |profile| profile.project.club),
            name: Column::new(&shelf, &before.name, |profile| Some(&profile.project.name)),
            by_name: OnceLock::new(),
            shelf,
        }
    }

    pub(in crate::store::memory) fn page(&self, query: &ProjectQuery) -> Page<ProjectProfile> {
        self.shelf.page(&self.select(&query.filter), self.order(query.sort), query.direction, query.page)
    }

    pub(in crate::store::memory) fn delta(&self, present: DatasetVersion, query: &ChangesQuery<ProjectFilter>) -> Delta<ProjectProfile> {
        self.shelf.delta(&self.select(&query.filter), present, query)
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
            ProjectSort::Name => {
                Some(self.by_name.get_or_init(|| Order::new(self.shelf.values(), |profile| Some(profile.project.name.as_str()))))
            }
        }
    }
}

impl Identified for ProjectProfile {
    type Id = ProjectId;

    fn id(&self) -> ProjectId {
        self.project.id
    }

    fn number(id: ProjectId) -> i64 {
        id.get()
    }
}

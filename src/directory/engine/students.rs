use std::sync::{Arc, OnceLock};

use super::column::Column;
use super::facet::{Facet, Postings};
use super::order::Order;
use super::selection::Selection;
use super::shelf::{Entry, Identified, Moves, Shelf};
use crate::directory::changes::{ChangesQuery, Delta};
use crate::directory::history::History;
use crate::domain::{
    ClassNum, DormitoryRoom, Email, Enrolment, GithubId, Grade, Major, Page, Record, SeatNumber, Sex, StudentFilter, StudentId,
    StudentProfile, StudentQuery, StudentRole, StudentSort,
};

/// The students, laid out for reading.
#[derive(Default)]
pub(in crate::directory) struct Students {
    shelf: Shelf<StudentProfile>,
    sex: Facet<Sex>,
    role: Facet<StudentRole>,
    grade: Facet<Grade>,
    class_num: Facet<ClassNum>,
    number: Facet<SeatNumber>,
    major: Facet<Major>,
    dormitory_room: Postings<DormitoryRoom>,
    name: Column,
    email: Column,
    specialty: Column,
    github_id: Column,
    /// The positions by folded address.
    by_email: OnceLock<Vec<u32>>,
    orders: [OnceLock<Order>; StudentSort::ALL.len()],
}

impl Students {
    /// These students after some changed, in ascending order of id.
    pub(in crate::directory) fn after(&self, entries: impl Iterator<Item = Entry<StudentProfile>>) -> Self {
        let (shelf, moves) = self.shelf.after(entries);
        let laid = (&shelf, &moves);
        let email = Column::new(laid, &self.email, |profile| Some(profile.student.email.as_str()));
        Self {
            sex: Facet::new(&shelf, |profile| Some(profile.student.sex)),
            role: Facet::new(&shelf, |profile| Some(profile.student.role())),
            grade: Facet::new(&shelf, |profile| enrolment(profile).map(|enrolment| enrolment.grade)),
            class_num: Facet::new(&shelf, |profile| enrolment(profile).map(|enrolment| enrolment.class_num)),
            number: Facet::new(&shelf, |profile| enrolment(profile).map(|enrolment| enrolment.number)),
            major: Facet::new(&shelf, |profile| enrolment(profile).map(|enrolment| enrolment.major)),
            dormitory_room: Postings::new(&shelf, |profile| enrolment(profile)?.dormitory_room),
            name: Column::new(laid, &self.name, |profile| Some(&profile.student.name)),
            specialty: Column::new(laid, &self.specialty, |profile| profile.student.specialty.as_deref()),
            github_id: Column::new(laid, &self.github_id, |profile| profile.student.github_id.as_ref().map(GithubId::as_str)),
            by_email: self.by_email.get().map_or_else(OnceLock::new, |before| OnceLock::from(email.resorted(before, &moves))),
            email,
            // An order that was asked for before will be asked for again: no reader waits until it is sorted.
            orders: std::array::from_fn(|at| {
                let before = self.orders[at].get().map(|before| order(&shelf, StudentSort::ALL[at], Some((before, &moves))));
                before.map_or_else(OnceLock::new, OnceLock::from)
            }),
            shelf,
        }
    }

    pub(in crate::directory) fn len(&self) -> usize {
        self.shelf.len()
    }

    /// The student with this id.
    pub(in crate::directory) fn get(&self, id: StudentId) -> Option<&Arc<Record<StudentProfile>>> {
        self.shelf.get(id)
    }

    /// The students with this address, in any case.
    pub(in crate::directory) fn with_email(&self, email: &Email) -> impl Iterator<Item = &Arc<Record<StudentProfile>>> {
        let sorted = self.by_email.get_or_init(|| self.email.sorted());
        let folded = email.folded();
        let from = sorted.partition_point(|position| self.email.at(*position as usize) < folded.as_str());
        let same = move |position: &&u32| self.email.at(**position as usize) == folded;
        sorted[from..].iter().take_while(same).map(|position| self.shelf.record_at(*position as usize))
    }

    pub(in crate::directory) fn page(&self, query: &StudentQuery) -> Page<'_, StudentProfile> {
        self.shelf.page(&self.select(&query.filter), self.order(query.sort), query.direction, query.page)
    }

    pub(in crate::directory) fn delta(&self, history: History<'_>, query: &ChangesQuery<StudentFilter>) -> Delta<StudentProfile> {
        self.shelf.delta(&self.select(&query.filter), history, query)
    }

    /// About how many records are looked at for a page: all of them where texts are searched, or an order is made, or one is walked along past
    /// those that are ruled out.
    pub(in crate::directory) fn looked_at(&self, query: &StudentQuery) -> usize {
        let StudentQuery { filter, sort, page, .. } = query;
        let is_searched = filter.name.is_some() || filter.email.is_some() || filter.specialty.is_some() || filter.github_id.is_some();
        let finds_all = *filter == StudentFilter { enrolment: filter.enrolment, ..StudentFilter::default() }
            && StudentRole::ALL.iter().all(|role| filter.enrolment.admits(*role) || !self.role.has(*role));
        let is_laid_out = *sort == StudentSort::Id || (finds_all && self.orders[*sort as usize].get().is_some());
        if is_searched || !is_laid_out { self.len() } else { page.size() as usize }
    }

    fn select(&self, filter: &StudentFilter) -> Selection {
        let mut selected = Selection::all(self.shelf.len());
        if let Some(id) = filter.id {
            selected.keep_only(self.shelf.position(id).into_iter());
        }
        self.dormitory_room.keep(filter.dormitory_room, &mut selected);
        self.sex.keep(filter.sex, &mut selected);
        self.role.keep(filter.role, &mut selected);
        self.grade.keep(filter.grade, &mut selected);
        self.class_num.keep(filter.class_num, &mut selected);
        self.number.keep(filter.number, &mut selected);
        self.major.keep(filter.major, &mut selected);
        for role in StudentRole::ALL.iter().filter(|role| !filter.enrolment.admits(**role)) {
            self.role.exclude(*role, &mut selected);
        }
        self.name.keep(filter.name.as_ref(), &mut selected);
        self.email.keep(filter.email.as_ref(), &mut selected);
        self.specialty.keep(filter.specialty.as_ref(), &mut selected);
        self.github_id.keep(filter.github_id.as_ref(), &mut selected);
        selected
    }

    /// `None` is the order of the shelf.
    fn order(&self, sort: StudentSort) -> Option<&Order> {
        (sort != StudentSort::Id).then(|| self.orders[sort as usize].get_or_init(|| order(&self.shelf, sort, None)))
    }
}

/// The order of the students by this, made of the one before if there is one.
fn order(shelf: &Shelf<StudentProfile>, sort: StudentSort, before: Option<(&Order, &Moves)>) -> Order {
    fn by<'a, K: Ord>(
        shelf: &'a Shelf<StudentProfile>,
        before: Option<(&Order, &Moves)>,
        key: impl Fn(&'a StudentProfile) -> Option<K> + Copy,
    ) -> Order {
        before.map_or_else(|| Order::new(shelf, key), |(order, moves)| order.after(shelf, moves, key))
    }
    match sort {
        StudentSort::Id => by(shelf, before, |profile| Some(profile.student.id)),
        StudentSort::Name => by(shelf, before, |profile| Some(profile.student.name.as_str())),
        StudentSort::Email => by(shelf, before, |profile| Some(profile.student.email.as_str())),
        StudentSort::StudentNumber => by(shelf, before, |profile| enrolment(profile).map(Enrolment::student_number)),
        StudentSort::Grade => by(shelf, before, |profile| Some(enrolment(profile)?.grade)),
        StudentSort::ClassNum => by(shelf, before, |profile| Some(enrolment(profile)?.class_num)),
        StudentSort::Number => by(shelf, before, |profile| Some(enrolment(profile)?.number)),
        StudentSort::Major => by(shelf, before, |profile| Some(enrolment(profile)?.major.as_str())),
        StudentSort::Role => by(shelf, before, |profile| Some(profile.student.role().as_str())),
        StudentSort::Sex => by(shelf, before, |profile| Some(profile.student.sex.as_str())),
        StudentSort::DormitoryRoom => by(shelf, before, |profile| enrolment(profile)?.dormitory_room),
    }
}

impl Identified for StudentProfile {
    type Id = StudentId;

    fn number(id: StudentId) -> i64 {
        id.get()
    }
}

fn enrolment(profile: &StudentProfile) -> Option<&Enrolment> {
    profile.student.enrolment()
}

//! What a change of the school brings with it, and when it is refused.

use std::sync::Arc;

use super::school::School;
use super::table::Table;
use crate::domain::{Club, ClubId, ClubType, Project, Record, Standing, Student, StudentId};
use crate::store::{DirectoryChange, Refusal};

impl School {
    /// Makes one change. What was done before a refusal must be taken back.
    pub(super) fn make(&mut self, change: DirectoryChange) -> Result<(), Refusal> {
        match change {
            DirectoryChange::PutStudent(student) => self.put_student(student)?,
            DirectoryChange::RemoveStudent(id) => self.remove_student(id),
            DirectoryChange::PutClub(club) => self.put_club(club)?,
            DirectoryChange::RemoveClub(id) => self.remove_club(id),
            DirectoryChange::PutProject(project) => self.put_project(project)?,
            DirectoryChange::RemoveProject(id) => self.projects.remove(&id),
            DirectoryChange::PutMeal(meal) => put_record(&mut self.meals, meal.id(), meal),
            DirectoryChange::RemoveMeal(id) => self.meals.remove(&id),
            DirectoryChange::PutEvent(event) => put_record(&mut self.events, event.id.to_string(), event),
            DirectoryChange::RemoveEvent(id) => self.events.remove(&id),
            DirectoryChange::PutLesson(lesson) => put_record(&mut self.lessons, lesson.id.to_string(), lesson),
            DirectoryChange::RemoveLesson(id) => self.lessons.remove(&id),
        }
        Ok(())
    }

    fn put_student(&mut self, student: Student) -> Result<(), Refusal> {
        if let Some(enrolment) = student.enrolment() {
            self.check_club(enrolment.major_club, ClubType::Major)?;
            self.check_club(enrolment.autonomous_club, ClubType::Autonomous)?;
        }
        self.leave_clubs(student.id, |club| !student.is_member_of(club));
        self.students.put(student.id, student);
        Ok(())
    }

    fn remove_student(&mut self, id: StudentId) {
        self.leave_clubs(id, |_| true);
        let joined: Vec<_> = self.projects.rows().filter(|project| project.participants.contains(&id)).map(|project| project.id).collect();
        for project in joined {
            self.projects.change(&project, |project| _ = project.participants.remove(&id));
        }
        self.students.remove(&id);
    }

    fn put_club(&mut self, club: Club) -> Result<(), Refusal> {
        let other_kind = self.clubs.row(&club.id).is_some_and(|before| before.kind != club.kind);
        if other_kind && self.students.rows().any(|student| student.is_member_of(club.id)) {
            return Err(Refusal::ClubHasMembers(club.id));
        }
        if let Some(leader) = club.leader {
            let student = self.students.row(&leader).ok_or(Refusal::UnknownStudent(leader))?;
            if !student.is_member_of(club.id) {
                return Err(Refusal::LeaderIsNoMember(leader));
            }
        }
        self.clubs.put(club.id, club);
        Ok(())
    }

    fn remove_club(&mut self, id: ClubId) {
        let members: Vec<_> = self.students.rows().filter(|student| student.is_member_of(id)).map(|student| student.id).collect();
        for member in members {
            self.students.change(&member, |student| leave_club(student, id));
        }
        let owned: Vec<_> = self.projects.rows().filter(|project| project.club == Some(id)).map(|project| project.id).collect();
        for project in owned {
            self.projects.change(&project, |project| project.club = None);
        }
        self.clubs.remove(&id);
    }

    fn put_project(&mut self, project: Project) -> Result<(), Refusal> {
        if let Some(club) = project.club.filter(|club| self.clubs.row(club).is_none()) {
            return Err(Refusal::UnknownClub(club));
        }
        if let Some(stranger) = project.participants.iter().find(|student| self.students.row(student).is_none()) {
            return Err(Refusal::UnknownStudent(*stranger));
        }
        self.projects.put(project.id, project);
        Ok(())
    }

    fn check_club(&self, club: Option<ClubId>, kind: ClubType) -> Result<(), Refusal> {
        let Some(id) = club else {
            return Ok(());
        };
        let club = self.clubs.row(&id).ok_or(Refusal::UnknownClub(id))?;
        if club.kind == kind { Ok(()) } else { Err(Refusal::WrongClubType(id)) }
    }

    /// Whoever leaves a club stops being its leader.
    fn leave_clubs(&mut self, id: StudentId, leaves: impl Fn(ClubId) -> bool) {
        let before = self.students.row(&id).and_then(Student::enrolment);
        let clubs = before.map_or([None, None], |enrolment| [enrolment.major_club, enrolment.autonomous_club]);
        for club in clubs.into_iter().flatten().filter(|club| leaves(*club)) {
            if self.clubs.row(&club).is_some_and(|club| club.leader == Some(id)) {
                self.clubs.change(&club, |club| club.leader = None);
            }
        }
    }
}

fn leave_club(student: &mut Student, club: ClubId) {
    if let Standing::Enrolled(enrolment) = &mut student.standing {
        enrolment.major_club.take_if(|member_of| *member_of == club);
        enrolment.autonomous_club.take_if(|member_of| *member_of == club);
    }
}

/// A record that is put again as it was stays the same record, with its rendering.
fn put_record<T: PartialEq>(table: &mut Table<String, Arc<Record<T>>>, id: String, value: T) {
    if table.row(&id).is_none_or(|record| *record.value() != value) {
        table.put(id, Arc::new(Record::new(value)));
    }
}

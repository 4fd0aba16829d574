//! Constraints between records: the consequences of a change, and the changes that are rejected.

use std::collections::HashMap;

use super::change::{DirectoryChange, RejectionReason};
use super::write_batch::WriteBatch;
use crate::domain::{
    Club, ClubId, ClubType, EnrollmentStatus, Lesson, Project, Student, StudentId, StudentProfile,
};

impl WriteBatch<'_> {
    /// Applies the changes in order. The error is the index and reason of the first rejected one.
    pub(super) fn apply_all(
        &mut self,
        changes: &[DirectoryChange],
    ) -> Result<(), (usize, RejectionReason)> {
        changes.iter().enumerate().try_for_each(|(index, change)| {
            self.apply(change.clone()).map_err(|reason| (index, reason))
        })?;
        self.taken_emails(changes)
            .into_iter()
            .next()
            .map_or(Ok(()), Err)
    }

    /// Applies the changes in order, without those that are rejected. Returns the index and reason
    /// of each.
    #[cfg(feature = "import")]
    pub(super) fn apply_each(
        &mut self,
        changes: &[DirectoryChange],
    ) -> Vec<(usize, RejectionReason)> {
        let mut rejected = Vec::new();
        for (index, change) in changes.iter().enumerate() {
            if let Err(reason) = self.apply(change.clone()) {
                rejected.push((index, reason));
            }
        }
        rejected.extend(self.taken_emails(changes));
        rejected
    }

    /// The changes that give a student the e-mail address of another one, judged after the whole
    /// batch, so that two students can exchange theirs. A student may keep an address, so that
    /// records from before this rule stay editable.
    fn taken_emails(&self, changes: &[DirectoryChange]) -> Vec<(usize, RejectionReason)> {
        let keeps = |student: &Student| {
            self.student_before(student.id)
                .is_some_and(|before| before.email.folded() == student.email.folded())
        };
        let mut owners: HashMap<String, StudentId> = self
            .students
            .values()
            .flatten()
            .filter(|student| keeps(student))
            .map(|student| (student.email.folded(), student.id))
            .collect();
        let mut rejected = Vec::new();
        for (index, change) in changes.iter().enumerate() {
            let DirectoryChange::PutStudent(put) = change else {
                continue;
            };
            // A later change may have replaced or removed the student.
            let is_kept = self
                .student(put.id)
                .is_some_and(|student| student.email == put.email);
            if !is_kept || keeps(put) {
                continue;
            }
            let email = put.email.folded();
            let in_batch = owners.get(&email).copied().filter(|id| *id != put.id);
            match in_batch.or_else(|| self.unchanged_owner(put)) {
                Some(owner) => rejected.push((index, RejectionReason::EmailTaken(owner))),
                None => _ = owners.insert(email, put.id),
            }
        }
        rejected
    }

    fn apply(&mut self, change: DirectoryChange) -> Result<(), RejectionReason> {
        match change {
            DirectoryChange::PutStudent(student) => self.put_student(student)?,
            DirectoryChange::RemoveStudent(id) => self.remove_student(id),
            DirectoryChange::PutClub(club) => self.put_club(club)?,
            DirectoryChange::RemoveClub(id) => self.remove_club(id),
            DirectoryChange::PutProject(project) => self.put_project(project)?,
            DirectoryChange::RemoveProject(id) => self.set_project(id, None),
            DirectoryChange::PutMeal(meal) => _ = self.meals.insert(meal.id(), Some(meal)),
            DirectoryChange::RemoveMeal(id) => _ = self.meals.insert(id, None),
            DirectoryChange::PutEvent(event) => {
                _ = self.events.insert(event.id.to_string(), Some(event))
            }
            DirectoryChange::RemoveEvent(id) => _ = self.events.insert(id, None),
            DirectoryChange::PutLesson(lesson) => self.put_lesson(lesson)?,
            DirectoryChange::RemoveLesson(id) => _ = self.lessons.insert(id, None),
        }
        Ok(())
    }

    fn put_lesson(&mut self, lesson: Lesson) -> Result<(), RejectionReason> {
        let before = self.lesson_before(&lesson.id);
        self.resources
            .timetables
            .check(&lesson, before)
            .map_err(|(field, rule)| RejectionReason::OutOfBounds { field, rule })?;
        self.lessons.insert(lesson.id.to_string(), Some(lesson));
        Ok(())
    }

    /// Rejects a grade, class, seat number or major outside the school's bounds, unless the student
    /// had it before.
    fn check_bounds(&self, student: &Student) -> Result<(), RejectionReason> {
        let bare = |student: &Student| StudentProfile {
            student: student.clone(),
            major_club: None,
            autonomous_club: None,
        };
        let before = self.student_before(student.id).map(bare);
        self.resources
            .students
            .check(&bare(student), before.as_ref())
            .map_err(|(field, rule)| RejectionReason::OutOfBounds { field, rule })
    }

    fn put_student(&mut self, student: Student) -> Result<(), RejectionReason> {
        self.check_bounds(&student)?;
        if let Some(enrollment) = student.enrollment() {
            self.check_club(enrollment.major_club, ClubType::Major)?;
            self.check_club(enrollment.autonomous_club, ClubType::Autonomous)?;
        }
        self.clear_leaderships(student.id, |club| !student.is_member_of(club));
        self.students.insert(student.id, Some(student));
        Ok(())
    }

    fn remove_student(&mut self, id: StudentId) {
        self.clear_leaderships(id, |_| true);
        for project in self.projects_of_student(id) {
            self.change_project(project, |project| _ = project.participants.remove(&id));
        }
        self.students.insert(id, None);
    }

    fn put_club(&mut self, club: Club) -> Result<(), RejectionReason> {
        let other_kind = self
            .club(club.id)
            .is_some_and(|before| before.kind != club.kind);
        if other_kind && !self.members_of(club.id).is_empty() {
            return Err(RejectionReason::ClubHasMembers(club.id));
        }
        if let Some(leader) = club.leader {
            let student = self
                .student(leader)
                .ok_or(RejectionReason::UnknownStudent(leader))?;
            if !student.is_member_of(club.id) {
                return Err(RejectionReason::LeaderIsNotMember(leader));
            }
        }
        self.clubs.insert(club.id, Some(club));
        Ok(())
    }

    fn remove_club(&mut self, id: ClubId) {
        for member in self.members_of(id) {
            let Some(mut student) = self.student(member).cloned() else {
                continue;
            };
            leave_club(&mut student, id);
            self.students.insert(member, Some(student));
        }
        for project in self.projects_of_club(id) {
            self.change_project(project, |project| project.club = None);
        }
        self.clubs.insert(id, None);
    }

    fn put_project(&mut self, project: Project) -> Result<(), RejectionReason> {
        if let Some(club) = project.club.filter(|club| self.club(*club).is_none()) {
            return Err(RejectionReason::UnknownClub(club));
        }
        if let Some(stranger) = project
            .participants
            .iter()
            .find(|student| self.student(**student).is_none())
        {
            return Err(RejectionReason::UnknownStudent(*stranger));
        }
        self.set_project(project.id, Some(project));
        Ok(())
    }

    fn check_club(&self, club: Option<ClubId>, kind: ClubType) -> Result<(), RejectionReason> {
        let Some(id) = club else {
            return Ok(());
        };
        let club = self.club(id).ok_or(RejectionReason::UnknownClub(id))?;
        if club.kind == kind {
            Ok(())
        } else {
            Err(RejectionReason::WrongClubType(id))
        }
    }

    /// Removes the student as leader of the clubs that they leave.
    fn clear_leaderships(&mut self, id: StudentId, leaves: impl Fn(ClubId) -> bool) {
        let before = self.student(id).and_then(Student::enrollment);
        let clubs = before.map_or([None, None], |enrollment| {
            [enrollment.major_club, enrollment.autonomous_club]
        });
        for club in clubs.into_iter().flatten().filter(|club| leaves(*club)) {
            let led = self
                .club(club)
                .filter(|club| club.leader == Some(id))
                .cloned();
            if let Some(led) = led {
                self.clubs.insert(
                    club,
                    Some(Club {
                        leader: None,
                        ..led
                    }),
                );
            }
        }
    }
}

fn leave_club(student: &mut Student, club: ClubId) {
    if let EnrollmentStatus::Enrolled(enrollment) = &mut student.enrollment_status {
        enrollment
            .major_club
            .take_if(|member_of| *member_of == club);
        enrollment
            .autonomous_club
            .take_if(|member_of| *member_of == club);
    }
}

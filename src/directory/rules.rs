//! What a change of the school brings with it, and when it is refused.

use super::change::{DirectoryChange, Refusal};
use super::draft::Draft;
use crate::domain::{Club, ClubId, ClubType, Lesson, Project, Standing, Student, StudentId, StudentProfile};

impl Draft<'_> {
    /// Makes the changes in their order, up to the first that cannot be made: its place and the reason.
    pub(super) fn make_all(&mut self, changes: &[DirectoryChange]) -> Result<(), (usize, Refusal)> {
        changes.iter().enumerate().try_for_each(|(index, change)| self.make(change.clone()).map_err(|refusal| (index, refusal)))
    }

    fn make(&mut self, change: DirectoryChange) -> Result<(), Refusal> {
        match change {
            DirectoryChange::PutStudent(student) => self.put_student(student)?,
            DirectoryChange::RemoveStudent(id) => self.remove_student(id),
            DirectoryChange::PutClub(club) => self.put_club(club)?,
            DirectoryChange::RemoveClub(id) => self.remove_club(id),
            DirectoryChange::PutProject(project) => self.put_project(project)?,
            DirectoryChange::RemoveProject(id) => self.set_project(id, None),
            DirectoryChange::PutMeal(meal) => _ = self.meals.insert(meal.id(), Some(meal)),
            DirectoryChange::RemoveMeal(id) => _ = self.meals.insert(id, None),
            DirectoryChange::PutEvent(event) => _ = self.events.insert(event.id.to_string(), Some(event)),
            DirectoryChange::RemoveEvent(id) => _ = self.events.insert(id, None),
            DirectoryChange::PutLesson(lesson) => self.put_lesson(lesson)?,
            DirectoryChange::RemoveLesson(id) => _ = self.lessons.insert(id, None),
        }
        Ok(())
    }

    fn put_lesson(&mut self, lesson: Lesson) -> Result<(), Refusal> {
        let before = self.lesson_before(&lesson.id);
        self.resources.timetables.check(&lesson, before).map_err(|(field, rule)| Refusal::OutOfBounds { field, rule })?;
        self.lessons.insert(lesson.id.to_string(), Some(lesson));
        Ok(())
    }

    /// Refuses what is none of the school's grades, classes, numbers and majors, unless the student had it before.
    fn check_bounds(&self, student: &Student) -> Result<(), Refusal> {
        let bare = |student: &Student| StudentProfile { student: student.clone(), major_club: None, autonomous_club: None };
        let before = self.student_before(student.id).map(bare);
        self.resources.students.check(&bare(student), before.as_ref()).map_err(|(field, rule)| Refusal::OutOfBounds { field, rule })
    }

    fn put_student(&mut self, student: Student) -> Result<(), Refusal> {
        self.check_bounds(&student)?;
        if let Some(enrolment) = student.enrolment() {
            self.check_club(enrolment.major_club, ClubType::Major)?;
            self.check_club(enrolment.autonomous_club, ClubType::Autonomous)?;
        }
        self.leave_clubs(student.id, |club| !student.is_member_of(club));
        self.students.insert(student.id, Some(student));
        Ok(())
    }

    fn remove_student(&mut self, id: StudentId) {
        self.leave_clubs(id, |_| true);
        for project in self.projects_joined_by(id) {
            self.change_project(project, |project| _ = project.participants.remove(&id));
        }
        self.students.insert(id, None);
    }

    fn put_club(&mut self, club: Club) -> Result<(), Refusal> {
        let other_kind = self.club(club.id).is_some_and(|before| before.kind != club.kind);
        if other_kind && !self.members_of(club.id).is_empty() {
            return Err(Refusal::ClubHasMembers(club.id));
        }
        if let Some(leader) = club.leader {
            let student = self.student(leader).ok_or(Refusal::UnknownStudent(leader))?;
            if !student.is_member_of(club.id) {
                return Err(Refusal::LeaderIsNoMember(leader));
            }
        }
        self.clubs.insert(club.id, Some(club));
        Ok(())
    }

    fn remove_club(&mut self, id: ClubId) {
        for member in self.members_of(id) {
            let Some(mut student) = self.student(member).cloned() else { continue };
            leave_club(&mut student, id);
            self.students.insert(member, Some(student));
        }
        for project in self.projects_of_club(id) {
            self.change_project(project, |project| project.club = None);
        }
        self.clubs.insert(id, None);
    }

    fn put_project(&mut self, project: Project) -> Result<(), Refusal> {
        if let Some(club) = project.club.filter(|club| self.club(*club).is_none()) {
            return Err(Refusal::UnknownClub(club));
        }
        if let Some(stranger) = project.participants.iter().find(|student| self.student(**student).is_none()) {
            return Err(Refusal::UnknownStudent(*stranger));
        }
        self.set_project(project.id, Some(project));
        Ok(())
    }

    fn check_club(&self, club: Option<ClubId>, kind: ClubType) -> Result<(), Refusal> {
        let Some(id) = club else {
            return Ok(());
        };
        let club = self.club(id).ok_or(Refusal::UnknownClub(id))?;
        if club.kind == kind { Ok(()) } else { Err(Refusal::WrongClubType(id)) }
    }

    /// A student who leaves a club stops being its leader.
    fn leave_clubs(&mut self, id: StudentId, leaves: impl Fn(ClubId) -> bool) {
        let before = self.student(id).and_then(Student::enrolment);
        let clubs = before.map_or([None, None], |enrolment| [enrolment.major_club, enrolment.autonomous_club]);
        for club in clubs.into_iter().flatten().filter(|club| leaves(*club)) {
            let led = self.club(club).filter(|club| club.leader == Some(id)).cloned();
            if let Some(led) = led {
                self.clubs.insert(club, Some(Club { leader: None, ..led }));
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

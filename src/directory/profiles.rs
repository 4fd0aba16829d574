//! Joins changed students, clubs and projects into the profiles that responses show.

use std::collections::HashMap;
use std::sync::Arc;

use super::engine::RecordChange;
use super::snapshot::Snapshot;
use super::write_batch::clubs_of;
use crate::domain::{
    Club, ClubId, ClubProfile, ClubSummary, Participant, Project, ProjectId, ProjectProfile,
    Student, StudentId, StudentProfile,
};
use crate::store::DirectoryRow;

/// Profiles of the changed records, in ascending order of id.
pub(super) struct Profiles<S> {
    pub(super) students: S,
    pub(super) clubs: Vec<RecordChange<ClubProfile>>,
    pub(super) projects: Vec<RecordChange<ProjectProfile>>,
}

/// The changed records, in ascending order of id.
pub(super) struct ProfileRows {
    pub(super) students: Vec<DirectoryRow<StudentId, Student>>,
    pub(super) clubs: Vec<DirectoryRow<ClubId, Club>>,
    pub(super) projects: Vec<DirectoryRow<ProjectId, Project>>,
}

/// Builds the profiles of `rows`; records that they refer to and that did not change come from
/// `base`. Student profiles are built lazily, so that a whole school is not held in memory twice.
pub(super) fn build_profiles(
    base: &Snapshot,
    rows: ProfileRows,
) -> Profiles<impl Iterator<Item = RecordChange<StudentProfile>>> {
    let (clubs, projects) = (club_profiles(base, &rows), project_profiles(base, &rows));
    let ProfileRows {
        students,
        clubs: club_rows,
        ..
    } = rows;
    let mut summaries: HashMap<ClubId, Option<Arc<ClubSummary>>> = HashMap::new();
    let students = students
        .into_iter()
        .map(move |DirectoryRow { id, changed, value }| {
            let mut summary = |club: ClubId| {
                let made = || {
                    changed_or(&club_rows, club, || base.club(club))
                        .map(|club| Arc::new(club.summary()))
                };
                summaries.entry(club).or_insert_with(made).clone()
            };
            let profile = |student: Student| {
                let clubs = student.enrollment().map_or([None, None], |enrollment| {
                    [enrollment.major_club, enrollment.autonomous_club]
                });
                let [major_club, autonomous_club] = clubs.map(|club| club.and_then(&mut summary));
                StudentProfile {
                    student,
                    major_club,
                    autonomous_club,
                }
            };
            RecordChange {
                id: id.get(),
                changed,
                value: value.map(profile),
            }
        });
    Profiles {
        students,
        clubs,
        projects,
    }
}

fn club_profiles(base: &Snapshot, rows: &ProfileRows) -> Vec<RecordChange<ClubProfile>> {
    let mut joined: HashMap<ClubId, Vec<Participant>> = HashMap::new();
    for student in rows.students.iter().filter_map(|row| row.value.as_ref()) {
        for club in clubs_of(student).filter(|club| position(&rows.clubs, *club).is_some()) {
            joined
                .entry(club)
                .or_default()
                .push(student.as_participant());
        }
    }
    let members = |club: ClubId, joined: &mut HashMap<ClubId, Vec<Participant>>| {
        let is_unchanged = |member: &&Participant| position(&rows.students, member.id).is_none();
        let mut members: Vec<Participant> = base
            .members(club)
            .iter()
            .filter(is_unchanged)
            .cloned()
            .collect();
        members.extend(joined.remove(&club).unwrap_or_default());
        members.sort_by_key(|member| member.id);
        members
    };
    let profile = |row: &DirectoryRow<ClubId, Club>| RecordChange {
        id: row.id.get(),
        changed: row.changed,
        value: row.value.clone().map(|club| ClubProfile {
            members: members(club.id, &mut joined),
            club,
        }),
    };
    rows.clubs.iter().map(profile).collect()
}

fn project_profiles(base: &Snapshot, rows: &ProfileRows) -> Vec<RecordChange<ProjectProfile>> {
    let summary = |club: Option<ClubId>| -> Option<ClubSummary> {
        club.and_then(|id| changed_or(&rows.clubs, id, || base.club(id)))
            .map(Club::summary)
    };
    let profile = |project: &Project| {
        let participants = project
            .participants
            .iter()
            .filter_map(|id| changed_or(&rows.students, *id, || base.student(*id)));
        ProjectProfile {
            participants: participants.map(Student::as_participant).collect(),
            club: summary(project.club),
            project: project.clone(),
        }
    };
    rows.projects
        .iter()
        .map(|row| RecordChange {
            id: row.id.get(),
            changed: row.changed,
            value: row.value.as_ref().map(profile),
        })
        .collect()
}

fn position<I: Ord, T>(rows: &[DirectoryRow<I, T>], id: I) -> Option<usize> {
    rows.binary_search_by(|row| row.id.cmp(&id)).ok()
}

/// Returns the record of the row with this id, or the `unchanged` one if there is no such row.
fn changed_or<'a, I: Ord, T>(
    rows: &'a [DirectoryRow<I, T>],
    id: I,
    unchanged: impl FnOnce() -> Option<&'a T>,
) -> Option<&'a T> {
    match position(rows, id) {
        Some(at) => rows[at].value.as_ref(),
        None => unchanged(),
    }
}

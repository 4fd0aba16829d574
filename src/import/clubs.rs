use std::collections::{BTreeMap, BTreeSet};

use super::cells::{Cells, text, word};
use super::file::RowId;
use super::kind::{FileColumn, Kind, RowChange, RowErrors};
use super::lookup::Lookup;
use super::projects::years;
use super::refusal::{RefusalKind, RowError};
use crate::directory::{DirectoryChange, ListView, Resource, SchoolResources, Snapshot};
use crate::domain::{
    Club, ClubId, ClubProfile, ClubType, EnrollmentStatus, RecordKind, Student, StudentId,
};

pub(super) struct Clubs;

/// A club as a row has it.
#[derive(Clone)]
pub(super) struct ClubRow {
    club: Club,
    /// The members, if the file has them.
    members: Option<BTreeSet<StudentId>>,
}

impl Kind for Clubs {
    const KIND: RecordKind = RecordKind::Clubs;
    const COLUMNS: &'static [FileColumn] = &[
        FileColumn::optional("id"),
        FileColumn::required("name"),
        FileColumn::required("type"),
        FileColumn::required("foundedYear"),
        FileColumn::optional("abolishedYear"),
        FileColumn::optional("leader.id"),
        FileColumn::optional("leader.name"),
        FileColumn::optional("participants"),
    ];
    type Profile = ClubProfile;
    type Row = ClubRow;

    fn list(snapshot: &Snapshot) -> ListView<'_, ClubProfile> {
        snapshot.clubs()
    }

    fn resource(resources: &SchoolResources) -> &Resource<ClubProfile> {
        &resources.clubs
    }

    fn id(profile: &ClubProfile) -> i64 {
        profile.club.id.get()
    }

    fn name(profile: &ClubProfile) -> &str {
        &profile.club.name
    }

    fn is_same_record(one: &ClubProfile, other: &ClubProfile) -> bool {
        one.club == other.club
    }

    fn read(
        cells: Cells<'_>,
        id: i64,
        before: Option<&ClubProfile>,
        lookup: &Lookup<'_>,
    ) -> Result<ClubRow, RowError> {
        let before = before.map(|profile| &profile.club);
        let leader = lookup.leader(cells)?;
        let mut members = match cells.text("participants") {
            Some(cell) => Some(lookup.students("participants", cell)?),
            None => None,
        };
        // The leader need not be listed.
        if let (Some(members), Some(Some(leader))) = (&mut members, leader) {
            members.insert(leader);
        }
        let leader = leader.unwrap_or_else(|| {
            // The file no longer lists the leader as a member, so the leader leaves the club.
            let stays = |leader: &StudentId| members.as_ref().is_none_or(|it| it.contains(leader));
            before.and_then(|it| it.leader).filter(stays)
        });
        let club = Club {
            id: ClubId::new(id).map_err(|rule| RowError::value("id", &rule))?,
            name: cells.required("name", before.map(|it| it.name.clone()), text)?,
            kind: cells.required("type", before.map(|it| it.kind), word("type"))?,
            years: years(
                cells,
                ["foundedYear", "abolishedYear"],
                before.map(|it| it.years),
            )?,
            leader,
        };
        Ok(ClubRow { club, members })
    }

    /// Clubs come first without a new leader, who must be a member, then their members, and then the
    /// leaders.
    fn changes(
        rows: &[(RowId, ClubRow)],
        gone: &[i64],
        base: &Snapshot,
    ) -> Result<Vec<RowChange>, RowErrors> {
        let before = |club: ClubId| base.clubs().get(club.get()).map(|it| &it.club);
        let mut changes = Vec::new();
        for (id, row) in rows {
            let leader = before(row.club.id).and_then(|it| it.leader);
            let club = Club {
                leader,
                ..row.club.clone()
            };
            if before(club.id) != Some(&club) {
                changes.push((Some(*id), DirectoryChange::PutClub(club)));
            }
        }
        let members = moved_students(rows, base)?;
        changes.extend(
            members
                .into_iter()
                .map(|(id, student)| (Some(id), DirectoryChange::PutStudent(student))),
        );
        for (id, row) in rows {
            if row.club.leader != before(row.club.id).and_then(|it| it.leader) {
                changes.push((Some(*id), DirectoryChange::PutClub(row.club.clone())));
            }
        }
        let gone = gone.iter().filter_map(|id| ClubId::new(*id).ok());
        changes.extend(gone.map(|id| (None, DirectoryChange::RemoveClub(id))));
        Ok(changes)
    }
}

/// The students whose clubs change, each with the row that asks for it.
fn moved_students(
    rows: &[(RowId, ClubRow)],
    base: &Snapshot,
) -> Result<Vec<(RowId, Student)>, RowErrors> {
    let mut refused = Vec::new();
    let mut targets: BTreeMap<(StudentId, ClubType), (RowId, ClubId)> = BTreeMap::new();
    for (row, ClubRow { club, members }) in rows {
        for student in members.iter().flatten() {
            let other = targets.insert((*student, club.kind), (*row, club.id));
            if let Some((other, _)) = other {
                let place = other.place;
                let reason = format!("lists student {student}, who is in the club of {place}");
                let reason =
                    RowError::cell("participants", reason).with_kind(RefusalKind::OtherClub);
                refused.push((*row, reason));
            }
        }
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    let mut moved: BTreeMap<StudentId, (RowId, Student)> = BTreeMap::new();
    let mut set = |row: RowId, id: StudentId, kind: ClubType, club: Option<ClubId>| {
        let found = base.students().get(id.get()).map(|it| &it.student);
        let student = match moved.entry(id) {
            std::collections::btree_map::Entry::Occupied(entry) => &mut entry.into_mut().1,
            std::collections::btree_map::Entry::Vacant(entry) => {
                let Some(student) = found else { return false };
                &mut entry.insert((row, student.clone())).1
            }
        };
        let EnrollmentStatus::Enrolled(enrollment) = &mut student.enrollment_status else {
            return false;
        };
        match kind {
            ClubType::Major => enrollment.major_club = club,
            ClubType::Autonomous => enrollment.autonomous_club = club,
        }
        true
    };
    for (row, ClubRow { club, members }) in rows {
        let Some(members) = members else { continue };
        let profile = base.clubs().get(club.id.get());
        for member in profile.iter().flat_map(|it| &it.members) {
            if !members.contains(&member.id) && !targets.contains_key(&(member.id, club.kind)) {
                set(*row, member.id, club.kind, None);
            }
        }
    }
    for ((student, kind), (row, club)) in targets {
        if !set(row, student, kind, Some(club)) {
            let reason = format!("lists student {student}, who is not enrolled");
            let reason = RowError::cell("participants", reason).with_kind(RefusalKind::NotEnrolled);
            refused.push((row, reason));
        }
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    let is_changed = |student: &Student| {
        let before = base.students().get(student.id.get());
        before.is_none_or(|before| before.student != *student)
    };
    Ok(moved
        .into_values()
        .filter(|(_, student)| is_changed(student))
        .collect())
}

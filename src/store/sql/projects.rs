//! Projects.

use std::collections::BTreeMap;
use std::sync::Arc;

use sea_query::{Condition, Expr, ExprTrait, Order, Query};

use super::changes::{self, Kind};
use super::directory_store::records::{self, PROJECT_COLUMNS};
use super::executor::{Dialect, Executor, all};
use super::listing::{Listing, contains};
use super::padded::padded;
use super::row::Row;
use super::tables::{ProjectParticipants, Projects, Students};
use super::{clubs, participants};
use crate::domain::{Page, Participant, Project, ProjectFilter, ProjectId, ProjectProfile, ProjectQuery, ProjectSort, Record};
use crate::store::{ChangesQuery, Delta, StorageError};

pub(super) async fn projects(tx: &mut dyn Executor, query: ProjectQuery) -> Result<Page<ProjectProfile>, StorageError> {
    let listing = Listing {
        table: Projects::Table,
        columns: PROJECT_COLUMNS.to_vec(),
        wanted: wanted(tx.dialect(), &query.filter),
        sort: match query.sort {
            ProjectSort::Id => Projects::Id,
            ProjectSort::Name => Projects::Name,
        },
        sort_is_optional: false,
        id: Projects::Id,
        direction: query.direction,
        page: query.page,
    };
    let (total, rows) = listing.load(tx).await?;
    let projects = profiles(tx, rows).await?;
    Ok(Page { total, items: projects.into_iter().map(|project| Arc::new(Record::new(project))).collect() })
}

pub(super) async fn changes(tx: &mut dyn Executor, query: ChangesQuery<ProjectFilter>) -> Result<Delta<ProjectProfile>, StorageError> {
    let Some(told) = changes::since(tx, Kind::Project, &query).await? else { return Ok(Delta::CursorUnknown) };
    let wanted = wanted(tx.dialect(), &query.filter);
    let rows = told.rows(tx, Projects::Table, PROJECT_COLUMNS, Projects::Id, wanted).await?;
    Ok(told.with(profiles(tx, rows).await?, |profile| profile.project.id.get()))
}

/// The projects of these rows, in their order.
async fn profiles(tx: &mut dyn Executor, rows: Vec<Row>) -> Result<Vec<ProjectProfile>, StorageError> {
    let projects: Vec<_> = rows.into_iter().map(records::project).collect::<Result<_, _>>()?;
    let clubs = clubs::summaries(tx, projects.iter().filter_map(|project| project.club)).await?;
    let mut participants = participants_of(tx, projects.iter().map(|project| project.id)).await?;
    let profile = |project: Project| {
        let participants = participants.remove(&project.id).unwrap_or_default();
        ProjectProfile {
            club: project.club.and_then(|club| clubs.get(&club).cloned()),
            project: Project { participants: participants.iter().map(|participant| participant.id).collect(), ..project },
            participants,
        }
    };
    Ok(projects.into_iter().map(profile).collect())
}

/// Who takes part in these projects, in order of id.
async fn participants_of(
    tx: &mut dyn Executor,
    projects: impl Iterator<Item = ProjectId>,
) -> Result<BTreeMap<ProjectId, Vec<Participant>>, StorageError> {
    let ids = padded(projects.map(ProjectId::get));
    let mut participants = BTreeMap::<_, Vec<_>>::new();
    if ids.is_empty() {
        return Ok(participants);
    }
    let project_id = (ProjectParticipants::Table, ProjectParticipants::ProjectId);
    let student_id = (ProjectParticipants::Table, ProjectParticipants::StudentId);
    let students = Query::select()
        .column(project_id)
        .columns(participants::COLUMNS)
        .from(ProjectParticipants::Table)
        .inner_join(Students::Table, Expr::col((Students::Table, Students::Id)).equals(student_id))
        .and_where(Expr::col(project_id).is_in(ids))
        .order_by(project_id, Order::Asc)
        .order_by(student_id, Order::Asc)
        .take();
    for mut row in all(tx, &students).await? {
        let project = row.number("project_participants.project_id", ProjectId::new)?;
        participants.entry(project).or_default().push(participants::read(&mut row)?);
    }
    Ok(participants)
}

fn wanted(dialect: Dialect, filter: &ProjectFilter) -> Condition {
    Condition::all()
        .add_option(filter.id.map(|id| Expr::col(Projects::Id).eq(id.get())))
        .add_option(filter.name.as_ref().map(|name| contains(dialect, Projects::NameFolded, name)))
        .add_option(filter.club.map(|club| Expr::col(Projects::ClubId).eq(club.get())))
        .add_option(filter.status.map(|status| Expr::col(Projects::Status).eq(status.as_str())))
}

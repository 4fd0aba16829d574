//! The six kinds of records: their tables, and how they are read and written.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sea_query::{Expr, ExprTrait, Iden, Order, Query};

use super::{from_rows, to_rows};
use crate::domain::{
    Club, ClubId, Lesson, Meal, Project, ProjectId, SchoolEvent, Student, StudentId,
};
use crate::store::StorageError;
use crate::store::sql::batch_upsert::BatchUpsert;
use crate::store::sql::executor::{Executor, fetch_all};
use crate::store::sql::in_list_padding::pad_to_power_of_two;
use crate::store::sql::row::{Row, SqlValue};
use crate::store::sql::tables::{
    ChangeLog, Clubs, Events, Lessons, Meals, ProjectParticipants, Projects, Students,
};

/// Maximum number of ids in a statement.
pub(super) const MAX_IDS: usize = 1024;

/// A kind of record.
#[async_trait]
pub(super) trait StoredRecord: Clone + Send + Sync + 'static {
    type Id: StoredId;
    type Table: Iden + Copy + Send + Sync + 'static;
    type Row: IntoIterator<Item = (Self::Table, SqlValue)>;

    /// The kind's name in the change log.
    const KIND: &'static str;
    const TABLE: Self::Table;
    /// The column of the id.
    const ID: Self::Table;
    /// The columns that [`from_row`](Self::from_row) reads.
    const COLUMNS: &'static [Self::Table];

    fn id(&self) -> Self::Id;

    fn from_row(row: Row) -> Result<Self, StorageError>;

    /// All columns with their values, the id first.
    fn to_row(&self) -> Self::Row;

    /// The statements that write records of this kind.
    fn statements() -> &'static BatchUpsert;

    /// Reads the parts of the records that are in other tables.
    async fn load_related(
        _tx: &mut dyn Executor,
        _records: &mut [Self],
    ) -> Result<(), StorageError> {
        Ok(())
    }
}

/// An id, with the change log for its records.
pub(super) trait StoredId: Ord + Clone + Send + Sync + 'static {
    const LOG: ChangeLog;

    fn to_sql_value(&self) -> SqlValue;

    fn to_expr(&self) -> Expr;

    fn from_row(row: &mut Row) -> Result<Self, StorageError>;

    /// The statements that write rows of the log.
    fn statements() -> &'static BatchUpsert;

    /// Whether every database can store the id.
    fn is_storable(&self) -> bool {
        true
    }
}

macro_rules! numbered {
    ($($id:ident)+) => {$(
        impl StoredId for $id {
            const LOG: ChangeLog = ChangeLog::Changes;

            fn to_sql_value(&self) -> SqlValue {
                self.get().into()
            }

            fn to_expr(&self) -> Expr {
                self.get().into()
            }

            fn from_row(row: &mut Row) -> Result<Self, StorageError> {
                row.number("changes.record_id", Self::new)
            }

            fn statements() -> &'static BatchUpsert {
                static STATEMENTS: BatchUpsert = BatchUpsert::new();
                &STATEMENTS
            }
        }
    )+};
}

numbered!(StudentId ClubId ProjectId);

impl StoredId for String {
    const LOG: ChangeLog = ChangeLog::CalendarChanges;

    fn to_sql_value(&self) -> SqlValue {
        self.as_str().into()
    }

    fn to_expr(&self) -> Expr {
        self.as_str().into()
    }

    fn from_row(row: &mut Row) -> Result<Self, StorageError> {
        row.text("calendar_changes.record_id")
    }

    fn statements() -> &'static BatchUpsert {
        static STATEMENTS: BatchUpsert = BatchUpsert::new();
        &STATEMENTS
    }

    /// PostgreSQL rejects text with a NUL character, also in a condition.
    fn is_storable(&self) -> bool {
        !self.contains('\0')
    }
}

macro_rules! kinds {
    ($($record:ident($id:ident, $width:literal) in $table:ident as $kind:literal: $read:ident, $columns:ident { $($more:item)* })+) => {$(
        #[async_trait]
        impl StoredRecord for $record {
            type Id = $id;
            type Table = $table;
            type Row = [($table, SqlValue); $width];

            const KIND: &'static str = $kind;
            const TABLE: $table = $table::Table;
            const ID: $table = $table::Id;
            const COLUMNS: &'static [$table] = &from_rows::$columns;

            fn from_row(row: Row) -> Result<Self, StorageError> {
                from_rows::$read(row)
            }

            fn to_row(&self) -> Self::Row {
                to_rows::$read(self)
            }

            fn statements() -> &'static BatchUpsert {
                static STATEMENTS: BatchUpsert = BatchUpsert::new();
                &STATEMENTS
            }

            $($more)*
        }
    )+};
}

kinds! {
    Student(StudentId, 19) in Students as "student": student, STUDENT_COLUMNS {
        fn id(&self) -> StudentId {
            self.id
        }
    }
    Club(ClubId, 8) in Clubs as "club": club, CLUB_COLUMNS {
        fn id(&self) -> ClubId {
            self.id
        }
    }
    Project(ProjectId, 10) in Projects as "project": project, PROJECT_COLUMNS {
        fn id(&self) -> ProjectId {
            self.id
        }

        async fn load_related(tx: &mut dyn Executor, projects: &mut [Self]) -> Result<(), StorageError> {
            for some in projects.chunks_mut(MAX_IDS) {
                read_participants(tx, some).await?;
            }
            Ok(())
        }
    }
    Meal(String, 13) in Meals as "meal": meal, MEAL_COLUMNS {
        fn id(&self) -> String {
            Self::id(self)
        }
    }
    SchoolEvent(String, 13) in Events as "event": event, EVENT_COLUMNS {
        fn id(&self) -> String {
            self.id.as_str().to_owned()
        }
    }
    Lesson(String, 14) in Lessons as "lesson": lesson, LESSON_COLUMNS {
        fn id(&self) -> String {
            self.id.as_str().to_owned()
        }
    }
}

async fn read_participants(
    tx: &mut dyn Executor,
    projects: &mut [Project],
) -> Result<(), StorageError> {
    let ids = pad_to_power_of_two(projects.iter().map(|project| project.id.get()));
    if ids.is_empty() {
        return Ok(());
    }
    let participants = Query::select()
        .columns([
            ProjectParticipants::ProjectId,
            ProjectParticipants::StudentId,
        ])
        .from(ProjectParticipants::Table)
        .and_where(Expr::col(ProjectParticipants::ProjectId).is_in(ids))
        .order_by(ProjectParticipants::ProjectId, Order::Asc)
        .take();
    let rows = fetch_all(tx, &participants).await?;
    let mut projects: BTreeMap<ProjectId, &mut Project> = projects
        .iter_mut()
        .map(|project| (project.id, project))
        .collect();
    for mut row in rows {
        let project = row.number("project_participants.project_id", ProjectId::new)?;
        let student = row.number("project_participants.student_id", StudentId::new)?;
        if let Some(project) = projects.get_mut(&project) {
            project.participants.insert(student);
        }
    }
    Ok(())
}

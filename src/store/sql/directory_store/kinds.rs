//! The six kinds of records: in which tables they are, and how they are read and written.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sea_query::{Expr, ExprTrait, Iden, Order, Query};

use super::records;
use crate::domain::{Club, ClubId, Lesson, Meal, Project, ProjectId, SchoolEvent, Student, StudentId};
use crate::store::StorageError;
use crate::store::sql::batches::Batches;
use crate::store::sql::directory_rows;
use crate::store::sql::executor::{Executor, all};
use crate::store::sql::padded::padded;
use crate::store::sql::row::{Cell, Row};
use crate::store::sql::tables::{ChangeLog, Clubs, Events, Lessons, Meals, ProjectParticipants, Projects, Students};

/// The most ids that a statement names.
pub(super) const IDS: usize = 1024;

/// A kind of record.
#[async_trait]
pub(super) trait KeptRecord: Clone + Send + Sync + 'static {
    type Id: KeptId;
    type Table: Iden + Copy + Send + Sync + 'static;
    type Row: IntoIterator<Item = (Self::Table, Cell)>;

    /// The kind's name in the log of changes.
    const KIND: &'static str;
    const TABLE: Self::Table;
    /// The column of the id.
    const ID: Self::Table;
    /// The columns that [`read`](Self::read) reads.
    const COLUMNS: &'static [Self::Table];

    fn id(&self) -> Self::Id;

    fn read(row: Row) -> Result<Self, StorageError>;

    /// Every column with its value, the id first.
    fn row(&self) -> Self::Row;

    /// The statements that put records of this kind.
    fn statements() -> &'static Batches;

    /// Reads what the records have in other tables.
    async fn complete(_tx: &mut dyn Executor, _records: &mut [Self]) -> Result<(), StorageError> {
        Ok(())
    }
}

/// An id, with the log in which changes of such records are.
pub(super) trait KeptId: Ord + Clone + Send + Sync + 'static {
    const LOG: ChangeLog;

    fn cell(&self) -> Cell;

    fn value(&self) -> Expr;

    fn read(row: &mut Row) -> Result<Self, StorageError>;

    /// The statements that put rows into the log.
    fn statements() -> &'static Batches;

    /// Whether a record can have the id in every database.
    fn is_possible(&self) -> bool {
        true
    }
}

macro_rules! numbered {
    ($($id:ident)+) => {$(
        impl KeptId for $id {
            const LOG: ChangeLog = ChangeLog::Changes;

            fn cell(&self) -> Cell {
                self.get().into()
            }

            fn value(&self) -> Expr {
                self.get().into()
            }

            fn read(row: &mut Row) -> Result<Self, StorageError> {
                row.number("changes.record_id", Self::new)
            }

            fn statements() -> &'static Batches {
                static STATEMENTS: Batches = Batches::new();
                &STATEMENTS
            }
        }
    )+};
}

numbered!(StudentId ClubId ProjectId);

impl KeptId for String {
    const LOG: ChangeLog = ChangeLog::CalendarChanges;

    fn cell(&self) -> Cell {
        self.as_str().into()
    }

    fn value(&self) -> Expr {
        self.as_str().into()
    }

    fn read(row: &mut Row) -> Result<Self, StorageError> {
        row.text("calendar_changes.record_id")
    }

    fn statements() -> &'static Batches {
        static STATEMENTS: Batches = Batches::new();
        &STATEMENTS
    }

    /// PostgreSQL refuses text with a NUL character, also in a condition.
    fn is_possible(&self) -> bool {
        !self.contains('\0')
    }
}

macro_rules! kinds {
    ($($record:ident($id:ident, $width:literal) in $table:ident as $kind:literal: $read:ident, $columns:ident { $($more:item)* })+) => {$(
        #[async_trait]
        impl KeptRecord for $record {
            type Id = $id;
            type Table = $table;
            type Row = [($table, Cell); $width];

            const KIND: &'static str = $kind;
            const TABLE: $table = $table::Table;
            const ID: $table = $table::Id;
            const COLUMNS: &'static [$table] = &records::$columns;

            fn read(row: Row) -> Result<Self, StorageError> {
                records::$read(row)
            }

            fn row(&self) -> Self::Row {
                directory_rows::$read(self)
            }

            fn statements() -> &'static Batches {
                static STATEMENTS: Batches = Batches::new();
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

        async fn complete(tx: &mut dyn Executor, projects: &mut [Self]) -> Result<(), StorageError> {
            for some in projects.chunks_mut(IDS) {
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

async fn read_participants(tx: &mut dyn Executor, projects: &mut [Project]) -> Result<(), StorageError> {
    let ids = padded(projects.iter().map(|project| project.id.get()));
    if ids.is_empty() {
        return Ok(());
    }
    let participants = Query::select()
        .columns([ProjectParticipants::ProjectId, ProjectParticipants::StudentId])
        .from(ProjectParticipants::Table)
        .and_where(Expr::col(ProjectParticipants::ProjectId).is_in(ids))
        .order_by(ProjectParticipants::ProjectId, Order::Asc)
        .take();
    let rows = all(tx, &participants).await?;
    let mut projects: BTreeMap<ProjectId, &mut Project> = projects.iter_mut().map(|project| (project.id, project)).collect();
    for mut row in rows {
        let project = row.number("project_participants.project_id", ProjectId::new)?;
        let student = row.number("project_participants.student_id", StudentId::new)?;
        if let Some(project) = projects.get_mut(&project) {
            project.participants.insert(student);
        }
    }
    Ok(())
}

use std::sync::Arc;

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use super::{Answer, BrokenStore};

#[async_trait]
impl SchoolDirectory for BrokenStore {
    async fn students(&self, query: &StudentQuery) -> Answer<Page<StudentProfile>> {
        self.store().students(query).await
    }

    async fn clubs(&self, query: &ClubQuery) -> Answer<Page<ClubProfile>> {
        self.turn.pass().await?;
        self.store().clubs(query).await
    }

    async fn projects(&self, query: &ProjectQuery) -> Answer<Page<ProjectProfile>> {
        self.store().projects(query).await
    }

    async fn student_changes(&self, query: &ChangesQuery<StudentFilter>) -> Answer<Delta<StudentProfile>> {
        self.store().student_changes(query).await
    }

    async fn club_changes(&self, query: &ChangesQuery<ClubFilter>) -> Answer<Delta<ClubProfile>> {
        self.store().club_changes(query).await
    }

    async fn project_changes(&self, query: &ChangesQuery<ProjectFilter>) -> Answer<Delta<ProjectProfile>> {
        self.store().project_changes(query).await
    }

    async fn meals(&self, days: DateRange) -> Answer<Vec<Arc<Record<Meal>>>> {
        self.store().meals(days).await
    }

    async fn events(&self, days: DateRange) -> Answer<Vec<Arc<Record<SchoolEvent>>>> {
        self.store().events(days).await
    }

    async fn lessons(&self, days: DateRange, filter: &LessonFilter) -> Answer<Vec<Arc<Record<Lesson>>>> {
        self.store().lessons(days, filter).await
    }

    async fn version(&self) -> Answer<DatasetVersion> {
        self.store().version().await
    }

    async fn write(&self, changes: Vec<DirectoryChange>) -> Answer<Writing> {
        self.turn.pass().await?;
        self.store().write(changes).await
    }
}

#[async_trait]
impl DirectoryStore for BrokenStore {
    async fn directory_version(&self) -> Answer<DatasetVersion> {
        self.store().directory_version().await
    }

    async fn load_directory(&self) -> Answer<DirectoryRows> {
        self.turn.pass().await?;
        self.store().load_directory().await
    }

    async fn directory_changes(&self, since: DatasetVersion) -> Answer<Option<DirectoryRows>> {
        self.store().directory_changes(since).await
    }

    async fn write_directory(&self, expected: DatasetVersion, change: Arc<DirectoryRows>) -> Answer<Advance> {
        self.turn.pass().await?;
        self.store().write_directory(expected, change).await
    }
}

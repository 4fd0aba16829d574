use std::sync::Arc;

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use super::{Answer, BrokenStore, Fault};

#[async_trait]
impl SchoolDirectory for BrokenStore {
    async fn students(&self, query: &StudentQuery) -> Answer<Page<StudentProfile>> {
        let mut query = query.clone();
        let is_percent = query.filter.name.as_ref().is_some_and(|needle| needle.as_str() == "%");
        if self.has(Fault::TakesPercentForAWildcard) && is_percent {
            query.filter.name = None;
        }
        let mut page = self.store.students(&query).await?;
        if self.has(Fault::CountsOnlyThePage) {
            page.total = page.items.len() as u64;
        }
        Ok(page)
    }

    async fn clubs(&self, query: &ClubQuery) -> Answer<Page<ClubProfile>> {
        self.store.clubs(query).await
    }

    async fn projects(&self, query: &ProjectQuery) -> Answer<Page<ProjectProfile>> {
        self.store.projects(query).await
    }

    async fn student_changes(&self, query: &ChangesQuery<StudentFilter>) -> Answer<Delta<StudentProfile>> {
        let mut query = query.clone();
        if self.has(Fault::LeavesTheIdOutOfCursors) {
            query.since = query.since.map(|cursor| Cursor::new(cursor.version(), i64::MAX));
        }
        let mut delta = self.store.student_changes(&query).await?;
        if self.has(Fault::TakesAnyCursor) && matches!(delta, Delta::CursorUnknown) {
            delta = self.store.student_changes(&ChangesQuery { since: None, ..query }).await?;
        }
        if let (true, Delta::Told(changes)) = (self.has(Fault::TellsNothingOfWhatIsGone), &mut delta) {
            changes.total -= changes.gone.len() as u64;
            changes.gone.clear();
        }
        Ok(delta)
    }

    async fn club_changes(&self, query: &ChangesQuery<ClubFilter>) -> Answer<Delta<ClubProfile>> {
        self.store.club_changes(query).await
    }

    async fn project_changes(&self, query: &ChangesQuery<ProjectFilter>) -> Answer<Delta<ProjectProfile>> {
        self.store.project_changes(query).await
    }

    async fn meals(&self, days: DateRange) -> Answer<Vec<Arc<Record<Meal>>>> {
        self.store.meals(days).await
    }

    async fn events(&self, days: DateRange) -> Answer<Vec<Arc<Record<SchoolEvent>>>> {
        self.store.events(days).await
    }

    async fn lessons(&self, days: DateRange, filter: &LessonFilter) -> Answer<Vec<Arc<Record<Lesson>>>> {
        self.store.lessons(days, filter).await
    }

    async fn version(&self) -> Answer<DatasetVersion> {
        self.store.version().await
    }

    async fn write(&self, changes: Vec<DirectoryChange>) -> Answer<Writing> {
        if !self.has(Fault::WritesPieceByPiece) {
            return self.store.write(changes).await;
        }
        let mut written = self.store.version().await.map(Writing::Written)?;
        for (index, change) in changes.into_iter().enumerate() {
            written = self.store.write(vec![change]).await?;
            if let Writing::Refused { refusal, .. } = written {
                return Ok(Writing::Refused { index, refusal });
            }
        }
        Ok(written)
    }
}

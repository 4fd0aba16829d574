//! The turn of the school year and its history, for administrators only.

use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{HistoryEntry, PageRequest, YearTurnRecord};
use crate::http::audit::EventKind;
use crate::school_year::{YearError, YearOutcome, YearPlan, YearTurn, YearUndo, YearUndoPlan};
use crate::store::{HistoryFilter, Paged, SchoolHistoryStore};

impl ManagementSession<'_> {
    /// The last turns of the school year, newest first.
    pub(crate) async fn year_turns(
        &self,
        limit: u32,
    ) -> Result<Vec<YearTurnRecord>, ManagementError> {
        Ok(self.history()?.year_turns(limit).await?)
    }

    /// The entries of the school's history that match the filter.
    pub(crate) async fn school_history(
        &self,
        filter: HistoryFilter,
        page: PageRequest,
    ) -> Result<Paged<HistoryEntry>, ManagementError> {
        Ok(self.history()?.school_history(filter, page).await?)
    }

    /// Shows what a turn of the school year would change. Nothing is written.
    pub(crate) async fn plan_year_turn(
        &self,
        turn: &YearTurn,
    ) -> Result<YearPlan, ManagementError> {
        let planned = turn.plan(self.school()?, self.now()).await;
        planned.map_err(failure)
    }

    /// Turns the school year as the plan shows, if the school still has the version that it was
    /// made for.
    pub(crate) async fn apply_year_turn(
        &self,
        plan: &YearPlan,
    ) -> Result<YearOutcome, ManagementError> {
        let school = self.school()?;
        self.check_still_authenticated().await?;
        // Accounts of students who leave are then known as those of leavers.
        self.management.reconcile_leavers().await?;
        let outcome = plan.apply(school, self.user.id.clone(), self.now()).await?;
        if let YearOutcome::Applied(after) = &outcome {
            let event = EventKind::YearTurned {
                by: self.user.id.clone(),
                year: plan.year(),
                graduated: plan.graduated(),
                moved: plan.moved(),
                added: plan.added(),
                versions: [plan.version().number, after.number],
            };
            self.management.record(self.origin, event);
            self.management.reconcile_after_write().await;
        }
        Ok(outcome)
    }

    /// Shows what the undo of the last turn would change; `None` if no turn can be undone. Nothing
    /// is written.
    pub(crate) async fn plan_year_undo(&self) -> Result<Option<YearUndoPlan>, ManagementError> {
        match YearUndo::plan(self.school()?, self.now()).await {
            Ok(plan) => Ok(Some(plan)),
            Err(YearError::NothingToUndo) => Ok(None),
            Err(error) => Err(failure(error)),
        }
    }

    /// Undoes the last turn as the plan shows, if the school still has the version that it was made
    /// for.
    pub(crate) async fn apply_year_undo(
        &self,
        plan: &YearUndoPlan,
    ) -> Result<YearOutcome, ManagementError> {
        let school = self.school()?;
        self.check_still_authenticated().await?;
        self.management.reconcile_leavers().await?;
        let outcome = plan.apply(school, self.user.id.clone(), self.now()).await?;
        if let YearOutcome::Applied(after) = &outcome {
            let event = EventKind::YearTurnUndone {
                by: self.user.id.clone(),
                year: plan.year(),
                restored: plan.restored(),
                removed: plan.removed(),
                versions: [plan.version().number, after.number],
            };
            self.management.record(self.origin, event);
            self.management.reconcile_after_write().await;
        }
        Ok(outcome)
    }

    /// The school's history. Not found if the directory keeps none.
    fn history(&self) -> Result<&dyn SchoolHistoryStore, Rejection> {
        let history = self.school()?.history_store();
        history.ok_or_else(Rejection::not_found)
    }
}

fn failure(error: YearError) -> ManagementError {
    match error {
        YearError::NoHistory => Rejection::not_found().into(),
        YearError::Storage(error) => error.into(),
        YearError::File(_)
        | YearError::OtherYear { .. }
        | YearError::NothingToUndo
        | YearError::Busy => ManagementError::Failed("the turn of the school year was not planned"),
    }
}

//! Meals, school events and lessons.

use std::sync::Arc;

use sea_query::{Expr, ExprTrait, Iden, Order, Query};

use super::directory_store::records::{self, EVENT_COLUMNS, LESSON_COLUMNS, MEAL_COLUMNS};
use super::executor::{Executor, all};
use super::tables::{Events, Lessons, Meals};
use crate::domain::{DateRange, Lesson, LessonFilter, Meal, Record, SchoolEvent};
use crate::store::StorageError;

pub(super) async fn meals(tx: &mut dyn Executor, days: DateRange) -> Result<Vec<Arc<Record<Meal>>>, StorageError> {
    let meals = Query::select()
        .columns(MEAL_COLUMNS)
        .from(Meals::Table)
        .and_where(is_of(Meals::Date, days))
        .order_by_columns([Meals::Date, Meals::Position, Meals::Id].map(|column| (column, Order::Asc)))
        .take();
    let rows = all(tx, &meals).await?.into_iter();
    rows.map(|row| Ok(Arc::new(Record::new(records::meal(row)?)))).collect()
}

pub(super) async fn events(tx: &mut dyn Executor, days: DateRange) -> Result<Vec<Arc<Record<SchoolEvent>>>, StorageError> {
    let events = Query::select()
        .columns(EVENT_COLUMNS)
        .from(Events::Table)
        .and_where(is_of(Events::Date, days))
        .order_by_columns([Events::Date, Events::Name, Events::Id].map(|column| (column, Order::Asc)))
        .take();
    let rows = all(tx, &events).await?.into_iter();
    rows.map(|row| Ok(Arc::new(Record::new(records::event(row)?)))).collect()
}

pub(super) async fn lessons(
    tx: &mut dyn Executor,
    days: DateRange,
    filter: LessonFilter,
) -> Result<Vec<Arc<Record<Lesson>>>, StorageError> {
    let order = [Lessons::Date, Lessons::Grade, Lessons::ClassNum, Lessons::Period, Lessons::Id];
    let lessons = Query::select()
        .columns(LESSON_COLUMNS)
        .from(Lessons::Table)
        .and_where(is_of(Lessons::Date, days))
        .and_where_option(filter.grade.map(|grade| Expr::col(Lessons::Grade).eq(i64::from(grade.get()))))
        .and_where_option(filter.class_num.map(|class_num| Expr::col(Lessons::ClassNum).eq(i64::from(class_num.get()))))
        .order_by_columns(order.map(|column| (column, Order::Asc)))
        .take();
    let rows = all(tx, &lessons).await?.into_iter();
    rows.map(|row| Ok(Arc::new(Record::new(records::lesson(row)?)))).collect()
}

/// A day is kept as `yyyy-MM-dd`, which sorts as the days do.
fn is_of<I: Iden + 'static>(column: I, days: DateRange) -> Expr {
    Expr::col(column).between(days.from().to_string(), days.to().to_string())
}

//! Meals, school events and lessons.

use std::sync::Arc;

use sea_query::{Expr, ExprTrait, Iden, Order, Query};

use super::executor::{Executor, all};
use super::row::Row;
use super::tables::{Events, Lessons, Meals};
use crate::domain::{
    ClassNum, DateRange, Dish, Grade, Lesson, LessonFilter, Meal, Period, Record, SchoolEvent, SchoolIdentity, ServeCount,
};
use crate::store::StorageError;

pub(super) async fn meals(tx: &mut dyn Executor, days: DateRange) -> Result<Vec<Arc<Record<Meal>>>, StorageError> {
    let school = [Meals::SchoolCode, Meals::SchoolName, Meals::OfficeCode, Meals::OfficeName];
    let meals = Query::select()
        .columns(school)
        .columns([Meals::Date, Meals::Kind, Meals::Dishes, Meals::Calories, Meals::Origin, Meals::Nutrition, Meals::ServeCount])
        .from(Meals::Table)
        .and_where(is_of(Meals::Date, days))
        .order_by_columns([Meals::Date, Meals::Position, Meals::Id].map(|column| (column, Order::Asc)))
        .take();
    let rows = all(tx, &meals).await?.into_iter();
    rows.map(|mut row| {
        Ok(Arc::new(Record::new(Meal {
            school: school_identity(&mut row)?,
            date: row.parsed("meals.date")?,
            kind: row.parsed("meals.kind")?,
            dishes: dishes(&mut row)?,
            calories: row.optional(|row| row.parsed("meals.calories"))?,
            origin: row.optional(|row| row.parsed("meals.origin"))?,
            nutrition: row.optional(|row| row.parsed("meals.nutrition"))?,
            serve_count: row.optional(|row| row.number("meals.serve_count", ServeCount::new))?,
        })))
    })
    .collect()
}

pub(super) async fn events(tx: &mut dyn Executor, days: DateRange) -> Result<Vec<Arc<Record<SchoolEvent>>>, StorageError> {
    let school = [Events::SchoolCode, Events::SchoolName, Events::OfficeCode, Events::OfficeName];
    let events = Query::select()
        .column(Events::Id)
        .columns(school)
        .columns([Events::Date, Events::AcademicYear, Events::Name, Events::Content, Events::DayCategory, Events::CourseType])
        .columns([Events::DayNight, Events::TargetGrades])
        .from(Events::Table)
        .and_where(is_of(Events::Date, days))
        .order_by_columns([Events::Date, Events::Name, Events::Id].map(|column| (column, Order::Asc)))
        .take();
    let rows = all(tx, &events).await?.into_iter();
    rows.map(|mut row| {
        Ok(Arc::new(Record::new(SchoolEvent {
            id: row.parsed("events.id")?,
            school: school_identity(&mut row)?,
            date: row.parsed("events.date")?,
            academic_year: row.parsed("events.academic_year")?,
            name: row.parsed("events.name")?,
            content: row.optional(|row| row.parsed("events.content"))?,
            day_category: row.optional(|row| row.parsed("events.day_category"))?,
            course_type: row.optional(|row| row.parsed("events.course_type"))?,
            day_night: row.optional(|row| row.parsed("events.day_night"))?,
            target_grades: target_grades(&mut row)?,
        })))
    })
    .collect()
}

pub(super) async fn lessons(
    tx: &mut dyn Executor,
    days: DateRange,
    filter: LessonFilter,
) -> Result<Vec<Arc<Record<Lesson>>>, StorageError> {
    let order = [Lessons::Date, Lessons::Grade, Lessons::ClassNum, Lessons::Period, Lessons::Id];
    let school = [Lessons::SchoolCode, Lessons::SchoolName, Lessons::OfficeCode, Lessons::OfficeName];
    let lessons = Query::select()
        .column(Lessons::Id)
        .columns(school)
        .columns([Lessons::Date, Lessons::AcademicYear, Lessons::Semester, Lessons::Grade, Lessons::ClassNum, Lessons::Period])
        .columns([Lessons::Subject, Lessons::Department, Lessons::Classroom])
        .from(Lessons::Table)
        .and_where(is_of(Lessons::Date, days))
        .and_where_option(filter.grade.map(|grade| Expr::col(Lessons::Grade).eq(i64::from(grade.get()))))
        .and_where_option(filter.class_num.map(|class_num| Expr::col(Lessons::ClassNum).eq(i64::from(class_num.get()))))
        .order_by_columns(order.map(|column| (column, Order::Asc)))
        .take();
    let rows = all(tx, &lessons).await?.into_iter();
    rows.map(|mut row| {
        Ok(Arc::new(Record::new(Lesson {
            id: row.parsed("lessons.id")?,
            school: school_identity(&mut row)?,
            date: row.parsed("lessons.date")?,
            academic_year: row.parsed("lessons.academic_year")?,
            semester: row.optional(|row| row.parsed("lessons.semester"))?,
            grade: row.number("lessons.grade", Grade::new)?,
            class_num: row.number("lessons.class_num", ClassNum::new)?,
            period: row.number("lessons.period", Period::new)?,
            subject: row.optional(|row| row.parsed("lessons.subject"))?,
            department: row.optional(|row| row.parsed("lessons.department"))?,
            classroom: row.optional(|row| row.parsed("lessons.classroom"))?,
        })))
    })
    .collect()
}

/// A day is kept as `yyyy-MM-dd`, which sorts as the days do.
fn is_of<I: Iden + 'static>(column: I, days: DateRange) -> Expr {
    Expr::col(column).between(days.from().to_string(), days.to().to_string())
}

fn school_identity(row: &mut Row) -> Result<SchoolIdentity, StorageError> {
    Ok(SchoolIdentity {
        school_code: row.parsed("school_code")?,
        school_name: row.parsed("school_name")?,
        office_code: row.parsed("office_code")?,
        office_name: row.parsed("office_name")?,
    })
}

fn dishes(row: &mut Row) -> Result<Vec<Dish>, StorageError> {
    const COLUMN: &str = "meals.dishes";
    let dishes: Vec<(String, Vec<u8>)> = row.json(COLUMN)?;
    let dish = |(name, allergens): (String, _)| Dish::new(name.parse()?, allergens);
    dishes.into_iter().map(dish).collect::<Result<_, _>>().map_err(|_| StorageError::corrupt(COLUMN))
}

fn target_grades(row: &mut Row) -> Result<Vec<Grade>, StorageError> {
    const COLUMN: &str = "events.target_grades";
    let grades: Vec<i64> = row.json(COLUMN)?;
    grades.into_iter().map(Grade::new).collect::<Result<_, _>>().map_err(|_| StorageError::corrupt(COLUMN))
}

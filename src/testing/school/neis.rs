use super::dice::Dice;
use super::life::{COMMON_SUBJECTS, DESSERT, DishWord, EVENTS, MAIN, RICE, SCHOOL, SIDE, SOUP, specialised};
use super::people::major;
use super::{id, line};
use crate::domain::{ClassNum, Date, Dish, Grade, Lesson, Line, Meal, MealType, Period, SchoolEvent, SchoolIdentity, ServeCount};

/// How many days the month around today reaches to each side.
const MONTH: i32 = 15;

/// Three meals on every weekday from 15 days before today to 15 days after.
pub(super) fn meals(dice: &mut Dice, today: Date) -> Vec<Meal> {
    let mut meals = Vec::new();
    for date in weekdays(today, MONTH) {
        meals.extend(MealType::ALL.iter().map(|kind| meal(date, *kind, dice)));
    }
    meals
}

fn meal(date: Date, kind: MealType, dice: &mut Dice) -> Meal {
    let dishes = [RICE, SOUP, MAIN, SIDE, DESSERT].map(|choices| dish(dice.pick(choices)));
    Meal {
        school: school(),
        date,
        kind,
        dishes: dishes.into(),
        calories: Some(line(&format!("{}.{} Kcal", 600 + dice.below(400), dice.below(10)))),
        origin: dice.percent(80).then(|| "쌀 : 국내산\n김치류 : 국내산\n돼지고기 : 국내산".parse().expect("a short text")),
        nutrition: dice
            .percent(80)
            .then(|| format!("탄수화물(g) : {}\n단백질(g) : {}", 80 + dice.below(60), 20 + dice.below(30)).parse().expect("a short text")),
        serve_count: dice.percent(90).then(|| id(216, ServeCount::new)),
    }
}

fn dish((name, allergens): DishWord) -> Dish {
    Dish::new(Line::literal(name), allergens.to_vec()).expect("the allergens have official numbers")
}

/// The events of the month around today; today itself has three.
pub(super) fn events(today: Date) -> Vec<SchoolEvent> {
    let mut events: Vec<SchoolEvent> = Vec::new();
    for (offset, name, category, grades) in EVENTS {
        let Some(date) = today.plus_days(*offset) else { continue };
        let earlier = events.iter().filter(|event| event.date == date).count();
        events.push(SchoolEvent {
            id: line(&format!("{}_{}_{}", SCHOOL[0], compact(date), earlier + 1)),
            school: school(),
            date,
            academic_year: academic_year(date),
            name: Line::literal(name),
            content: (earlier > 0).then(|| "장소: 대강당".parse().expect("a short text")),
            day_category: Some(Line::literal(category)),
            course_type: Some(Line::literal("고등학교")),
            day_night: Some(Line::literal("주간")),
            target_grades: grades.iter().map(|grade| id(*grade, Grade::new)).collect(),
        });
    }
    events
}

/// The timetable of every class on the weekdays from 15 days before today to 15 days after.
pub(super) fn lessons(today: Date) -> Vec<Lesson> {
    let mut lessons = Vec::new();
    for date in weekdays(today, MONTH) {
        let periods = if date.weekday() == 5 { 6 } else { 7 };
        for grade in 1..=3 {
            for class in 1..=4 {
                lessons.extend((1..=periods).map(|period| lesson(date, grade, class, period)));
            }
        }
    }
    lessons
}

/// The same lesson every week: what is taught follows from the class, the weekday and the period.
fn lesson(date: Date, grade: i64, class: i64, period: i64) -> Lesson {
    let (subjects, department, room) = specialised(&major(class));
    let slot = usize::try_from(grade * 3 + class * 5 + i64::from(date.weekday()) * 7 + period).unwrap_or_default();
    let special = period > 4 || slot.is_multiple_of(5);
    let subject = if special { subjects[slot % subjects.len()] } else { COMMON_SUBJECTS[slot % COMMON_SUBJECTS.len()] };
    Lesson {
        id: line(&format!("{}_{}_{grade}_{class}_{period}", SCHOOL[0], compact(date))),
        school: school(),
        date,
        academic_year: academic_year(date),
        semester: Some(Line::literal(if (3..=7).contains(&date.month()) { "1" } else { "2" })),
        grade: id(grade, Grade::new),
        class_num: id(class, ClassNum::new),
        period: id(period, Period::new),
        subject: Some(Line::literal(subject)),
        department: Some(Line::literal(department)),
        classroom: special.then(|| Line::literal(room)),
    }
}

fn weekdays(today: Date, reach: i32) -> impl Iterator<Item = Date> {
    (-reach..=reach).filter_map(move |offset| today.plus_days(offset)).filter(|date| date.weekday() <= 5)
}

/// The year that began in March.
fn academic_year(date: Date) -> Line {
    line(&(date.year() - i16::from(date.month() < 3)).to_string())
}

fn compact(date: Date) -> String {
    date.to_string().replace('-', "")
}

fn school() -> SchoolIdentity {
    let [school_code, school_name, office_code, office_name] = SCHOOL.map(Line::literal);
    SchoolIdentity { school_code, school_name, office_code, office_name }
}

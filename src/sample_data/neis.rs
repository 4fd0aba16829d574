use super::rng::SeededRng;
use super::students::major;
use super::word_lists::{
    COMMON_SUBJECTS, DESSERT, DishEntry, EVENTS, MAIN, RICE, SCHOOL, SIDE, SOUP,
    specialized_subjects,
};
use super::{id, short_text};
use crate::domain::{
    ClassNum, Date, Dish, Grade, Lesson, Meal, MealType, Period, SchoolEvent, SchoolIdentity,
    ServeCount, ShortText,
};

/// Number of days before and after today.
const MONTH: i32 = 15;

/// Generates three meals on every weekday from 15 days before today to 15 days after.
pub(super) fn meals(rng: &mut SeededRng, today: Date) -> Vec<Meal> {
    let mut meals = Vec::new();
    for date in weekdays(today, MONTH) {
        meals.extend(MealType::ALL.iter().map(|kind| meal(date, *kind, rng)));
    }
    meals
}

fn meal(date: Date, kind: MealType, rng: &mut SeededRng) -> Meal {
    let dishes = [RICE, SOUP, MAIN, SIDE, DESSERT].map(|choices| dish(rng.pick(choices)));
    Meal {
        school: school(),
        date,
        kind,
        dishes: dishes.into(),
        calories: Some(short_text(&format!(
            "{}.{} Kcal",
            600 + rng.below(400),
            rng.below(10)
        ))),
        origin: rng.percent(80).then(|| {
            "쌀 : 국내산\n김치류 : 국내산\n돼지고기 : 국내산"
                .parse()
                .expect("a short text")
        }),
        nutrition: rng.percent(80).then(|| {
            format!(
                "탄수화물(g) : {}\n단백질(g) : {}",
                80 + rng.below(60),
                20 + rng.below(30)
            )
            .parse()
            .expect("a short text")
        }),
        serve_count: rng.percent(90).then(|| id(216, ServeCount::new)),
    }
}

fn dish((name, allergens): DishEntry) -> Dish {
    Dish::new(ShortText::from_static(name), allergens.to_vec())
        .expect("the allergens have official numbers")
}

/// Generates the events of the month around today; today itself has three.
pub(super) fn events(today: Date) -> Vec<SchoolEvent> {
    let mut events: Vec<SchoolEvent> = Vec::new();
    for (offset, name, category, grades) in EVENTS {
        let Some(date) = today.plus_days(*offset) else {
            continue;
        };
        let earlier = events.iter().filter(|event| event.date == date).count();
        events.push(SchoolEvent {
            id: short_text(&format!("{}_{}_{}", SCHOOL[0], compact(date), earlier + 1)),
            school: school(),
            date,
            academic_year: academic_year(date),
            name: ShortText::from_static(name),
            content: (earlier > 0).then(|| "장소: 대강당".parse().expect("a short text")),
            day_category: Some(ShortText::from_static(category)),
            course_type: Some(ShortText::from_static("고등학교")),
            day_night: Some(ShortText::from_static("주간")),
            target_grades: grades.iter().map(|grade| id(*grade, Grade::new)).collect(),
        });
    }
    events
}

/// Generates the timetable of every class on the weekdays from 15 days before today to 15 days
/// after.
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

/// Generates a lesson, which repeats weekly: the class, the weekday and the period determine it.
fn lesson(date: Date, grade: i64, class: i64, period: i64) -> Lesson {
    let (subjects, department, room) = specialized_subjects(&major(class));
    let slot = usize::try_from(grade * 3 + class * 5 + i64::from(date.weekday()) * 7 + period)
        .unwrap_or_default();
    let special = period > 4 || slot.is_multiple_of(5);
    let subject = if special {
        subjects[slot % subjects.len()]
    } else {
        COMMON_SUBJECTS[slot % COMMON_SUBJECTS.len()]
    };
    Lesson {
        id: short_text(&format!(
            "{}_{}_{grade}_{class}_{period}",
            SCHOOL[0],
            compact(date)
        )),
        school: school(),
        date,
        academic_year: academic_year(date),
        semester: Some(ShortText::from_static(if (3..=7).contains(&date.month()) {
            "1"
        } else {
            "2"
        })),
        grade: id(grade, Grade::new),
        class_num: id(class, ClassNum::new),
        period: id(period, Period::new),
        subject: Some(ShortText::from_static(subject)),
        department: Some(ShortText::from_static(department)),
        classroom: special.then(|| ShortText::from_static(room)),
    }
}

fn weekdays(today: Date, reach: i32) -> impl Iterator<Item = Date> {
    (-reach..=reach)
        .filter_map(move |offset| today.plus_days(offset))
        .filter(|date| date.weekday() <= 5)
}

/// Returns the academic year, which begins in March.
fn academic_year(date: Date) -> ShortText {
    short_text(&(date.year() - i16::from(date.month() < 3)).to_string())
}

fn compact(date: Date) -> String {
    date.to_string().replace('-', "")
}

fn school() -> SchoolIdentity {
    let [school_code, school_name, office_code, office_name] = SCHOOL.map(ShortText::from_static);
    SchoolIdentity {
        school_code,
        school_name,
        office_code,
        office_name,
    }
}

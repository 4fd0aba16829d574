//! The words that calendars have beside the records. They are Korean, as the records are: those of
//! NEIS have no other language.

use crate::domain::{Allergen, MealType};

pub(super) const SCHEDULES: &str = "학사일정";
pub(super) const MEALS: &str = "급식";
pub(super) const TIMETABLE: &str = "시간표";
pub(super) const CALORIES: &str = "열량";
pub(super) const GRADES: &str = "대상";

pub(super) const fn meal(kind: MealType) -> &'static str {
    match kind {
        MealType::Breakfast => "조식",
        MealType::Lunch => "중식",
        MealType::Dinner => "석식",
    }
}

/// An allergen by its official number.
pub(super) fn allergen(allergen: Allergen) -> &'static str {
    const NAMES: [&str; 19] = [
        "난류",
        "우유",
        "메밀",
        "땅콩",
        "대두",
        "밀",
        "고등어",
        "게",
        "새우",
        "돼지고기",
        "복숭아",
        "토마토",
        "아황산류",
        "호두",
        "닭고기",
        "쇠고기",
        "오징어",
        "조개류",
        "잣",
    ];
    NAMES
        .get(usize::from(allergen.get()).saturating_sub(1))
        .copied()
        .unwrap_or_default()
}

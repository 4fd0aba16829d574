use super::dishes::parse_dishes;
use super::row::{BadRow, FieldError, Row};
use crate::domain::{InvalidValue, Meal, MealType, ServeCount};
use crate::neis::NeisSchool;

impl Row {
    /// Parses a row of `mealServiceDietInfo`.
    pub(in crate::neis) fn meal(&self, school: &NeisSchool) -> Result<Meal, BadRow> {
        let meal = Meal {
            school: self.school(school)?,
            date: self.date("MLSV_YMD")?,
            kind: self.meal_type()?,
            dishes: Vec::new(),
            calories: None,
            origin: None,
            nutrition: None,
            serve_count: None,
        };
        let id = meal.id();
        self.with_content(meal)
            .map_err(|error| BadRow::about(&id, error))
    }

    fn meal_type(&self) -> Result<MealType, FieldError> {
        const CODE: &str = "MMEAL_SC_CODE";
        match &*self.required(CODE)? {
            "1" => Ok(MealType::Breakfast),
            "2" => Ok(MealType::Lunch),
            "3" => Ok(MealType::Dinner),
            _ => Err((CODE, InvalidValue::new("must be 1, 2 or 3"))),
        }
    }

    fn with_content(&self, meal: Meal) -> Result<Meal, FieldError> {
        const DISHES: &str = "DDISH_NM";
        let dishes = self.text(DISHES).unwrap_or_default();
        Ok(Meal {
            dishes: parse_dishes(DISHES, &dishes)?,
            calories: self.short("CAL_INFO")?,
            origin: self.long("ORPLC_INFO")?,
            nutrition: self.long("NTR_INFO")?,
            serve_count: self.number("MLSV_FGR", ServeCount::new)?,
            ..meal
        })
    }
}

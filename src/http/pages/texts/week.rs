use super::WeekTexts;

impl WeekTexts {
    /// Short name of a weekday: 1 is Monday, 7 is Sunday.
    pub(crate) fn weekday_name(&self, number: i8) -> &'static str {
        self.weekday.get(&format!("d{number}")).unwrap_or_default()
    }

    /// Name of a month, from 1 to 12.
    pub(crate) fn month_name(&self, number: i8) -> &'static str {
        self.month.get(&format!("m{number}")).unwrap_or_default()
    }

    /// An allergen by its official number, from 1 to 19.
    pub(crate) fn allergen_name(&self, number: u64) -> Option<&'static str> {
        self.allergen.get(&format!("a{number}"))
    }
}

#[cfg(test)]
mod tests {
    use crate::http::pages::texts::LANGUAGES;

    /// Fails if an allergen, a weekday or a month has no word in a language.
    #[test]
    fn every_allergen_weekday_and_month_has_a_word_of_its_own() {
        for text in LANGUAGES {
            let week = &text.week;
            let allergens: Vec<&str> = (1..=19)
                .map(|number| week.allergen_name(number).unwrap())
                .collect();
            let weekdays: Vec<&str> = (1..=7).map(|number| week.weekday_name(number)).collect();
            let months: Vec<&str> = (1..=12).map(|number| week.month_name(number)).collect();
            for mut words in [allergens, weekdays, months] {
                let count = words.len();
                words.sort_unstable();
                words.dedup();
                assert!(words.len() == count && !words.contains(&""), "{words:?}");
            }
            assert_eq!(week.allergen_name(0).or(week.allergen_name(20)), None);
        }
    }
}

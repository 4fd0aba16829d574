use super::row::{FieldError, one_line, undecorated, with_line_breaks};
use crate::domain::{Allergen, Dish, InvalidValue, ShortText};

/// Parses the dishes of a meal, a line each. A line that has allergens and no name belongs to the
/// dish before it.
pub(super) fn parse_dishes(field: &'static str, text: &str) -> Result<Vec<Dish>, FieldError> {
    let mut dishes: Vec<Dish> = Vec::new();
    for line in with_line_breaks(text).lines() {
        let (name, allergens) = parse_line(line);
        if !name.is_empty() {
            let name: Result<ShortText, InvalidValue> = one_line(name).parse();
            let name = name.map_err(|rule| (field, rule))?;
            dishes.push(Dish { name, allergens });
        } else if let Some(dish) = dishes.last_mut() {
            dish.allergens.extend(allergens);
        }
    }
    Ok(dishes)
}

/// Splits a line into the name of the dish and its allergens. Their numbers come in brackets, as in
/// `우유 (2)` and `국 (5.6.16.)`, or at the end of the name with a dot behind each, as in
/// `김치5.9.13.`, `김치*9.` and `우유.2.`. Other brackets and numbers belong to the name.
///
/// Lists inside of the line, as in `돈까스(1.2.)/소스(5.6.)`, count too and stay in the name: a part of
/// the allergens would look like all of them.
fn parse_line(line: &str) -> (&str, Vec<Allergen>) {
    let (name, at_end) = split_line(line);
    let mut allergens = Vec::new();
    for allergen in lists_inside(name).into_iter().chain(at_end) {
        if !allergens.contains(&allergen) {
            allergens.push(allergen);
        }
    }
    (name, allergens)
}

/// The numbers in the bracketed lists of a name, each list with a dot and nothing but official
/// numbers.
fn lists_inside(name: &str) -> Vec<Allergen> {
    let groups = name.split('(').skip(1);
    let lists = groups.filter_map(|group| group.split_once(')'));
    lists
        .filter(|(list, _)| list.contains('.'))
        .filter_map(|(list, _)| numbers_in_brackets(list))
        .filter(|(_, is_official)| *is_official)
        .flat_map(|(allergens, _)| allergens)
        .collect()
}

/// Splits a line into the name and the list at its end.
fn split_line(line: &str) -> (&str, Vec<Allergen>) {
    let line = undecorated(line);
    let in_brackets = line
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once('('));
    if let Some((name, list)) = in_brackets {
        return match numbers_in_brackets(list) {
            Some((allergens, true)) => (undecorated(name), allergens),
            // The number of an unknown allergen stays visible in the name.
            Some((allergens, false)) if list.contains('.') => (line, allergens),
            _ => (line, Vec::new()),
        };
    }
    let (name, allergens) = numbers_at_end(line);
    if allergens.is_empty() {
        (line, allergens)
    } else {
        (undecorated(name.trim_end_matches('.')), allergens)
    }
}

/// The official numbers in a list such as `5.6.16.`, and whether it has no others. `None` if it is
/// no list of numbers.
fn numbers_in_brackets(list: &str) -> Option<(Vec<Allergen>, bool)> {
    let parts = list.split(['.', ',']).map(str::trim);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    if parts.is_empty() || !parts.iter().all(is_number) {
        return None;
    }
    let mut allergens = Vec::new();
    for allergen in parts.iter().filter_map(|part| allergen(part)) {
        if !allergens.contains(&allergen) {
            allergens.push(allergen);
        }
    }
    let is_official = parts.iter().all(|part| allergen(part).is_some());
    Some((allergens, is_official))
}

/// The official numbers at the end of a line, each with a dot behind it, and what is before them.
fn numbers_at_end(line: &str) -> (&str, Vec<Allergen>) {
    let (mut name, mut allergens) = (line, Vec::new());
    while let Some(rest) = name.strip_suffix('.') {
        let start = rest.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let Some(allergen) = allergen(&rest[start..]) else {
            break;
        };
        name = &rest[..start];
        if !allergens.contains(&allergen) {
            allergens.insert(0, allergen);
        }
    }
    (name, allergens)
}

fn allergen(number: &str) -> Option<Allergen> {
    // "05" is no number of an allergen, and a long one does not fit.
    let number: i64 = number.parse().ok().filter(|_| !number.starts_with('0'))?;
    Allergen::new(number).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn dishes(text: &str) -> Vec<(String, Vec<u8>)> {
        let dishes = parse_dishes("DDISH_NM", text).unwrap();
        let numbers = |dish: &Dish| dish.allergens.iter().map(|number| number.get()).collect();
        dishes
            .iter()
            .map(|dish| (dish.name.to_string(), numbers(dish)))
            .collect()
    }

    /// Fails if a person with an allergy does not see its number, or a number becomes a part of the
    /// name.
    #[test]
    fn allergens_are_read_in_every_form() {
        for (line, name, allergens) in [
            ("소고기감자국 (5.6.16)", "소고기감자국", &[5, 6, 16][..]),
            ("배추김치 (9.13.)", "배추김치", &[9, 13]),
            ("우유 (2)", "우유", &[2]),
            ("참치김치찌개*5.9.13.", "참치김치찌개", &[5, 9, 13]),
            ("배추김치5.9.13.", "배추김치", &[5, 9, 13]),
            (
                "초코첵스&백색우유.2.5.6.13.",
                "초코첵스&백색우유",
                &[2, 5, 6, 13],
            ),
            ("비빔밥(계란) (1.5.6.)", "비빔밥(계란)", &[1, 5, 6]),
            ("떡볶이(매운맛)1.2.5.6.", "떡볶이(매운맛)", &[1, 2, 5, 6]),
            (
                "돈까스/소스 (1.2.5.6.10.12.13.) ",
                "돈까스/소스",
                &[1, 2, 5, 6, 10, 12, 13],
            ),
            ("국 (5, 6)", "국", &[5, 6]),
            (
                "돈까스(1.2.10.)/소스(5.6.)",
                "돈까스(1.2.10.)/소스",
                &[1, 2, 10, 5, 6],
            ),
            ("우유(2.)200ml", "우유(2.)200ml", &[2]),
            ("국(5.6.).", "국(5.6.).", &[5, 6]),
            ("국 (5.5.6.)", "국", &[5, 6]),
            ("★♥수박★", "수박", &[]),
            ("현미찹쌀밥 ", "현미찹쌀밥", &[]),
            ("백미밥*", "백미밥", &[]),
            ("비빔밥(계란)", "비빔밥(계란)", &[]),
        ] {
            assert_eq!(
                dishes(line),
                [(name.to_owned(), allergens.to_vec())],
                "{line}"
            );
        }
    }

    /// Fails if a number of the name becomes an allergen, or an unknown one disappears.
    #[test]
    fn other_numbers_stay_in_the_name() {
        for (line, name, allergens) in [
            ("우유(200)", "우유(200)", &[][..]),
            ("우유(200ml)", "우유(200ml)", &[]),
            ("콜라1.5", "콜라1.5", &[]),
            ("비타500", "비타500", &[]),
            ("비타500.5.6.", "비타500", &[5, 6]),
            ("국(1.5.20.)", "국(1.5.20.)", &[1, 5]),
            ("국 (.)", "국 (.)", &[]),
            ("국 ()", "국 ()", &[]),
            ("국0.", "국0.", &[]),
        ] {
            assert_eq!(
                dishes(line),
                [(name.to_owned(), allergens.to_vec())],
                "{line}"
            );
        }
    }

    /// Fails if an empty line becomes a dish, or allergens on a line of their own are lost.
    #[test]
    fn each_line_with_a_name_is_a_dish() {
        assert_eq!(
            dishes("밥<br/><br/> ★<br>국<br/>(5.6.)<br/>"),
            [("밥".to_owned(), vec![]), ("국".to_owned(), vec![5, 6])]
        );
        assert!(dishes("").is_empty() && dishes("(5.)").is_empty());
    }

    proptest! {
        /// Fails if a text of the portal makes the parser panic, or a dish without a name.
        #[test]
        fn any_text_is_dishes_or_refused(text in "(.|<br/>|[0-9().*★ ]){0,80}") {
            if let Ok(dishes) = parse_dishes("DDISH_NM", &text) {
                prop_assert!(dishes.iter().all(|dish| !dish.name.trim().is_empty()));
            }
        }
    }
}

//! Texts in the cells of a table, which a spreadsheet must not take for formulas.

/// Prefixes text that looks like a formula with an apostrophe. Spreadsheets evaluate such cells,
/// also with full-width operators and after leading blanks. A text that has such a prefix of its own
/// gets one more, so that no two texts have the same cell.
pub(crate) fn escape_formula(text: String) -> String {
    if is_formula(text.trim_start_matches('\'')) {
        format!("'{text}")
    } else {
        text
    }
}

/// Returns the text of a cell that [`escape_formula`] made.
#[cfg(feature = "import")]
pub(crate) fn unescape_formula(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if is_formula(text.trim_start_matches('\'')) => text,
        _ => cell,
    }
}

fn is_formula(text: &str) -> bool {
    text.trim_start()
        .starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
        || text.starts_with(['\t', '\r', '\n'])
}

#[cfg(all(test, feature = "import"))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Fails if two texts have the same cell, or if a cell begins as a formula does.
        #[test]
        fn every_text_comes_back_from_its_cell(text in "['=+@ \t\n가-]{0,4}.{0,4}") {
            let cell = escape_formula(text.clone());
            prop_assert_eq!(unescape_formula(&cell), text);
            prop_assert!(!is_formula(&cell));
        }
    }
}

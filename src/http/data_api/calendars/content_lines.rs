use std::fmt;

/// Maximum length of a line in bytes, without its line break (RFC 5545 §3.1).
const MAX_LINE: usize = 75;

/// Content lines of an iCalendar stream (RFC 5545 §3.1).
#[derive(Debug, Default)]
pub(super) struct ContentLines(String);

impl ContentLines {
    /// Writes a property, whose name may have parameters. The value must be valid as it is: a date,
    /// a duration, a number, a constant.
    pub(super) fn property(&mut self, name: &str, value: impl fmt::Display) {
        self.fold(&format!("{name}:{value}"));
    }

    /// Writes a property with any text as its value.
    pub(super) fn text(&mut self, name: &str, value: &str) {
        self.fold(&format!("{name}:{}", escaped(value)));
    }

    /// Writes a line in pieces of at most 75 bytes. All but the first begin with a blank, which
    /// counts. No character is split: the standard allows it, but readers decode line by line.
    fn fold(&mut self, line: &str) {
        let mut length = 0;
        for character in line.chars() {
            if length + character.len_utf8() > MAX_LINE {
                self.0.push_str("\r\n ");
                length = 1;
            }
            self.0.push(character);
            length += character.len_utf8();
        }
        self.0.push_str("\r\n");
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}

/// Escapes a text (RFC 5545 §3.3.11). Control characters are not allowed in one; line breaks have an
/// escape, and others become a blank.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' | ';' | ',' => escaped.extend(['\\', character]),
            '\r' if characters.peek() == Some(&'\n') => {}
            '\r' | '\n' => escaped.push_str("\\n"),
            other if other.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(text: &str) -> String {
        let mut lines = ContentLines::default();
        lines.text("SUMMARY", text);
        String::from_utf8(lines.into_bytes()).unwrap()
    }

    #[test]
    fn what_separates_values_is_escaped_and_a_line_break_stays_inside_the_value() {
        assert_eq!(
            written("a,b;c\\d\r\ne\nf\rEND:VEVENT\u{7}g\th"),
            "SUMMARY:a\\,b\\;c\\\\d\\ne\\nf\\nEND:VEVENT g h\r\n"
        );
    }

    #[test]
    fn a_line_is_folded_at_its_limit_and_not_before() {
        let fits = "x".repeat(MAX_LINE - "SUMMARY:".len());
        assert_eq!(written(&fits), format!("SUMMARY:{fits}\r\n"));
        assert_eq!(
            written(&format!("{fits}y")),
            format!("SUMMARY:{fits}\r\n y\r\n")
        );
    }

    proptest! {
        /// Fails if a line is too long, a character is split, or another text is read than was
        /// written.
        #[test]
        fn every_text_is_read_as_it_was_written(text in "(?s).{0,200}|[가-힣😀👨‍👩‍👧,;\\\\\r\n]{0,80}") {
            let written = written(&text);
            for line in written.strip_suffix("\r\n").unwrap().split("\r\n") {
                prop_assert!(line.len() <= MAX_LINE && !line.contains(['\r', '\n']));
            }
            let unfolded = written.replace("\r\n ", "");
            let value = unfolded.strip_prefix("SUMMARY:").unwrap().strip_suffix("\r\n").unwrap();
            let mut read = String::new();
            let mut characters = value.chars();
            while let Some(character) = characters.next() {
                read.push(match character {
                    '\\' => match characters.next().unwrap() { 'n' => '\n', other => other },
                    other => other,
                });
            }
            let expected: String = text
                .replace("\r\n", "\n")
                .chars()
                .map(|c| if c == '\r' { '\n' } else if c.is_control() && c != '\n' { ' ' } else { c })
                .collect();
            prop_assert_eq!(read, expected);
        }
    }
}

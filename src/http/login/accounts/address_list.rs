//! Lists of e-mail addresses, for accounts that are created in bulk.

use std::collections::HashMap;
use std::fmt;

use csv::{ReaderBuilder, StringRecord};

use crate::directory::Snapshot;
use crate::domain::{ClassNum, Email, Grade, StudentProfile};

/// Headings of a column of addresses, folded.
const HEADINGS: [&str; 5] = ["email", "e-mail", "이메일", "이메일 주소", "메일"];

/// Characters by which other programs separate or quote addresses. In an address they are most likely
/// the rest of a line, and a list that is written and read again would have another address.
const SEPARATORS: [char; 5] = [',', ';', '"', '<', '>'];

/// E-mail addresses to invite, each once, and the lines of a file that have none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct AddressList {
    /// The addresses, in the order of the list.
    pub addresses: Vec<Email>,
    /// The refused lines, in the order of the list.
    pub refused: Vec<RefusedLine>,
}

/// A line without an address to invite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedLine {
    /// The number of the line, from 1.
    pub line: u64,
    /// Why it is refused.
    pub reason: LineRefusal,
}

/// Why a line was refused. It prints as the end of a sentence about the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineRefusal {
    /// It has no e-mail address.
    NoAddress,
    /// It has several addresses, and no heading says which one is meant.
    SeveralAddresses,
    /// Its address has one of the characters `,`, `;`, `"`, `<` and `>`.
    Separator,
    /// It repeats the address of this line, ignoring case.
    Repeated(u64),
    /// The list has [`AddressList::MAX_ADDRESSES`] before it.
    TooMany,
}

impl fmt::Display for LineRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAddress => f.write_str("has no e-mail address"),
            Self::SeveralAddresses => {
                f.write_str("has several addresses, and no heading names the column")
            }
            Self::Separator => f.write_str("has one of , ; \" < > in its address"),
            Self::Repeated(line) => write!(f, "repeats the address of line {line}"),
            Self::TooMany => write!(f, "is beyond {} addresses", AddressList::MAX_ADDRESSES),
        }
    }
}

impl AddressList {
    /// Maximum number of addresses of a list.
    pub const MAX_ADDRESSES: usize = 5_000;

    /// Maximum bytes of a text with addresses.
    pub const MAX_BYTES: usize = 1024 * 1024;

    /// Reads a text with an address on each line, or CSV. If the first line has the heading `email`
    /// or `이메일`, the addresses are in that column; otherwise a line has one cell with `@`. Blank
    /// lines are skipped. The text is UTF-8, or, for addresses in ASCII, another encoding that has
    /// ASCII, such as CP949; UTF-16 is not read. What is after [`MAX_BYTES`](Self::MAX_BYTES) is
    /// ignored: check the size of a file before.
    pub fn parse(text: &[u8]) -> Self {
        let text = &text[..text.len().min(Self::MAX_BYTES)];
        let text = String::from_utf8_lossy(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text));
        let has_tabs = !text.contains(',') && text.contains('\t');
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(if has_tabs { b'\t' } else { b',' })
            .from_reader(text.as_bytes());
        let (mut list, mut lines) = (Self::default(), HashMap::new());
        let (mut column, mut is_first) = (None, true);
        let mut record = StringRecord::new();
        // Text without a faulty encoding always reads as CSV.
        while reader.read_record(&mut record).unwrap_or_default() {
            let line = record.position().map_or(0, csv::Position::line);
            if record.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            if std::mem::take(&mut is_first)
                && let Some(found) = heading(&record)
            {
                column = Some(found);
                continue;
            }
            match address(&record, column) {
                Ok(address) => list.add(address, line, &mut lines),
                Err(reason) => list.refused.push(RefusedLine { line, reason }),
            }
        }
        list
    }

    /// The addresses of the enrolled students of a grade and a class, or of all, in the order of
    /// grade, class and number.
    pub fn of_students(
        school: &Snapshot,
        grade: Option<Grade>,
        class_num: Option<ClassNum>,
    ) -> Self {
        let place = |profile: &StudentProfile| {
            let of = profile.student.enrollment()?;
            let is_wanted = grade.is_none_or(|grade| of.grade == grade)
                && class_num.is_none_or(|class| of.class_num == class);
            is_wanted.then_some((of.grade, of.class_num, of.number))
        };
        let mut students: Vec<_> = school
            .students()
            .iter()
            .filter_map(|profile| Some((place(profile)?, &profile.student.email)))
            .collect();
        students.sort();
        let (mut list, mut lines) = (Self::default(), HashMap::new());
        for (line, (_, email)) in (1..).zip(students) {
            list.add(email.clone(), line, &mut lines);
        }
        list
    }

    fn add(&mut self, address: Email, line: u64, lines: &mut HashMap<String, u64>) {
        let reason = match lines.get(&address.folded()) {
            _ if address.as_str().contains(SEPARATORS) => LineRefusal::Separator,
            Some(first) => LineRefusal::Repeated(*first),
            None if self.addresses.len() == Self::MAX_ADDRESSES => LineRefusal::TooMany,
            None => {
                lines.insert(address.folded(), line);
                self.addresses.push(address);
                return;
            }
        };
        self.refused.push(RefusedLine { line, reason });
    }
}

/// The column of addresses, if the first line has its heading.
fn heading(record: &StringRecord) -> Option<usize> {
    record
        .iter()
        .position(|cell| HEADINGS.contains(&&*cell.trim().to_lowercase()))
}

fn address(record: &StringRecord, column: Option<usize>) -> Result<Email, LineRefusal> {
    let cell = match column {
        Some(column) => record.get(column).unwrap_or_default(),
        None => {
            let mut cells = record.iter().filter(|cell| cell.contains('@'));
            let first = cells.next().ok_or(LineRefusal::NoAddress)?;
            if cells.next().is_some() {
                return Err(LineRefusal::SeveralAddresses);
            }
            first
        }
    };
    let reason = match cell.contains('@') && cell.contains(SEPARATORS) {
        true => LineRefusal::Separator,
        false => LineRefusal::NoAddress,
    };
    cell.trim().parse().map_err(|_| reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let list = AddressList::parse(text.as_bytes());
        let refused = list.refused.iter();
        (
            list.addresses.iter().map(Email::to_string).collect(),
            refused
                .map(|refused| format!("{} {}", refused.line, refused.reason))
                .collect(),
        )
    }

    #[test]
    fn a_list_has_an_address_on_each_line_and_refuses_the_others_with_their_number() {
        let (addresses, refused) = read(
            "\u{feff}kim@school.example\r\n\r\n lee@school.example \nnobody\nKIM@school.example\npark@\n",
        );
        assert_eq!(addresses, ["kim@school.example", "lee@school.example"]);
        assert_eq!(
            refused,
            [
                "4 has no e-mail address",
                "5 repeats the address of line 1",
                "6 has no e-mail address"
            ]
        );
    }

    #[test]
    fn a_table_has_its_addresses_in_the_column_with_the_heading_or_in_the_only_cell_with_one() {
        for text in [
            "name,parent,Email\nKim,x@home.example,kim@school.example\n",
            "이름\t이메일\n김\tkim@school.example\n",
            "Kim,kim@school.example,2\n",
        ] {
            let (addresses, refused) = read(text);
            assert_eq!(addresses, ["kim@school.example"], "{text:?}");
            assert_eq!(refused, [""; 0], "{text:?}");
        }
        let (addresses, refused) = read("Kim,kim@school.example,x@home.example\n");
        assert_eq!(addresses, [""; 0]);
        assert_eq!(
            refused,
            ["1 has several addresses, and no heading names the column"]
        );
        let (_, refused) = read("email\n\"\n");
        assert_eq!(refused, [""; 0], "an open quote is a blank cell");
    }

    /// Fails if a row of a table with other separators is taken for an address.
    #[test]
    fn an_address_with_a_character_that_separates_addresses_is_refused() {
        for line in [
            "kim@school.example;Kim;2",
            "Kim;kim@school.example",
            "kim@school.example;lee@school.example",
            "\"kim@school.example,2\"",
            "Kim <kim@school.example>",
            "<kim@school.example>",
            "a\"b@school.example",
        ] {
            let (addresses, refused) = read(line);
            assert_eq!(addresses, [""; 0], "{line}");
            assert_eq!(
                refused,
                ["1 has one of , ; \" < > in its address"],
                "{line}"
            );
        }
    }

    #[test]
    fn a_list_is_bounded() {
        let most = AddressList::MAX_ADDRESSES;
        let text: String = (0..=most).map(|n| format!("s{n}@b\n")).collect();
        let list = AddressList::parse(text.as_bytes());
        assert_eq!(list.addresses.len(), most);
        let refused = list.refused.iter().map(|refused| refused.reason);
        assert_eq!(refused.collect::<Vec<_>>(), [LineRefusal::TooMany]);
        let long = "x".repeat(2 * AddressList::MAX_BYTES);
        assert_eq!(AddressList::parse(long.as_bytes()).refused.len(), 1);
    }
}

//! Workbooks of one sheet (ECMA-376), in a ZIP archive without compression.
//!
//! Texts are inline strings, which no program takes for formulas. Dates are numbers of days.

use std::fmt::Write;

use super::table_file::{FileCell, TableFile};
use crate::domain::Date;
use crate::http::console::error::Error;

/// Longest text of a cell in Excel, in UTF-16 code units.
const MAX_TEXT: usize = 32_767;

/// Digits of the longest number that a spreadsheet program keeps exactly.
const MAX_DIGITS: usize = 15;

const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#;

/// The parts of every workbook, apart from the sheet.
const PARTS: [(&str, &str); 5] = [
    (
        "[Content_Types].xml",
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>"#,
    ),
    (
        "_rels/.rels",
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
    ),
    (
        "xl/workbook.xml",
        r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>"#,
    ),
    (
        "xl/_rels/workbook.xml.rels",
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#,
    ),
    (
        // The second format of cells is that of dates.
        "xl/styles.xml",
        r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" xfId="0"/><xf numFmtId="164" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>"#,
    ),
];

/// The table as a workbook, with the row of headings in view, and columns that are wide enough for a
/// date.
pub(super) fn workbook(table: &TableFile) -> Result<Vec<u8>, Error> {
    let mut sheet = DECLARATION.to_owned();
    sheet.push_str(r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultColWidth="12" defaultRowHeight="15"/><sheetData>"#);
    let headings = table.headings.iter().cloned().map(FileCell::Text);
    write_row(&mut sheet, &headings.collect::<Vec<_>>());
    for row in &table.rows {
        write_row(&mut sheet, row);
    }
    sheet.push_str("</sheetData></worksheet>");
    let mut archive = Archive::default();
    for (name, content) in PARTS {
        archive.add(name, format!("{DECLARATION}{content}").as_bytes())?;
    }
    archive.add("xl/worksheets/sheet1.xml", sheet.as_bytes())?;
    archive.finish()
}

fn write_row(sheet: &mut String, cells: &[FileCell]) {
    sheet.push_str("<row>");
    for cell in cells {
        match cell {
            FileCell::Empty => sheet.push_str("<c/>"),
            FileCell::Number(number) if number.len() <= MAX_DIGITS => {
                // Writing to a string does not fail.
                _ = write!(sheet, "<c><v>{number}</v></c>");
            }
            FileCell::Date(text) => match date_number(text) {
                Some(number) => _ = write!(sheet, r#"<c s="1"><v>{number}</v></c>"#),
                None => write_inline_string(sheet, text),
            },
            FileCell::Number(text) | FileCell::Text(text) => write_inline_string(sheet, text),
        }
    }
    sheet.push_str("</row>");
}

fn write_inline_string(sheet: &mut String, text: &str) {
    sheet.push_str(r#"<c t="inlineStr"><is><t xml:space="preserve">"#);
    write_text(sheet, text);
    sheet.push_str("</t></is></c>");
}

/// The number of a date in spreadsheet programs, which count a day too many before March 1900.
fn date_number(text: &str) -> Option<i32> {
    let date: Date = text.parse().ok()?;
    let first = Date::new(1900, 3, 1).ok()?;
    (date >= first).then(|| 61 + first.days_until(date))
}

/// Escapes a text, without the characters that XML 1.0 cannot have and what is too long for a cell.
fn write_text(sheet: &mut String, text: &str) {
    let mut units = 0;
    for letter in text.chars() {
        units += letter.len_utf16();
        if units > MAX_TEXT {
            return;
        }
        match letter {
            '&' => sheet.push_str("&amp;"),
            '<' => sheet.push_str("&lt;"),
            '>' => sheet.push_str("&gt;"),
            // A parser would make a line feed of it.
            '\r' => sheet.push_str("&#13;"),
            '\u{0}'..='\u{8}'
            | '\u{b}'
            | '\u{c}'
            | '\u{e}'..='\u{1f}'
            | '\u{fffe}'
            | '\u{ffff}' => {}
            _ => sheet.push(letter),
        }
    }
}

/// A ZIP archive of stored files.
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    files: u16,
}

impl Archive {
    fn add(&mut self, name: &str, content: &[u8]) -> Result<(), Error> {
        let offset = length(self.bytes.len())?;
        let size = length(content.len())?.to_le_bytes();
        let name_length = u16::try_from(name.len()).map_err(Error::internal)?;
        // What both headers of a file have: version 2.0, names in UTF-8, stored, 1980-01-01 00:00.
        let mut header = vec![20, 0, 0, 8, 0, 0, 0, 0, 33, 0];
        header.extend(crc32(content).to_le_bytes());
        header.extend(size);
        header.extend(size);
        header.extend(name_length.to_le_bytes());
        header.extend([0; 2]);
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&header);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(content);
        self.directory.extend(b"PK\x01\x02\x14\x00");
        self.directory.extend(&header);
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.files += 1;
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u8>, Error> {
        let (offset, size) = (length(self.bytes.len())?, length(self.directory.len())?);
        self.bytes.append(&mut self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend(self.files.to_le_bytes());
        self.bytes.extend(self.files.to_le_bytes());
        self.bytes.extend(size.to_le_bytes());
        self.bytes.extend(offset.to_le_bytes());
        self.bytes.extend([0; 2]);
        Ok(self.bytes)
    }
}

/// A length in a header; longer archives would need ZIP64.
fn length(bytes: usize) -> Result<u32, Error> {
    u32::try_from(bytes).map_err(Error::internal)
}

/// The checksum of ZIP (ISO 3309).
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let (mut table, mut at) = ([0; 256], 0);
        while at < 256 {
            let (mut value, mut bit) = (at as u32, 0);
            while bit < 8 {
                value = if value & 1 == 1 {
                    0xedb8_8320 ^ (value >> 1)
                } else {
                    value >> 1
                };
                bit += 1;
            }
            table[at] = value;
            at += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc, byte| {
        TABLE[usize::from((crc as u8) ^ byte)] ^ (crc >> 8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if the checksum is not that of other programs.
    #[test]
    fn the_checksum_of_the_check_string_is_the_published_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn texts_are_inline_strings_and_only_short_numbers_are_numbers() {
        let mut sheet = String::new();
        write_row(
            &mut sheet,
            &[
                FileCell::Empty,
                FileCell::Number("-7".to_owned()),
                FileCell::Number("9007199254740993".to_owned()),
                FileCell::Text("=1+1 <&> \u{1}\r\n끝".to_owned()),
            ],
        );
        let text =
            |text| format!(r#"<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>"#);
        assert_eq!(
            sheet,
            format!(
                "<row><c/><c><v>-7</v></c>{}{}</row>",
                text("9007199254740993"),
                text("=1+1 &lt;&amp;&gt; &#13;\n끝")
            )
        );
    }

    #[test]
    fn dates_are_numbers_from_march_1900_on_and_other_texts_stay() {
        let mut sheet = String::new();
        let dates = ["2026-11-23", "1900-03-01", "1900-02-28", "soon"];
        let cells = dates.map(|text| FileCell::Date(text.to_owned()));
        write_row(&mut sheet, &cells);
        let text =
            |text| format!(r#"<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>"#);
        assert_eq!(
            sheet,
            format!(
                r#"<row><c s="1"><v>46349</v></c><c s="1"><v>61</v></c>{}{}</row>"#,
                text("1900-02-28"),
                text("soon")
            )
        );
    }

    #[test]
    fn a_text_ends_where_a_cell_does() {
        let mut sheet = String::new();
        write_text(&mut sheet, &"😀".repeat(20_000));
        assert_eq!(sheet.encode_utf16().count(), MAX_TEXT - 1);
    }
}

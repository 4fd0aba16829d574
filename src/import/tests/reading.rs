use super::*;
use crate::import::{Encoding, FileFormat, MAX_BYTES, MAX_CELL_BYTES, MAX_ROWS, Place};

const KOREAN: &str = "성명,성 별,이메일 주소,학년,반,번호,전공,기숙사호실\n김하늘,여,haneul@school.example,2,3,7,AI,415\n";

/// Fails if a file depends on the program that saved it.
#[test]
fn utf_8_with_and_without_a_mark_and_cp949_are_read_alike() {
    let directory = empty_school();
    let (cp949, _, _) = encoding_rs::EUC_KR.encode(KOREAN);
    let import = Import::new(Students);
    let files = [
        (KOREAN.as_bytes().to_vec(), Encoding::Utf8),
        (format!("\u{feff}{KOREAN}").into_bytes(), Encoding::Utf8),
        (cp949.into_owned(), Encoding::Cp949),
    ];
    for (file, encoding) in files {
        let plan = plan_of(&directory, &import, file);
        assert_eq!(plan.encoding(), encoding);
        assert_eq!(
            changes(&plan),
            [
                "students 1: name \"\" \"김하늘\", sex \"\" \"WOMAN\", email \"\" \"haneul@school.example\", \
                 role \"\" \"GENERAL_STUDENT\", grade \"\" \"2\", classNum \"\" \"3\", number \"\" \"7\", \
                 major \"\" \"AI\", dormitoryRoom \"\" \"415\""
            ]
        );
        let columns: Vec<_> = plan.columns().collect();
        assert_eq!(columns[0..2], [("성명", "name"), ("성 별", "sex")]);
    }
    let neither = refusal_of(&directory, &import, *b"name\n\xff\xff\xff\n");
    assert_eq!(neither.reason, "the file is neither UTF-8 nor CP949");
}

/// Fails if a column is guessed, or if a heading at fault, which may be personal data, is repeated.
#[test]
fn unknown_and_doubled_columns_are_refused_by_their_positions() {
    let directory = empty_school();
    let csv = Import::new(Students);
    let json = csv.clone().format(FileFormat::Json);
    let refused = |import: &Import, file: &str| {
        let refusal = refusal_of(&directory, import, file);
        let is_first = matches!(refusal.place, Some(Place::Line(1) | Place::Record(1)));
        assert!(is_first, "{refusal}");
        (refusal.column.unwrap(), refusal.reason)
    };
    let (column, reason) = refused(&csv, "name,별명\n");
    assert!(
        column == "column 2"
            && reason.starts_with("is an unknown heading; the known ones are id, name,")
    );
    let (column, reason) = refused(&csv, "name,e-mail,이름\n");
    assert!(column == "column 2", "{reason}");
    let (column, reason) = refused(&csv, "name,email,이름\n");
    assert_eq!(
        (&*column, &*reason),
        ("column 3", "repeats column 1 (name): remove one")
    );
    assert_eq!(
        refused(&json, r#"[{"name": "a", "nick": "b"}]"#).0,
        "member 2"
    );
    assert_eq!(
        refused(&json, r#"[{"name": "a", "name": "b"}]"#).0,
        "member 2"
    );
    assert_eq!(
        refused(&json, r#"[{"majorClub": {"id": 1, "color": "red"}}]"#).0,
        "member 2"
    );
    let without_headings = "hong@school.example,홍길동\n";
    let refusal = refusal_of(&directory, &csv, without_headings).to_string();
    assert!(
        !refusal.contains("hong") && !refusal.contains("홍길동"),
        "{refusal}"
    );
    let long = "a".repeat(MAX_CELL_BYTES + 1);
    let (column, reason) = refused(&csv, &format!("name,{long}\n"));
    assert!(
        column == "column 2" && reason.contains("bytes"),
        "{column}: {reason}"
    );
}

/// Fails if a file of another kind is taken for one of this kind.
#[test]
fn the_korean_heading_of_a_name_belongs_to_its_kind() {
    let directory = empty_school();
    let headings = [
        (Students, "성명"),
        (Clubs, "동아리명"),
        (Clubs, "동아리 이름"),
        (Projects, "프로젝트명"),
        (Projects, "프로젝트 이름"),
    ];
    for kind in [Students, Clubs, Projects] {
        for (of, heading) in headings {
            let file = format!("{heading}\n");
            if of == kind {
                let plan = plan(&directory, kind, &file);
                let columns: Vec<_> = plan.columns().collect();
                assert_eq!(columns, [(heading, "name")]);
            } else {
                let refusal = refusal_of(&directory, &Import::new(kind), file);
                assert_eq!(refusal.column.as_deref(), Some("column 1"), "{heading}");
            }
        }
    }
}

/// Fails if the rows after an open quote are lost in its cell.
#[test]
fn a_file_that_ends_inside_a_quoted_cell_is_refused() {
    let directory = empty_school();
    let csv = Import::new(Projects);
    let open = "name,startYear,description\nA,2026,\"two\nlines\"\nB,2026,\"open\nC,2026,\"\"\n";
    for line_end in ["\n", "\r", "\r\n"] {
        let refusal = refusal_of(&directory, &csv, open.replace('\n', line_end));
        assert_eq!(
            refusal.reason,
            "the file ends inside a quoted cell that begins in line 4"
        );
    }
    let closed = "name,startYear,description\nA,2026,\"a \"\"b\"\"\"";
    for end in ["", "\r", "\n\r\n"] {
        let plan = plan(&directory, Projects, &format!("{closed}{end}"));
        assert_eq!(counts(&plan), [1, 0, 0, 0], "{end:?}");
    }
}

/// Fails if a file is refused for the empty cells that a spreadsheet program leaves out or adds.
#[test]
fn empty_cells_at_the_end_of_a_row_may_be_missing_or_too_many() {
    let directory = empty_school();
    let file = "name,startYear,description,,\nA,2026\nB,2026,,,\nC\nD,2026,,x\nE,2026,,,,,\n";
    let plan = plan(&directory, Projects, file);
    assert_eq!(
        refusals(&plan),
        [
            "line 4, startYear: must not be empty",
            "line 5: has 4 cells, and the first line has 3 headings",
        ]
    );
    assert_eq!(plan.added(), 3);
}

/// Fails if a large file is read whole before it is refused, or has no bound.
#[test]
fn files_rows_and_cells_have_bounds() {
    let directory = empty_school();
    let (csv, json) = (
        Import::new(Projects),
        Import::new(Projects).format(FileFormat::Json),
    );
    let reason = |import: &Import, file: Vec<u8>| refusal_of(&directory, import, file).reason;
    assert!(reason(&csv, vec![b'a'; MAX_BYTES + 1]).contains("bytes"));
    let rows = format!("name\n{}", "a\n".repeat(MAX_ROWS + 1));
    assert!(reason(&csv, rows.into_bytes()).contains("rows"));
    let rows = format!("[{}0]", "0,".repeat(MAX_ROWS));
    assert!(reason(&json, rows.into_bytes()).contains("rows"));
    let long = "a".repeat(MAX_CELL_BYTES + 1);
    assert!(reason(&csv, format!("name\n{long}\n").into_bytes()).contains("bytes"));
    let cell = format!(r#"[{{"name": "{long}"}}]"#);
    assert!(reason(&json, cell.into_bytes()).contains("bytes"));
    assert!(reason(&csv, Vec::new()).contains("headings"));
    for file in ["", "{}", "[", "[{}] 1", "name\n"] {
        assert!(reason(&json, file.into()).contains("JSON array"), "{file}");
    }
}

/// Fails if a line is counted wrong, such as after a cell with a line break.
#[test]
fn a_refused_row_has_its_line_and_the_heading_of_its_column() {
    let directory = empty_school();
    let file = "이름,설명,시작 연도\nA,\"two\nlines\",2026\nB,,year\n\n,,\nC,,2026,more\nD,,\n";
    for line_end in ["\n", "\r", "\r\n"] {
        assert_eq!(
            refusals(&plan(&directory, Projects, &file.replace('\n', line_end))),
            [
                "line 4, 시작 연도: must be a whole number",
                "line 7: has 4 cells, and the first line has 3 headings",
                "line 8, 시작 연도: must not be empty",
            ],
            "{line_end:?}"
        );
    }
    let file = "[\n  {\"name\": \"A\",\n   \"startYear\": true},\n  7,\n  {\"name\": [], \"startYear\": 1}, {\"club\": 3}\n]";
    let json = Import::new(Projects).format(FileFormat::Json);
    assert_eq!(
        refusals(&plan_of(&directory, &json, file)),
        [
            "record 1, startYear: must be a text, a number or null",
            "record 2: must be an object",
            "record 3, name: must be a text, a number or null",
            "record 4, club: must be an object or null",
        ]
    );
}

/// Fails if a value is accepted that the domain or the school's bounds do not allow, or if its
/// reason names no column.
#[test]
fn a_value_that_a_record_cannot_have_is_refused_with_line_column_and_reason() {
    let directory = school();
    let header = "name,sex,email,학년,classNum,number,major,role\n";
    for (row, reason) in [
        (",MAN,a@b,1,1,2,AI,", "line 2, name: must not be empty"),
        (
            "A,X,a@b,1,1,2,AI,",
            "line 2, sex: must be one of MAN, WOMAN",
        ),
        (
            "A,남,a,1,1,2,AI,",
            "line 2, email: must be an e-mail address",
        ),
        (
            "A,남,a@b,4,1,2,AI,",
            "line 2, 학년: must be a whole number from 1 to 3",
        ),
        (
            "A,남,a@b,-1,1,2,AI,",
            "line 2, 학년: must be a whole number",
        ),
        (
            "A,남,a@b,1,1,2,ART,",
            "line 2, major: must be one of SW_DEVELOPMENT, SMART_IOT, AI",
        ),
        (
            "A,남,a@b,1,,,,졸업",
            "line 2, 학년: must be empty for a graduate or a withdrawn student",
        ),
    ] {
        let plan = partial(&directory, Students, &format!("{header}{row}\n"));
        assert_eq!(refusals(&plan), [reason], "{row}");
    }
    let plan = partial(&directory, Students, "name,email\nA,a@b\n");
    assert_eq!(
        refusals(&plan),
        ["line 2, sex: a new record needs this column, which the file lacks"]
    );
}

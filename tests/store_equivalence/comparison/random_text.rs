//! Random text that databases often treat differently: case, accents, wildcards, quotes, order,
//! width.

use crate::rng::SeededRng;
use lyceum::domain::{LongText, ShortText};

/// Names that are easily confused.
pub(super) const NAMES: &[&str] = &[
    "김하늘",
    "김하늘 2",
    "Ångström",
    "A\u{30a}NGSTRO\u{308}M",
    "Nguye\u{302}\u{303}n",
    "STRASSE",
    "straße",
    "GROẞ",
    "ﬁnal ﬂight",
    "FINAL FLIGHT",
    "Iğdır",
    "ıgdir",
    "İstanbul",
    "i\u{307}stanbul",
    "Σίσυφος",
    "ΣΊΣΥΦΟΣ",
    "Ёлка",
    "100%",
    "1000",
    "%",
    "_",
    "a_c",
    "abc",
    "ABC",
    "a\\%c",
    "back\\slash",
    "it's",
    "' OR '1'='1",
    "\"quoted\"; --",
    "$1 ?1 :a @b",
    "\\x41 \\u0041 E'\\n'",
    "[a-z]*",
    "NULL",
    "😀 b",
    "😃 b",
    "👩\u{200d}💻",
    "👩🏽\u{200d}💻",
    "👨\u{200d}👩\u{200d}👧",
    "🇰🇷",
    "\u{10428} deseret",
    "𐐀 DESERET",
    "\u{fffd}",
    "\u{e000}",
    "\u{f8ff}\u{100000}",
    "\u{ffff}",
    "\u{10ffff}",
    "힣",
    "한글",
    "\u{1112}\u{1161}\u{11ab}글",
    "ㅎㅏㄴ글",
    "שלום عالم",
    "\u{202e}abc\u{202c}",
    "ne\u{ad}ver",
    "zero\u{200b}width",
    "\u{feff}mark",
    "x\u{300}\u{301}\u{316}",
    "x\u{316}\u{301}\u{300}",
    "a b",
    "a\u{a0}b",
    "a\u{3000}b",
    "a\u{2028}b",
    " a b",
    "a b ",
    "a  b",
    "ab",
    "a-b",
    "ａｂｃ",
    "½ Ⅷ ①",
    "ǅungla",
];

/// Pieces of names and terms.
const PIECES: &[&str] = &[
    "a",
    "A",
    "b",
    "Z",
    "z",
    "ß",
    "SS",
    "ẞ",
    "i",
    "I",
    "ı",
    "İ",
    "σ",
    "ς",
    "Σ",
    "å",
    "\u{30a}",
    "\u{301}",
    "\u{316}",
    "%",
    "_",
    "\\",
    "'",
    "\"",
    " ",
    "\u{a0}",
    "\u{3000}",
    "\u{200d}",
    "\u{fe0f}",
    "😀",
    "👩",
    "💻",
    "𐐀",
    "한",
    "\u{1112}",
    "\u{1161}",
    "\u{11ab}",
    "ㅎ",
    "ﬁ",
    "ש",
    "\u{202e}",
    "\u{fffd}",
    "\u{e000}",
    "\u{10ffff}",
    "0",
    "9",
    "-",
    "*",
    "?",
    "[",
    "{",
    "|",
    "/",
    "<",
    "&",
    "+",
    "\u{7f}",
];

/// Blanks, some of which not every system treats as white space.
const BLANKS: &[&str] = &[
    " ", "  ", "\u{a0}", "\u{3000}", "\u{2028}", "\u{200b}", "\u{feff}",
];

/// Returns a name: one of [`NAMES`], or some pieces, or a very long one.
pub(super) fn name(rng: &mut SeededRng) -> ShortText {
    let text = match rng.below(10) {
        0..=6 => rng.pick(NAMES).to_owned(),
        7 | 8 => pieces(rng),
        _ => long(rng),
    };
    // Text that is no name by itself, such as a blank, becomes one after a letter.
    let text: String = text.chars().filter(|c| !c.is_control()).take(254).collect();
    text.parse()
        .or_else(|_| format!("x{text}").parse())
        .expect("a short text without control characters")
}

/// Returns a few lines of text.
pub(super) fn long_text(rng: &mut SeededRng) -> LongText {
    let lines: Vec<_> = (0..rng.below(4)).map(|_| name(rng).to_string()).collect();
    lines
        .join(rng.pick(&["\n", "\r\n", "\t"]))
        .parse()
        .expect("a text")
}

/// Returns a search term: many occur in a name, in this form or another, and some in none.
pub(super) fn term(rng: &mut SeededRng) -> String {
    let part = part_of_a_name(rng);
    match rng.below(20) {
        0..=6 => part,
        7 => part + rng.pick(BLANKS),
        8 => rng.pick(BLANKS).to_owned() + &part,
        9 | 10 => part.to_uppercase(),
        11 | 12 => part.to_lowercase(),
        13 => decomposed(&part),
        14 | 15 => rng.pick(NAMES).to_owned(),
        16 | 17 => rng.pick(PIECES).to_owned(),
        18 => pieces(rng),
        _ => long(rng),
    }
}

/// Returns a few characters of a name; most occur in several.
fn part_of_a_name(rng: &mut SeededRng) -> String {
    let name: Vec<_> = rng.pick(NAMES).chars().collect();
    let from = rng.below(name.len());
    name.into_iter().skip(from).take(1 + rng.below(3)).collect()
}

fn pieces(rng: &mut SeededRng) -> String {
    (0..=rng.below(6)).map(|_| rng.pick(PIECES)).collect()
}

/// Returns 250 characters or a little more, close to the limits of a name and a term.
fn long(rng: &mut SeededRng) -> String {
    let piece = rng.pick(PIECES);
    piece.chars().cycle().take(250 + rng.below(8)).collect()
}

fn decomposed(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfd().collect()
}

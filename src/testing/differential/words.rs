//! Text that databases are known to read in their own way: case, accents, wildcards, quotes, order, width.

use crate::domain::{Line, Prose};
use crate::testing::school::dice::Dice;

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

/// What names and needles are put together from.
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

/// Blanks, some of which are no white space to everybody.
const BLANKS: &[&str] = &[" ", "  ", "\u{a0}", "\u{3000}", "\u{2028}", "\u{200b}", "\u{feff}"];

/// A name: one of [`NAMES`], or some pieces, or a very long one.
pub(super) fn name(dice: &mut Dice) -> Line {
    let text = match dice.below(10) {
        0..=6 => dice.pick(NAMES).to_owned(),
        7 | 8 => pieces(dice),
        _ => long(dice),
    };
    // What is no name, such as a blank, is one behind a letter.
    let text: String = text.chars().filter(|c| !c.is_control()).take(254).collect();
    text.parse().or_else(|_| format!("x{text}").parse()).expect("a short text without control characters")
}

/// Some lines of text.
pub(super) fn prose(dice: &mut Dice) -> Prose {
    let lines: Vec<_> = (0..dice.below(4)).map(|_| name(dice).to_string()).collect();
    lines.join(dice.pick(&["\n", "\r\n", "\t"])).parse().expect("a text")
}

/// What somebody may look for: much of it is in a name, in this form or another, and some of it can be in none.
pub(super) fn needle(dice: &mut Dice) -> String {
    let part = part_of_a_name(dice);
    match dice.below(20) {
        0..=6 => part,
        7 => part + dice.pick(BLANKS),
        8 => dice.pick(BLANKS).to_owned() + &part,
        9 | 10 => part.to_uppercase(),
        11 | 12 => part.to_lowercase(),
        13 => decomposed(&part),
        14 | 15 => dice.pick(NAMES).to_owned(),
        16 | 17 => dice.pick(PIECES).to_owned(),
        18 => pieces(dice),
        _ => long(dice),
    }
}

/// A few characters of a name; most are found in several.
fn part_of_a_name(dice: &mut Dice) -> String {
    let name: Vec<_> = dice.pick(NAMES).chars().collect();
    let from = dice.below(name.len());
    name.into_iter().skip(from).take(1 + dice.below(3)).collect()
}

fn pieces(dice: &mut Dice) -> String {
    (0..=dice.below(6)).map(|_| dice.pick(PIECES)).collect()
}

/// 250 characters or a little more: about as long as a name and a needle may be.
fn long(dice: &mut Dice) -> String {
    let piece = dice.pick(PIECES);
    piece.chars().cycle().take(250 + dice.below(8)).collect()
}

fn decomposed(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfd().collect()
}

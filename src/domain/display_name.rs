//! Names that people are shown and go by: which characters they may have, and which names are reserved (UTS 39, "Unicode Security
//! Mechanisms").

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, ScriptExtension};
use unicode_security::general_security_profile::IdentifierType;
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::{GeneralSecurityProfile, skeleton};

use crate::domain::{Invalid, fold};

/// How many combining marks may follow one another: more would be drawn over the lines around them (UTS 39 §5.4).
const MARKS_IN_A_ROW: usize = 2;

/// Refuses a name that may look like another one because of its characters: an invisible or bidirectional one, one that UTS 39 restricts,
/// or scripts that no writing system has together (beyond Highly Restrictive, UTS 39 §5.2). Punctuation and symbols that belong to no
/// script, such as an ampersand, are good.
///
/// # Errors
/// With the rule that the name breaks.
pub fn check_characters_of_name(name: &str) -> Result<(), Invalid> {
    let (mut all, mut all_but_latin) = (AugmentedScriptSet::default(), AugmentedScriptSet::default());
    let (mut has_latin, mut has_lone_jamo) = (false, false);
    // A name begins with no mark.
    let mut marks = MARKS_IN_A_ROW;
    // Some systems write Hangul as conjoining jamo, which look the same composed.
    for character in name.nfc() {
        if !is_allowed(character) {
            return Err(Invalid::new("must have no invisible, compatibility or rare characters"));
        }
        marks = if is_combining_mark(character) { marks + 1 } else { 0 };
        if marks > MARKS_IN_A_ROW {
            return Err(Invalid::new("must not begin with a combining mark or have more than two in a row"));
        }
        let scripts = AugmentedScriptSet::for_char(character);
        all.intersect_with(scripts);
        if !scripts.base.contains_script(Script::Latin) {
            all_but_latin.intersect_with(scripts);
        }
        has_latin |= character.is_ascii_alphabetic();
        has_lone_jamo |= is_lone_jamo(character);
    }
    if has_latin && has_lone_jamo {
        return Err(Invalid::new("must not mix Latin letters with single Hangul letters, which look like some of them"));
    }
    // Latin goes with Japanese, with Han and Bopomofo, and with Korean.
    if !all.is_empty() || all_but_latin.jpan || all_but_latin.hanb || all_but_latin.kore {
        return Ok(());
    }
    Err(Invalid::new("must not mix scripts, other than Latin with Hangul, Han, kana or Bopomofo"))
}

fn is_allowed(character: char) -> bool {
    match character {
        ' '..='~' => true,
        // It stands for what cannot be shown.
        '\u{FFF9}'..='\u{FFFD}' => false,
        _ if character.is_whitespace() || character.is_control() => false,
        _ => match character.identifier_type() {
            Some(IdentifierType::Recommended | IdentifierType::Inclusion) => true,
            Some(IdentifierType::Not_XID) => ScriptExtension::from(character).is_common(),
            // Of limited use, and in the definition of Highly Restrictive.
            Some(IdentifierType::Limited_Use) => ScriptExtension::from(character).contains_script(Script::Bopomofo),
            _ => is_lone_jamo(character),
        },
    }
}

/// Hangul letters that are not part of a syllable, as in "ㅋㅋ".
fn is_lone_jamo(character: char) -> bool {
    ('\u{3131}'..='\u{3163}').contains(&character)
}

/// Names that only administrators give, such as those of the service and of the school.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReservedNames(Vec<[String; 2]>);

impl ReservedNames {
    /// Whether the name is one of them, or looks like one: the same letters, or letters that are confused with them (UTS 39 §4), in upper or
    /// lower case, whatever is between them.
    ///
    /// ```
    /// use lyceum::domain::ReservedNames;
    ///
    /// let reserved = ReservedNames::from_iter(["School Portal"]);
    /// assert!(reserved.contains("school-portal") && reserved.contains("Schoo1 P\u{3bf}rtal"));
    /// assert!(!reserved.contains("School Portal Friends"));
    /// ```
    pub fn contains(&self, name: &str) -> bool {
        let likenesses = likenesses(name);
        self.0.iter().any(|reserved| reserved.iter().zip(&likenesses).any(|(reserved, likeness)| reserved == likeness))
    }
}

impl<'a> FromIterator<&'a str> for ReservedNames {
    /// Names without a letter or digit reserve nothing.
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        Self(names.into_iter().map(likenesses).filter(|likenesses| likenesses.iter().all(|likeness| !likeness.is_empty())).collect())
    }
}

/// Confusable skeletons of a name (UTS 39 §4), computed before and after case folding, because `I` is confusable with `l` only before folding.
/// Only their letters and digits are compared.
fn likenesses(name: &str) -> [String; 2] {
    let letters = |text: &str| text.chars().filter(|character| character.is_alphanumeric()).collect::<String>();
    let before: String = skeleton(name).collect();
    let after: String = skeleton(&fold(name)).collect();
    [letters(&fold(&before)), letters(&after)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_the_scripts_of_a_writing_system_are_good() {
        for name in [
            "Club portal",
            "급식 알리미",
            "밥묵자 School Lunch",
            "給食 급식 Menu",
            "学校 School かな カナ",
            "ㄅㄆㄇ 學校 BPMF",
            "Школа",
            "Σχολείο 2",
            "Timetable & Friends <Plus> (beta) #1 – “the good one”",
            "급식·시간표",
            "급식 🍚",
            "Café",
            "Cafe\u{301}",
            "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}",
            "ㅋㅋㅋ 게시판",
        ] {
            assert_eq!(check_characters_of_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn names_that_mix_scripts_or_hide_characters_are_refused() {
        for name in [
            "Schооl", // Cyrillic о
            "\u{301}School",
            "Clu\u{323}\u{324}\u{325}b",
            "Schοοl", // Greek ο
            "학교 Школа",
            "Schooㅣ",
            "Школа かな",
            "School\u{200b} Portal", // zero-width space
            "School\u{200d}Portal",  // zero-width joiner
            "School\u{ad}Portal",    // soft hyphen
            "School\u{2060}Portal",  // word joiner
            "School\u{feff}Portal",
            "\u{202e}latroP loohcS", // right-to-left override
            "School\u{2066} Portal", // isolate
            "School\u{a0}Portal",    // no-break space
            "School\u{3000}Portal",  // ideographic space
            "\u{3164}School",        // Hangul filler
            "\u{115f}\u{1160}",
            "\u{2800}School",  // braille blank
            "Ｓｃｈｏｏｌ",    // full width
            "𝐒chool",          // mathematical
            "School\u{fe0f}",  // variation selector
            "School\u{e0041}", // tag
            "School\u{e000}",  // private use
            "School\u{fffd}",
            "School\u{378}", // unassigned
        ] {
            assert!(check_characters_of_name(name).is_err(), "{name:?} was accepted");
        }
    }

    #[test]
    fn a_reserved_name_is_known_however_it_is_dressed_up() {
        let reserved = ReservedNames::from_iter(["School Portal", "부산소프트웨어마이스터고등학교", "Lyceum", "!"]);
        for name in [
            "School Portal",
            "SCHOOL PORTAL",
            "schoolportal",
            "School - Portal!",
            "SchooI PortaI", // capital i
            "Sch00l P0rtal",
            "Schoo1 Porta1",
            "Ѕсhооl Роrtаl", // Cyrillic
            "School\u{200b}Portal",
            "Ｓｃｈｏｏｌ Ｐｏｒｔａｌ",
            "LYCEUM",
            "Lyceurn",
            "부산 소프트웨어 마이스터 고등학교",
            "\u{1107}\u{116e}산소프트웨어마이스터고등학교",
        ] {
            assert!(reserved.contains(name), "{name} is free");
        }
        for name in ["School Portal Friends", "Portal School", "부산소프트웨어마이스터고 급식", "Campus App", "?", ""] {
            assert!(!reserved.contains(name), "{name} is reserved");
        }
    }
}

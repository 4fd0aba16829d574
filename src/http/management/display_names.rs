//! Checks of names and other texts that users read before they consent.

use super::{ManagementSession, Rejection};
use crate::domain::{
    ScopeDescription, ShortText, Translations, check_name_characters, check_text_characters,
};

impl ManagementSession<'_> {
    /// Refuses misleading names. An unchanged name passes, because it may be older than the rules.
    /// Reserved names are for administrators, who register the school's own applications.
    pub(super) fn check_name(
        &self,
        before: Option<&ShortText>,
        name: &ShortText,
    ) -> Result<(), Rejection> {
        if before == Some(name) {
            return Ok(());
        }
        check_name_characters(name).map_err(Rejection::name_characters)?;
        if !self.is_administrator() && self.management.is_reserved(name) {
            return Err(Rejection::name_reserved());
        }
        Ok(())
    }

    /// Refuses misleading names in other languages, by the rules of
    /// [`check_name`](Self::check_name).
    pub(super) fn check_translated_names(
        &self,
        before: &Translations,
        names: &Translations,
    ) -> Result<(), Rejection> {
        for (tag, name) in names.iter() {
            if before.get(tag) == Some(name) {
                continue;
            }
            check_name_characters(name).map_err(Rejection::translated_name_characters)?;
            if !self.is_administrator() && self.management.is_reserved(name) {
                return Err(Rejection::translated_name_reserved());
            }
        }
        Ok(())
    }
}

/// Refuses a reason with invisible characters or bidirectional controls.
#[cfg(feature = "console")]
pub(super) fn check_reason(reason: &ShortText) -> Result<(), Rejection> {
    check_text_characters(reason).map_err(Rejection::text_characters)
}

/// Refuses a description with invisible characters or bidirectional controls.
pub(super) fn check_description(description: &ScopeDescription) -> Result<(), Rejection> {
    check_text_characters(description.as_str()).map_err(Rejection::text_characters)
}

/// Refuses such descriptions in other languages. Unchanged ones pass, because they may be older than
/// the rules.
pub(super) fn check_translated_descriptions(
    before: &Translations,
    descriptions: &Translations,
) -> Result<(), Rejection> {
    descriptions
        .iter()
        .filter(|(tag, description)| before.get(tag) != Some(*description))
        .try_for_each(|(_, description)| check_text_characters(description))
        .map_err(Rejection::translated_text_characters)
}

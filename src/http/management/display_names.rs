//! Checks of names and other texts that users read before they consent.

use http::StatusCode;

use super::{ManagementSession, Rejection};
use crate::domain::{ScopeDescription, ShortText, check_name_characters, check_text_characters};
use crate::http::audit::RefusalRule;

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
        check_name_characters(name).map_err(|rule| {
            refused(
                RefusalRule::NameCharacters,
                format!("The field name {rule}."),
            )
        })?;
        if !self.is_administrator() && self.management.is_reserved(name) {
            let description = "The field name is or has in it a name of the service or the school, or looks like one; only an administrator may give it.";
            return Err(refused(RefusalRule::NameReserved, description.to_owned()));
        }
        Ok(())
    }
}

/// Refuses a description with invisible characters or bidirectional controls.
pub(super) fn check_description(description: &ScopeDescription) -> Result<(), Rejection> {
    check_text_characters(description.as_str()).map_err(|rule| {
        let description = format!("The field description {rule}.");
        Rejection::new(
            RefusalRule::TextCharacters,
            StatusCode::BAD_REQUEST,
            description,
        )
        .with_field("description")
    })
}

fn refused(rule: RefusalRule, description: String) -> Rejection {
    Rejection::new(rule, StatusCode::BAD_REQUEST, description).with_field("name")
}

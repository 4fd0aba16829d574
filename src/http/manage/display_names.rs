//! Names that clients and applications are given, and other text that users read before they consent.

use http::StatusCode;

use super::{Denial, Desk};
use crate::domain::{Line, ScopeDescription, check_characters_of_name, check_characters_of_text};
use crate::http::audit::Rule;

impl Desk<'_> {
    /// Refuses a name that users may take for another one. A name that stays as it is passes: it may be older than the rules. Reserved names
    /// are for administrators, who register the school's own applications.
    pub(super) fn check_name(&self, before: Option<&Line>, name: &Line) -> Result<(), Denial> {
        if before == Some(name) {
            return Ok(());
        }
        check_characters_of_name(name).map_err(|rule| refused(Rule::NameCharacters, format!("The field name {rule}.")))?;
        if !self.is_administrator() && self.office.is_reserved(name) {
            let description =
                "The field name is or has in it a name of the service or the school, or looks like one; only an administrator may give it.";
            return Err(refused(Rule::NameReserved, description.to_owned()));
        }
        Ok(())
    }
}

/// Refuses a description with invisible characters or bidirectional controls.
pub(super) fn check_description(description: &ScopeDescription) -> Result<(), Denial> {
    check_characters_of_text(description.as_str()).map_err(|rule| {
        let description = format!("The field description {rule}.");
        Denial::new(Rule::TextCharacters, StatusCode::BAD_REQUEST, description).of_field("description")
    })
}

fn refused(rule: Rule, description: String) -> Denial {
    Denial::new(rule, StatusCode::BAD_REQUEST, description).of_field("name")
}

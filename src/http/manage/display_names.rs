//! Names that clients and applications are given.

use http::StatusCode;

use super::{Denial, Desk};
use crate::domain::{Line, check_characters_of_name};
use crate::http::audit::Rule;

impl Desk<'_> {
    /// Refuses a name that users may take for another one. A name that stays as it is passes: it may be older than the rules. Reserved names
    /// are for administrators, who register the school's own applications.
    pub(super) fn check_name(&self, before: Option<&Line>, name: &Line) -> Result<(), Denial> {
        if before == Some(name) {
            return Ok(());
        }
        check_characters_of_name(name).map_err(|rule| refused(Rule::NameCharacters, format!("The field name {rule}.")))?;
        if !self.is_of_administrator() && self.office.reserved_names.contains(name) {
            let description =
                "The field name is a name of the service or the school, or looks like one; only an administrator may give it.";
            return Err(refused(Rule::NameReserved, description.to_owned()));
        }
        Ok(())
    }
}

fn refused(rule: Rule, description: String) -> Denial {
    Denial::new(rule, StatusCode::BAD_REQUEST, description).of_field("name")
}

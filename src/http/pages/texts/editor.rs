use super::{EN, EditorTexts};
use crate::import::{Difference, RefusalKind};

impl EditorTexts {
    /// Why a value is refused.
    pub(crate) fn refusal(&self, kind: RefusalKind) -> &'static str {
        self.refusal.get(kind.as_str()).unwrap_or_default()
    }

    /// The rule of a field, by its name in the data API.
    pub(crate) fn rule_of(&self, field: &str) -> Option<&'static str> {
        self.rule.get(field)
    }

    /// The hint for a field, by its name in the data API.
    pub(crate) fn hint_of(&self, field: &str) -> Option<&'static str> {
        self.hint.get(field)
    }

    /// What becomes of the selected records.
    pub(crate) fn action_of(&self, action: &str) -> &'static str {
        self.action.get(action).unwrap_or_default()
    }

    /// What becomes of a record.
    pub(crate) const fn difference(&self, difference: Difference) -> &'static str {
        match difference {
            Difference::Added => self.added,
            Difference::Changed => self.changed,
            Difference::Removed => self.gone,
        }
    }
}

const _: () = {
    let mut at = 0;
    while at < RefusalKind::ALL.len() {
        EN.editor.refusal.require(RefusalKind::ALL[at].as_str());
        at += 1;
    }
    assert!(
        EN.editor.refusal.0.len() == at,
        "an attribute is no kind of refusal"
    );
};

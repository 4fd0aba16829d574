use std::sync::Arc;

use smol_str::SmolStr;

use crate::domain::InvalidValue;

/// The values of an enumeration, with the name of its schema in OpenAPI.
///
/// ```
/// use lyceum::directory::EnumValues;
///
/// let kinds = EnumValues::new("RoomKind", ["CLASSROOM", "WORKSHOP"]);
/// assert!(kinds.contains("WORKSHOP") && !kinds.contains("workshop"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumValues {
    name: &'static str,
    values: Arc<[SmolStr]>,
}

impl EnumValues {
    /// Creates an enumeration with these values in their order.
    pub fn new<V: Into<SmolStr>>(name: &'static str, values: impl IntoIterator<Item = V>) -> Self {
        Self {
            name,
            values: values.into_iter().map(Into::into).collect(),
        }
    }

    /// Whether the enumeration has this value.
    pub fn contains(&self, value: &str) -> bool {
        self.values.iter().any(|known| known == value)
    }

    /// Iterates over the values in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.values.iter().map(SmolStr::as_str)
    }

    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// Parses one of the values.
    pub(crate) fn parse(&self, text: &str) -> Result<SmolStr, InvalidValue> {
        let known = self.values.iter().find(|value| *value == text).cloned();
        known.ok_or_else(|| {
            InvalidValue::from_string(format!(
                "must be one of {}",
                self.iter().collect::<Vec<_>>().join(", ")
            ))
        })
    }
}

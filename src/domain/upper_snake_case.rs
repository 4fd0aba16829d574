use crate::domain::InvalidValue;

/// Checks the name of an API scope or a major: 1 to 64 capital ASCII letters, digits and
/// underscores, starting with a letter.
pub(crate) fn check_upper_snake_case(name: &str) -> Result<(), InvalidValue> {
    let is_allowed = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    if name.len() <= 64
        && name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.bytes().all(is_allowed)
    {
        Ok(())
    } else {
        Err(InvalidValue::new(
            "must be 1 to 64 capital letters of ASCII, digits and underscores, a letter first",
        ))
    }
}

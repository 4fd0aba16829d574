use crate::domain::Invalid;

/// Checks a name in capitals, as scopes of API keys and majors have: 1 to 64 capital ASCII letters, digits and underscores, a letter first.
pub(crate) fn upper_name(name: &str) -> Result<(), Invalid> {
    let is_allowed = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    if name.len() <= 64 && name.starts_with(|first: char| first.is_ascii_uppercase()) && name.bytes().all(is_allowed) {
        Ok(())
    } else {
        Err(Invalid::new("must be 1 to 64 capital letters of ASCII, digits and underscores, a letter first"))
    }
}

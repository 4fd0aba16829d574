//! A second parser of queries and forms.

/// The names and values; `None` if the text is malformed.
pub fn pairs(text: &str) -> Option<Vec<(String, String)>> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let at = pair.find('=').unwrap_or(pair.len());
            Some((
                decoded(&pair[..at])?,
                decoded(pair[at..].strip_prefix('=').unwrap_or_default())?,
            ))
        })
        .collect()
}

/// Decodes percent-encoded text in which `+` is a space; `None` if an escape or the decoded text is
/// malformed.
pub fn decoded(text: &str) -> Option<String> {
    let (mut bytes, mut parts) = (Vec::new(), text.split('%'));
    let blank = |byte| if byte == b'+' { b' ' } else { byte };
    bytes.extend(parts.next()?.bytes().map(blank));
    for part in parts {
        let (digits, rest) = part.as_bytes().split_at_checked(2)?;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        bytes.extend(rest.iter().copied().map(blank));
    }
    String::from_utf8(bytes).ok()
}

/// Escapes every byte.
pub fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Encodes a form with every byte escaped.
pub fn form<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let pairs: Vec<String> = fields
        .into_iter()
        .map(|(name, value)| format!("{}={}", escaped(name), escaped(value)))
        .collect();
    pairs.join("&")
}

/// Whether a name appears twice.
pub fn has_repetition<'a>(names: impl IntoIterator<Item = &'a str>) -> bool {
    let mut seen = std::collections::HashSet::new();
    names.into_iter().any(|name| !seen.insert(name))
}

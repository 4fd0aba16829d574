//! Another reader of queries and forms, to hold the service's own against.

/// The names and values, or nothing when the text is malformed.
pub fn pairs(text: &str) -> Option<Vec<(String, String)>> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let at = pair.find('=').unwrap_or(pair.len());
            Some((decoded(&pair[..at])?, decoded(pair[at..].strip_prefix('=').unwrap_or_default())?))
        })
        .collect()
}

/// A percent-encoded text in which `+` is a blank; nothing when an escape or the text behind it is broken.
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

/// The text with every byte escaped.
pub fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Names and values as a form, every byte escaped.
pub fn form<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let pairs: Vec<String> = fields.into_iter().map(|(name, value)| format!("{}={}", escaped(name), escaped(value))).collect();
    pairs.join("&")
}

/// Whether a name appears twice.
pub fn has_repetition<'a>(names: impl IntoIterator<Item = &'a str>) -> bool {
    let mut seen = std::collections::HashSet::new();
    names.into_iter().any(|name| !seen.insert(name))
}

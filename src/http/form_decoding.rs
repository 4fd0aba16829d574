use std::borrow::Cow;

/// A query or form is malformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DecodeError;

/// Decodes percent-encoded text (RFC 3986 §2.1) in which `+` is a space.
pub(crate) fn decode(text: &str) -> Result<Cow<'_, str>, DecodeError> {
    if !text.bytes().any(|byte| matches!(byte, b'%' | b'+')) {
        return Ok(Cow::Borrowed(text));
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => hex(bytes.next())? << 4 | hex(bytes.next())?,
            plain => plain,
        });
    }
    String::from_utf8(decoded)
        .map(Cow::Owned)
        .map_err(|_| DecodeError)
}

fn hex(digit: Option<u8>) -> Result<u8, DecodeError> {
    let value = digit
        .and_then(|digit| char::from(digit).to_digit(16))
        .ok_or(DecodeError)?;
    Ok(value as u8)
}

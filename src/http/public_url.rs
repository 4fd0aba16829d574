use fluent_uri::Uri;

use crate::domain::InvalidValue;

/// Parses an absolute URL that browsers may be sent to: `https`, or `http` on a loopback address.
pub(crate) fn parse_public_url(text: &str) -> Result<Uri<&str>, InvalidValue> {
    let uri = Uri::parse(text).map_err(|_| InvalidValue::new("must be an absolute URL"))?;
    let host = uri.authority().map_or("", |authority| authority.host());
    match uri.scheme().as_str() {
        "https" if !host.is_empty() => {}
        "http" if matches!(host, "127.0.0.1" | "[::1]" | "localhost") => {}
        _ => {
            return Err(InvalidValue::new(
                "must use https, or http on a loopback address",
            ));
        }
    }
    if uri
        .authority()
        .is_some_and(|authority| authority.has_userinfo() || authority.port_to_u16().is_err())
    {
        return Err(InvalidValue::new("must have a plain host and port"));
    }
    if uri.has_fragment() {
        return Err(InvalidValue::new("must not have a fragment"));
    }
    Ok(uri)
}

//! Bodies of forms with a file: `multipart/form-data` (RFC 7578). Names of files are not read.

use memchr::memmem;

/// Maximum number of parts.
const MAX_PARTS: usize = 16;
/// Maximum length of the headers of a part, in bytes.
const MAX_HEADERS: usize = 4096;

/// The body is no form with a file, or is cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed;

/// The fields of a form, each with its name and its content.
pub(super) type Parts<'a> = Vec<(String, &'a [u8])>;

/// The boundary in a content type; `None` if the type is another one.
pub(super) fn boundary(content_type: &str) -> Option<&str> {
    let (media_type, parameters) = content_type.split_once(';')?;
    if !media_type
        .trim()
        .eq_ignore_ascii_case("multipart/form-data")
    {
        return None;
    }
    let mut parameters = parameters
        .split(';')
        .filter_map(|it| it.trim().split_once('='));
    let (_, value) = parameters.find(|(name, _)| name.eq_ignore_ascii_case("boundary"))?;
    let value = match value.strip_prefix('"') {
        Some(quoted) => quoted.strip_suffix('"')?,
        None => value,
    };
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(&byte);
    ((1..=70).contains(&value.len()) && value.bytes().all(is_allowed)).then_some(value)
}

/// Reads the parts of a body.
pub(super) fn parse<'a>(boundary: &str, body: &'a [u8]) -> Result<Parts<'a>, Malformed> {
    let delimiter = format!("\r\n--{boundary}");
    let mut rest = body
        .strip_prefix(&delimiter.as_bytes()[2..])
        .ok_or(Malformed)?;
    let finder = memmem::Finder::new(&delimiter);
    let mut parts: Parts<'a> = Vec::new();
    loop {
        if rest.starts_with(b"--") {
            return Ok(parts);
        }
        rest = rest.strip_prefix(b"\r\n").ok_or(Malformed)?;
        let end = memmem::find(&rest[..rest.len().min(MAX_HEADERS)], b"\r\n\r\n");
        let (headers, content) = rest.split_at(end.ok_or(Malformed)?);
        let content = &content[4..];
        let end = finder.find(content).ok_or(Malformed)?;
        let name = name(headers).ok_or(Malformed)?;
        if parts.len() == MAX_PARTS || parts.iter().any(|(known, _)| *known == name) {
            return Err(Malformed);
        }
        parts.push((name, &content[..end]));
        rest = &content[end + delimiter.len()..];
    }
}

/// The name of a field in the headers of its part.
fn name(headers: &[u8]) -> Option<String> {
    let headers = String::from_utf8_lossy(headers);
    let disposition = headers.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-disposition")
            .then_some(value.trim())
    })?;
    let parameters = disposition.strip_prefix("form-data")?;
    // The name of the file may hold anything, also what looks like a parameter. Browsers send the
    // name of the field first.
    let name = parameters.trim_start().strip_prefix(';')?.trim_start();
    let name = name.strip_prefix("name=\"")?.split('"').next()?;
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TYPE: &str = "multipart/form-data; boundary=----x1";

    #[test]
    fn the_boundary_is_that_of_the_content_type() {
        assert_eq!(boundary(TYPE), Some("----x1"));
        assert_eq!(
            boundary("Multipart/Form-Data;charset=x; Boundary=\"a b\""),
            Some("a b")
        );
        for other in [
            "multipart/form-data",
            "multipart/mixed; boundary=x",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\"x",
            "multipart/form-data; boundary=x\u{e4}",
            &format!("multipart/form-data; boundary={}", "x".repeat(71)),
        ] {
            assert_eq!(boundary(other), None, "{other}");
        }
    }

    #[test]
    fn fields_are_read_whatever_the_name_of_the_file_is() {
        for file_name in [
            "a.csv",
            "../../etc/passwd",
            "\"; name=\"form_token",
            "\u{0}",
            "반.csv",
        ] {
            let body = format!(
                "----x\r\nContent-Disposition: form-data; name=\"form_token\"\r\n\r\nabc\r\n----x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{file_name}\"\r\nContent-Type: text/csv\r\n\r\nid\r\n1\r\n\r\n----x--\r\n"
            );
            let parts = parse("--x", body.as_bytes()).unwrap();
            assert_eq!(
                parts,
                [
                    ("form_token".to_owned(), &b"abc"[..]),
                    ("file".to_owned(), b"id\r\n1\r\n")
                ]
            );
        }
    }

    #[test]
    fn a_body_that_is_cut_off_or_names_a_field_twice_is_refused() {
        let part = |name: &str| {
            format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n1\r\n")
        };
        let whole = format!("{}{}--x--", part("a"), part("b"));
        assert_eq!(parse("x", whole.as_bytes()).unwrap().len(), 2);
        for end in 0..whole.len() {
            assert_eq!(
                parse("x", &whole.as_bytes()[..end]),
                Err(Malformed),
                "{end}"
            );
        }
        for body in [
            format!("{}{}--x--", part("a"), part("a")),
            format!("{}--x--", part("")),
            format!("{}--x--", part("a b")),
            "--x\r\n\r\n1\r\n--x--".to_owned(),
            (0..17)
                .map(|at| part(&format!("a{at}")))
                .collect::<String>()
                + "--x--",
        ] {
            assert_eq!(parse("x", body.as_bytes()), Err(Malformed), "{body}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_are_no_panic(body in proptest::collection::vec(any::<u8>(), 0..200), text in ".{0,80}") {
            let _ = (parse("x", &body), boundary(&text));
            let _ = parse("x", &[b"--x\r\n", &body[..]].concat());
        }
    }
}

use bytes::Bytes;
use http::Request;

use crate::domain::{InvalidValue, PageRequest};
use crate::http::auth_server::error::Error;
use crate::http::auth_server::form::parameters;
use crate::http::management::Rejection;

/// Default page size.
const SIZE: u32 = 100;

/// The requested page of a list: `page` from 0, `size` 1–1000. An empty value counts as absent.
pub(super) fn from_query(request: &Request<Bytes>) -> Result<PageRequest, Error> {
    Ok(read(request, None)?.0)
}

/// The requested page of a list with one more parameter, and that parameter's value.
pub(super) fn from_query_with(
    request: &Request<Bytes>,
    parameter: &'static str,
) -> Result<(PageRequest, Option<String>), Error> {
    read(request, Some(parameter))
}

fn read(
    request: &Request<Bytes>,
    other: Option<&'static str>,
) -> Result<(PageRequest, Option<String>), Error> {
    let (mut page, mut size, mut other_value) = (0, SIZE, None);
    for (name, value) in parameters(query(request))? {
        let (slot, name) = match &*name {
            "page" => (&mut page, "page"),
            "size" => (&mut size, "size"),
            name if Some(name) == other => {
                other_value = Some(value.into_owned()).filter(|value| !value.is_empty());
                continue;
            }
            _ => {
                let known = ["page", "size"]
                    .into_iter()
                    .chain(other)
                    .collect::<Vec<_>>()
                    .join(", ");
                return Err(Rejection::parameter_unknown(known).into());
            }
        };
        if !value.is_empty() {
            *slot = number(&value).map_err(|rule| Rejection::parameter_invalid(name, &rule))?;
        }
    }
    PageRequest::new(page, 1).map_err(|rule| Rejection::parameter_invalid("page", &rule))?;
    let page =
        PageRequest::new(page, size).map_err(|rule| Rejection::parameter_invalid("size", &rule))?;
    Ok((page, other_value))
}

/// Refuses any query parameter.
pub(super) fn require_none(request: &Request<Bytes>) -> Result<(), Error> {
    if query(request).is_empty() {
        Ok(())
    } else {
        Err(Rejection::no_parameters().into())
    }
}

fn query(request: &Request<Bytes>) -> &str {
    request.uri().query().unwrap_or_default()
}

fn number(text: &str) -> Result<u32, InvalidValue> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|_| digits)
        .ok_or(InvalidValue::new("must be a whole number"))
}

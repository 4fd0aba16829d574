use std::borrow::Cow;

use bytes::Bytes;
use http::{Request, StatusCode};

use crate::domain::{InvalidValue, PageRequest};
use crate::http::audit::RefusalRule;
use crate::http::auth_server::error::Error;
use crate::http::auth_server::form::parameters;

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
                return Err(unknown(format!(
                    "The parameter is not known here; known are {known}."
                )));
            }
        };
        if !value.is_empty() {
            *slot = number(&value).map_err(|rule| invalid(name, &rule))?;
        }
    }
    PageRequest::new(page, 1).map_err(|rule| invalid("page", &rule))?;
    let page = PageRequest::new(page, size).map_err(|rule| invalid("size", &rule))?;
    Ok((page, other_value))
}

/// Refuses any query parameter.
pub(super) fn require_none(request: &Request<Bytes>) -> Result<(), Error> {
    if query(request).is_empty() {
        Ok(())
    } else {
        Err(unknown("This address takes no parameters."))
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

fn unknown(description: impl Into<Cow<'static, str>>) -> Error {
    Error::from_rule(
        RefusalRule::ParameterUnknown,
        StatusCode::BAD_REQUEST,
        description,
    )
}

pub(super) fn invalid(name: &'static str, rule: &InvalidValue) -> Error {
    Error::from_rule(
        RefusalRule::ParameterInvalid,
        StatusCode::BAD_REQUEST,
        format!("The parameter {name} {rule}."),
    )
    .with_parameter(name)
}

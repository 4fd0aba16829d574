use std::borrow::Cow;

use bytes::Bytes;
use http::{Request, StatusCode};

use crate::domain::{Invalid, PageRequest};
use crate::http::audit::Rule;
use crate::http::auth_server::error::Refusal;
use crate::http::auth_server::form::parameters;

/// How many records a page has if nobody says otherwise.
const SIZE: u32 = 100;

/// The page that a list is asked for: `page` from 0, `size` 1–1000. Empty counts as absent.
pub(super) fn requested(request: &Request<Bytes>) -> Result<PageRequest, Refusal> {
    Ok(read(request, None)?.0)
}

/// The same of a list that has one more parameter, and the value of that.
pub(super) fn requested_with(request: &Request<Bytes>, parameter: &'static str) -> Result<(PageRequest, Option<String>), Refusal> {
    read(request, Some(parameter))
}

fn read(request: &Request<Bytes>, other: Option<&'static str>) -> Result<(PageRequest, Option<String>), Refusal> {
    let (mut page, mut size, mut of_other) = (0, SIZE, None);
    for (name, value) in parameters(query(request))? {
        let (slot, name) = match &*name {
            "page" => (&mut page, "page"),
            "size" => (&mut size, "size"),
            name if Some(name) == other => {
                of_other = Some(value.into_owned()).filter(|value| !value.is_empty());
                continue;
            }
            _ => {
                let known = ["page", "size"].into_iter().chain(other).collect::<Vec<_>>().join(", ");
                return Err(unknown(format!("The parameter is not known here; known are {known}.")));
            }
        };
        if !value.is_empty() {
            *slot = number(&value).map_err(|rule| invalid(name, &rule))?;
        }
    }
    PageRequest::new(page, 1).map_err(|rule| invalid("page", &rule))?;
    let page = PageRequest::new(page, size).map_err(|rule| invalid("size", &rule))?;
    Ok((page, of_other))
}

/// Refuses a query where there is nothing to ask for.
pub(super) fn none(request: &Request<Bytes>) -> Result<(), Refusal> {
    if query(request).is_empty() { Ok(()) } else { Err(unknown("This address takes no parameters.")) }
}

fn query(request: &Request<Bytes>) -> &str {
    request.uri().query().unwrap_or_default()
}

fn number(text: &str) -> Result<u32, Invalid> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or(Invalid::new("must be a whole number"))
}

fn unknown(description: impl Into<Cow<'static, str>>) -> Refusal {
    Refusal::told(Rule::ParameterUnknown, StatusCode::BAD_REQUEST, description)
}

pub(super) fn invalid(name: &'static str, rule: &Invalid) -> Refusal {
    Refusal::told(Rule::ParameterInvalid, StatusCode::BAD_REQUEST, format!("The parameter {name} {rule}.")).of_parameter(name)
}

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
    let (mut page, mut size) = (0, SIZE);
    for (name, value) in parameters(query(request))? {
        let (slot, name) = match &*name {
            "page" => (&mut page, "page"),
            "size" => (&mut size, "size"),
            _ => return Err(unknown("The parameter is not known here; known are page, size.")),
        };
        if !value.is_empty() {
            *slot = number(&value).map_err(|rule| invalid(name, &rule))?;
        }
    }
    PageRequest::new(page, 1).map_err(|rule| invalid("page", &rule))?;
    PageRequest::new(page, size).map_err(|rule| invalid("size", &rule))
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

fn unknown(description: &'static str) -> Refusal {
    Refusal::told(Rule::ParameterUnknown, StatusCode::BAD_REQUEST, description)
}

fn invalid(name: &'static str, rule: &Invalid) -> Refusal {
    Refusal::told(Rule::ParameterInvalid, StatusCode::BAD_REQUEST, format!("The parameter {name} {rule}.")).of_parameter(name)
}

use http::StatusCode;
use serde::Serialize;

/// An error as RFC 9457 has it. Its `type` is `about:blank`, so `title` is the status in words; `reason` tells problems apart.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http::data_api) struct Problem<'a> {
    /// Always `about:blank`.
    r#type: &'a str,
    /// The status in words.
    title: &'a str,
    status: u16,
    /// A sentence for developers. It may change.
    detail: &'a str,
    /// A stable error code.
    reason: &'a str,
    /// The parameter that caused the error, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<&'a str>,
    /// Also in `X-Request-Id`.
    request_id: &'a str,
}

impl<'a> Problem<'a> {
    pub(in crate::http::data_api) fn new(
        status: StatusCode,
        reason: &'a str,
        detail: &'a str,
        parameter: Option<&'a str>,
        request_id: &'a str,
    ) -> Self {
        let title = status.canonical_reason().unwrap_or_default();
        Self {
            r#type: "about:blank",
            title,
            status: status.as_u16(),
            detail,
            reason,
            parameter,
            request_id,
        }
    }
}

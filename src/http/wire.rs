use http::StatusCode;
use serde::Serialize;

/// An error in the envelope, without `data`.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct ErrorBody<'a> {
    /// The status in words, such as `BAD_REQUEST`.
    status: String,
    /// The status.
    code: u16,
    /// A sentence for developers. It may change.
    message: &'a str,
    /// A stable error code.
    reason: &'a str,
    /// The parameter or field that caused the error, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<&'a str>,
    /// Also in `X-Request-Id`.
    request_id: &'a str,
}

impl<'a> ErrorBody<'a> {
    pub(super) fn new(
        status: StatusCode,
        reason: &'a str,
        message: &'a str,
        parameter: Option<&'a str>,
        request_id: &'a str,
    ) -> Self {
        Self {
            status: status_name(status),
            code: status.as_u16(),
            message,
            reason,
            parameter,
            request_id,
        }
    }
}

/// The reason phrase in the envelope's spelling: `BAD_REQUEST`.
fn status_name(status: StatusCode) -> String {
    status
        .canonical_reason()
        .unwrap_or_default()
        .to_ascii_uppercase()
        .replace(' ', "_")
}

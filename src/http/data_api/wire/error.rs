use serde::Serialize;

/// The body of every error: the envelope without `data`, and what helps to find the fault.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::http::data_api) struct ErrorBody<'a> {
    pub(in crate::http::data_api) status: String,
    pub(in crate::http::data_api) code: u16,
    pub(in crate::http::data_api) message: &'a str,
    pub(in crate::http::data_api) reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::http::data_api) parameter: Option<&'a str>,
    pub(in crate::http::data_api) request_id: &'a str,
}

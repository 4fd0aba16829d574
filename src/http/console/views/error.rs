use askama::Template;
use serde::Serialize;

use super::Frame;
use crate::http::audit::RequestId;
use crate::http::pages::texts::Texts;

/// Says why somebody does not get what they asked for.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/error.html")]
pub(crate) struct ErrorPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) request_id: RequestId,
}

use askama::Template;

use super::Frame;
use crate::http::audit::RequestId;
use crate::http::pages::texts::Texts;

/// Says why somebody does not get what they asked for.
#[derive(Debug, Template)]
#[template(path = "console/error.html")]
pub(in crate::http::console) struct ErrorPage {
    pub(in crate::http::console) text: &'static Texts,
    pub(in crate::http::console) frame: Frame,
    pub(in crate::http::console) title: &'static str,
    pub(in crate::http::console) description: &'static str,
    pub(in crate::http::console) request_id: RequestId,
}

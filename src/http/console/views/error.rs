use std::borrow::Cow;

use askama::Template;
use serde::Serialize;

use super::Layout;
use crate::http::audit::RequestId;
use crate::http::pages::texts::Texts;

/// Error page.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/error.html")]
pub(crate) struct ErrorPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) title: &'static str,
    pub(crate) description: Cow<'static, str>,
    pub(crate) request_id: RequestId,
}

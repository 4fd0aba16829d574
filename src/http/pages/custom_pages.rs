use std::fmt;

use askama::Template;
use http::StatusCode;
use serde::Serialize;
use serde_json::Value;

use super::Language;

/// Custom pages of the host, in place of this crate's. `docs/embedding.md` lists all pages.
///
/// Custom pages change only what is shown. Access checks, the targets of forms and their required
/// fields stay the same. The response has the headers of every page, so a page may load styles,
/// scripts and images from its own origin only; inline ones and `data:` URLs are blocked.
///
/// ```
/// use lyceum::http::{Page, CustomPages};
///
/// #[derive(Debug)]
/// struct Branded;
///
/// impl CustomPages for Branded {
///     fn html(&self, page: &Page) -> Option<String> {
///         let text = |pointer| page.content().pointer(pointer)?.as_str();
///         match page.name() {
///             "authorize/error" => Some(format!(
///                 "<!doctype html><title>Sorry</title><p>Tell us this id: {}",
///                 text("/request_id")?
///             )),
///             _ => None,
///         }
///     }
/// }
/// ```
pub trait CustomPages: fmt::Debug + Send + Sync + 'static {
    /// Returns the HTML of a page, or `None` for this crate's. The implementation must escape
    /// values that it puts into markup: other people choose names and descriptions.
    fn html(&self, page: &Page) -> Option<String>;
}

/// A page to be rendered. It serializes to its content, for template engines.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Page {
    #[serde(skip)]
    name: &'static str,
    #[serde(skip)]
    status: StatusCode,
    #[serde(skip)]
    language: Language,
    content: Value,
}

impl Page {
    /// The name of the page, such as `authorize/consent`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The status of the response; 400 or above if the page shows errors.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The language of the reader as in BCP 47: `ko` or `en`. Texts within the content are in this
    /// language.
    pub fn language(&self) -> &'static str {
        self.language.code()
    }

    /// The values that the page shows and the fields that its forms send back, as an object.
    /// Contains secrets if the page shows any.
    pub fn content(&self) -> &Value {
        &self.content
    }
}

/// Omits the content.
impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page")
            .field("name", &self.name)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

/// The view model of a page.
pub(crate) trait View: Template + Serialize {
    /// Name of the page for hosts.
    const NAME: &'static str;
}

/// Renders the HTML of a page: the host's, if the host has one of that name.
pub(crate) fn render_html<V: View>(
    custom: Option<&dyn CustomPages>,
    view: &V,
    status: StatusCode,
    language: Language,
) -> Result<String, askama::Error> {
    let custom_html = custom.and_then(|custom| {
        let content = serde_json::to_value(view).ok()?;
        custom.html(&Page {
            name: V::NAME,
            status,
            language,
            content,
        })
    });
    custom_html.map_or_else(|| view.render(), Ok)
}

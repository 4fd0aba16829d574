use std::fmt;

use askama::Template;
use http::StatusCode;
use serde::Serialize;
use serde_json::Value;

use super::Language;

/// Pages of a host's own, in the place of this crate's. `docs/embedding.md` lists them all.
///
/// Whatever is shown, what happens stays the same: who may see the page, where its forms go, and which fields these must have. The answer
/// has the headers of every page. So a page may load styles, scripts and images from its own origin only, and none that stand in it, `data:` addresses among them.
///
/// ```
/// use lyceum::http::{Page, Pages};
///
/// #[derive(Debug)]
/// struct Branded;
///
/// impl Pages for Branded {
///     fn html(&self, page: &Page) -> Option<String> {
///         let text = |pointer| page.content().pointer(pointer)?.as_str();
///         match page.name() {
///             "authorize/error" => Some(format!("<!doctype html><title>Sorry</title><p>Tell us this id: {}", text("/request_id")?)),
///             _ => None,
///         }
///     }
/// }
/// ```
pub trait Pages: fmt::Debug + Send + Sync + 'static {
    /// The HTML of a page, or `None` for this crate's. What it puts into markup it has to escape: names and descriptions are other people's.
    fn html(&self, page: &Page) -> Option<String>;
}

/// A page that is to be shown. It serialises to what it shows, for engines of templates.
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
    /// Which page it is, such as `authorize/consent`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The status of the answer: a page that says what is wrong with a form has one of 400 and above.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The language of the reader, as in BCP 47: `ko` or `en`. Texts within the content are in it.
    pub fn language(&self) -> &'static str {
        self.language.code()
    }

    /// What the page shows, and what its forms have to send back, as an object. It holds secrets where the page does.
    pub fn content(&self) -> &Value {
        &self.content
    }
}

/// Without what it shows.
impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page").field("name", &self.name).field("status", &self.status).finish_non_exhaustive()
    }
}

/// A page of this crate.
pub(crate) trait View: Template + Serialize {
    /// What hosts know it by.
    const NAME: &'static str;
}

/// The HTML of a page: the host's, if it has one of that name.
pub(crate) fn html<V: View>(own: Option<&dyn Pages>, view: &V, status: StatusCode, language: Language) -> Result<String, askama::Error> {
    let of_host = own.and_then(|own| {
        let content = serde_json::to_value(view).ok()?;
        own.html(&Page { name: V::NAME, status, language, content })
    });
    of_host.map_or_else(|| view.render(), Ok)
}

//! Shared building blocks of HTML pages: languages, texts, assets and response headers.

mod accent;
mod assets;
mod branding;
mod custom_pages;
mod display_time;
mod html_response;
mod language_negotiation;
// Only the console uses most of the texts.
#[cfg_attr(not(feature = "console"), allow(dead_code))]
pub(crate) mod texts;

pub(crate) use assets::{PageAssets, PageHead, initial};
pub use branding::Branding;
pub use custom_pages::{CustomPages, Page};
pub(crate) use custom_pages::{View, render_html};
#[cfg(feature = "console")]
pub(crate) use display_time::DisplayTime;
pub(crate) use display_time::format_utc;
pub(crate) use html_response::{CSP_ANY_FORM_ACTION, STRICT_CSP, html_response};
pub(crate) use language_negotiation::{Language, LanguageLink};

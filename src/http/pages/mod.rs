//! What pages have in common, whichever service shows them: their language and what they say in it, what they are made of, and what every
//! answer with a page says to the browser.

mod assets;
mod language;
mod moment;
mod own;
mod page;
// Most of it is said by the web interface alone.
#[cfg_attr(not(feature = "ui"), allow(dead_code))]
pub(crate) mod texts;

pub(crate) use assets::{asset, script_name, stylesheet_name};
pub(crate) use language::Language;
#[cfg(feature = "ui")]
pub(crate) use moment::Moment;
pub(crate) use moment::in_utc;
pub use own::{Page, Pages};
pub(crate) use own::{View, html};
pub(crate) use page::{ENDS_ELSEWHERE, STRICT, page};

use http::Uri;

use crate::http::pages::texts::Texts;

/// What has just been done, as the page after it says. It travels in the query, so anybody may have written it there: it says nothing that
/// anybody would act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    SignedOut,
    SessionEnded,
    SignInFirst,
}

impl Done {
    const ALL: [Self; 3] = [Self::SignedOut, Self::SessionEnded, Self::SignInFirst];

    /// The one that a page's address tells of.
    pub(super) fn of(uri: &Uri) -> Option<Self> {
        let code = uri.query()?.split('&').find_map(|pair| pair.strip_prefix("done="))?;
        Self::ALL.into_iter().find(|done| done.code() == code)
    }

    /// Its word in the query.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::SignedOut => "out",
            Self::SessionEnded => "ended",
            Self::SignInFirst => "first",
        }
    }

    /// Its sentence.
    pub(super) const fn text(self, texts: &'static Texts) -> &'static str {
        match self {
            Self::SignedOut => texts.done_signed_out,
            Self::SessionEnded => texts.done_session_expired,
            Self::SignInFirst => texts.done_sign_in_first,
        }
    }
}

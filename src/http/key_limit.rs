/// Whether the rate limit of a looked-up key applies to a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "console"), allow(dead_code))]
pub(crate) enum KeyLimit {
    /// The read counts, and is refused above the limit.
    Applies,
    /// The read does not count and is not refused above the limit, which is for the user's programs.
    /// The caller chooses the request, and not the user. Scopes and hidden fields apply.
    Exempt,
}

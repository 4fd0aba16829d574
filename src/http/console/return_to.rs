use super::route_matching::MatchedRoute;

/// Maximum length of a return address, in bytes.
const MAX_LENGTH: usize = 2000;

/// Returns the address if it is the path and query of a console page. All others are refused, which
/// prevents open redirects.
pub(super) fn validated(address: &str) -> Option<&str> {
    let path = address.split_once('?').map_or(address, |(path, _)| path);
    let is_page = || MatchedRoute::find(path).is_some_and(|found| found.route.is_return_target());
    (is_plain(address) && is_page()).then_some(address)
}

/// Whether the address is short and has no characters with a meaning outside of paths and queries.
/// Ids in a path can be any text.
pub(super) fn is_plain(address: &str) -> bool {
    address.len() <= MAX_LENGTH
        && address
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'#' && byte != b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    // Proves: threats 14
    /// Fails if a path that is no page is accepted.
    #[test]
    fn return_to_accepts_own_pages_only() {
        for good in ["/", "/?done=out", "/keys/8c4c0f6a/renew?done=x"] {
            assert_eq!(validated(good), Some(good));
        }
        for bad in [
            "",
            "//evil.example",
            "//evil.example/",
            "/\\evil.example",
            "https://evil.example/",
            "javascript:alert(1)",
            "/sign-in",
            "/sign-out",
            "/assets/x",
            "/nowhere",
            "/../admin",
            "/?x=\r\nset-cookie:a",
            "/keys/\r\nset-cookie:a",
            "/clients/é",
            "/keys/\\evil.example",
            "/?x=#y",
            "/?x=é",
            &format!("/?{}", "x".repeat(MAX_LENGTH)),
        ] {
            assert_eq!(validated(bad), None, "{bad:?}");
        }
    }
}

use super::route;

/// The longest address that somebody is led back to after signing in, in bytes.
const LIMIT: usize = 2000;

/// Where somebody goes after signing in: a page of ours, by its path and query. Whatever else an address may lead to, it is not followed.
pub(super) fn checked(address: &str) -> Option<&str> {
    let path = address.split_once('?').map_or(address, |(path, _)| path);
    // Ids in a path are whatever was typed, too.
    let is_plain = address.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#' && byte != b'\\');
    (address.len() <= LIMIT && is_plain && route::leads_to_page(path)).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if a path is followed that is no page's.
    #[test]
    fn s14_only_pages_of_ours_are_led_back_to() {
        for good in ["/", "/?done=out", "/keys/8c4c0f6a/renew?done=x"] {
            assert_eq!(checked(good), Some(good));
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
            &format!("/?{}", "x".repeat(LIMIT)),
        ] {
            assert_eq!(checked(bad), None, "{bad:?}");
        }
    }
}

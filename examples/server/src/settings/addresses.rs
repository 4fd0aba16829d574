use super::{AUTH_PATH, CONSOLE_PATH, DATA_API_PATH, PUBLIC_URL, Setting, Settings};
use crate::BoxError;

/// The public URL and the path of each service. The path of the root is empty.
#[derive(Debug, Clone)]
pub struct Addresses {
    origin: String,
    pub auth_path: String,
    pub data_api_path: String,
    pub console_path: String,
}

impl Addresses {
    /// Reads the addresses of the services.
    pub fn from_settings(settings: &Settings) -> Result<Self, BoxError> {
        let origin = settings.parse(&PUBLIC_URL, origin)?;
        Self::with_origin(settings, origin)
    }

    /// The addresses of a demo, whose sign-in service and data API are at the root.
    pub fn at_root(origin: &str) -> Self {
        Self {
            origin: origin.to_owned(),
            auth_path: String::new(),
            data_api_path: String::new(),
            console_path: "/console".to_owned(),
        }
    }

    /// The same for a command that prints no address, so that it needs no public URL.
    pub fn without_public_url(settings: &Settings) -> Result<Self, BoxError> {
        match settings.text(&PUBLIC_URL) {
            Some(_) => Self::from_settings(settings),
            None => Self::with_origin(settings, "http://localhost".to_owned()),
        }
    }

    fn with_origin(settings: &Settings, origin: String) -> Result<Self, BoxError> {
        let read = |setting: &Setting| settings.parse(setting, path);
        let addresses = Self {
            origin,
            auth_path: read(&AUTH_PATH)?,
            data_api_path: read(&DATA_API_PATH)?,
            console_path: settings.parse(&CONSOLE_PATH, |text| {
                path(text).filter(|path| !path.is_empty())
            })?,
        };
        let paths = [
            &addresses.auth_path,
            &addresses.data_api_path,
            &addresses.console_path,
        ];
        for (at, one) in paths.iter().enumerate() {
            for other in &paths[at + 1..] {
                if !one.is_empty() && !other.is_empty() && overlap(one, other) {
                    return Err(format!(
                        "auth-path, data-api-path and console-path take different paths, none below another, not {one} and {other}"
                    )
                    .into());
                }
            }
        }
        Ok(addresses)
    }

    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// The host name or the IP address in the public URL.
    pub fn host(&self) -> &str {
        let authority = self.origin.split_once("://").map_or("", |(_, rest)| rest);
        match authority.strip_prefix('[') {
            Some(address) => address.split(']').next(),
            None => authority.split(':').next(),
        }
        .unwrap_or_default()
    }

    /// Where clients look for the metadata of the authorization service.
    pub fn metadata(&self) -> String {
        const PATH: &str = "/.well-known/oauth-authorization-server";
        format!("{}{PATH}{}", self.origin, self.auth_path)
    }

    pub fn auth(&self) -> String {
        format!("{}{}", self.origin, self.auth_path)
    }

    pub fn data_api(&self) -> String {
        format!("{}{}", self.origin, self.data_api_path)
    }

    /// The page of the API reference, which is at the root.
    pub fn reference(&self) -> String {
        format!("{}/v1/docs", self.origin)
    }

    pub fn console(&self) -> String {
        format!("{}{}", self.origin, self.console_path)
    }
}

/// The URL, if it is one without a path that browsers may be sent to.
fn origin(text: &str) -> Option<String> {
    let (scheme, authority) = text.split_once("://")?;
    let is_plain = authority
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte));
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => {
            port.parse::<u16>().ok()?;
            host
        }
        _ => authority,
    };
    let is_safe = match scheme {
        "https" => !host.is_empty(),
        "http" => ["127.0.0.1", "[::1]", "localhost"].contains(&host),
        _ => false,
    };
    (is_plain && is_safe).then(|| text.to_owned())
}

/// The path without a slash at its end, if it is plain and no path of the services themselves.
fn path(text: &str) -> Option<String> {
    if text == "/" {
        return Some(String::new());
    }
    let mut segments = text.strip_prefix('/')?.split('/');
    let is_plain = segments.all(|segment| {
        !segment.is_empty()
            && segment
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    });
    let is_free = !overlap(text, "/v1") && !overlap(text, "/userinfo");
    (is_plain && is_free).then(|| text.to_owned())
}

/// Whether the paths are equal or one is below the other.
fn overlap(one: &str, other: &str) -> bool {
    let is_below = |path: &str, parent: &str| {
        path.strip_prefix(parent)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    is_below(one, other) || is_below(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_without_a_path_that_browsers_trust_is_a_public_url() {
        for text in [
            "https://school.example",
            "https://school.example:8443",
            "https://[2001:db8::1]:8443",
            "http://127.0.0.1:8080",
            "http://[::1]",
            "http://localhost:80",
        ] {
            assert_eq!(origin(text).as_deref(), Some(text));
        }
        for text in [
            "",
            "https://",
            "https://:8443",
            "school.example",
            "http://school.example",
            "https://school.example/",
            "https://school.example?x",
            "https://kim@school.example",
            "https://school.example:port",
            "ftp://school.example",
        ] {
            assert_eq!(origin(text), None, "{text}");
        }
    }

    #[test]
    fn a_path_is_plain_and_not_one_of_the_services_own() {
        assert_eq!(path("/").as_deref(), Some(""));
        assert_eq!(path("/school/auth-2").as_deref(), Some("/school/auth-2"));
        for text in [
            "",
            "auth",
            "/auth/",
            "//auth",
            "/Auth",
            "/a{b}",
            "/v1",
            "/v1/x",
            "/userinfo",
        ] {
            assert_eq!(path(text), None, "{text}");
        }
        assert!(overlap("/a", "/a/b") && !overlap("/a", "/ab"));
    }
}

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use super::accent::Accent;
use crate::domain::{InvalidValue, ShortText};
use crate::http::ConfigError;

/// The largest logo, in bytes. A page of the console has at most 60 KB with everything that it loads.
const MAX_LOGO: usize = 20_000;

/// Name of a service whose host gives none.
const DEFAULT_NAME: &str = "School account";

/// How a school shows itself on the sign-in, consent and error pages and in the console: its name, its
/// logo, its colour, and where to ask for help. See
/// [`AuthServerBuilder::branding`](crate::http::auth_server::AuthServerBuilder::branding).
///
/// ```
/// use lyceum::http::Branding;
///
/// let branding = Branding::new("Star High School")?
///     .accent("#0b6b4f")?
///     .support("help@school.example")?;
/// # Ok::<(), lyceum::http::ConfigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Branding {
    name: ShortText,
    logo: Option<Logo>,
    accent: Option<Accent>,
    support: Option<Arc<str>>,
}

/// An image file, with its type.
#[derive(Clone)]
pub(super) struct Logo {
    pub(super) content: Bytes,
    pub(super) content_type: &'static str,
    pub(super) extension: &'static str,
}

impl Branding {
    /// Branding with the name of the school or its service. The name is
    /// [reserved](crate::http::auth_server::AuthServerBuilder::reserved_names) for administrators.
    ///
    /// # Errors
    /// When the name is not one line of at most 255 characters.
    pub fn new(name: &str) -> Result<Self, ConfigError> {
        Ok(Self {
            name: name.parse().map_err(|rule| refused("name", rule))?,
            logo: None,
            accent: None,
            support: None,
        })
    }

    /// Adds a logo: the content of a PNG, JPEG, WebP or SVG file of at most 20,000 bytes, which pages
    /// show in a square. Without one they show the first letter of the name.
    ///
    /// # Errors
    /// When it is none of these, or larger.
    pub fn logo(mut self, file: impl Into<Bytes>) -> Result<Self, ConfigError> {
        self.logo = Some(Logo::new(file.into()).map_err(|rule| refused("logo", rule))?);
        Ok(self)
    }

    /// Replaces the blue of links and main buttons by this colour, such as `#0b6b4f`. In the dark
    /// scheme pages use a lighter tint of it.
    ///
    /// # Errors
    /// When it is not `#` with six hexadecimal digits, or its contrast on white or on a tint of 9 % of
    /// itself is below 4.5:1 (WCAG 2.2, 1.4.3).
    pub fn accent(mut self, colour: &str) -> Result<Self, ConfigError> {
        self.accent = Some(
            colour
                .parse()
                .map_err(|rule| refused("accent colour", rule))?,
        );
        Ok(self)
    }

    /// Adds the e-mail address or the https address where people get help with their account.
    ///
    /// # Errors
    /// When it is neither.
    pub fn support(mut self, address: &str) -> Result<Self, ConfigError> {
        let is_link = address.starts_with("https://") && address.len() > "https://".len();
        let is_email = !is_link && address.parse::<crate::domain::Email>().is_ok();
        let is_plain = address
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'"');
        if !(is_plain && (is_link || is_email)) {
            return Err(refused(
                "support address",
                InvalidValue::new("must be an e-mail address or begin with https://"),
            ));
        }
        self.support = Some(address.into());
        Ok(self)
    }

    /// The name of the school or its service; `School account` by default.
    pub const fn name(&self) -> &ShortText {
        &self.name
    }

    /// Name of the school, if the host has given another one than the default.
    pub(crate) fn school(&self) -> Option<&str> {
        (&*self.name != DEFAULT_NAME).then_some(&*self.name)
    }

    pub(super) const fn image(&self) -> Option<&Logo> {
        self.logo.as_ref()
    }

    pub(super) const fn colour(&self) -> Option<&Accent> {
        self.accent.as_ref()
    }

    /// Address of the link to the school's support, and its text.
    pub(crate) fn support_link(&self) -> Option<SupportLink> {
        let address = self.support.as_deref()?;
        Some(match address.strip_prefix("https://") {
            Some(rest) => SupportLink {
                href: address.to_owned(),
                text: rest.trim_end_matches('/').to_owned(),
            },
            None => SupportLink {
                href: format!("mailto:{address}"),
                text: address.to_owned(),
            },
        })
    }
}

/// The name `School account`, and nothing else.
impl Default for Branding {
    fn default() -> Self {
        Self {
            name: ShortText::from_static(DEFAULT_NAME),
            logo: None,
            accent: None,
            support: None,
        }
    }
}

/// Where people get help.
#[derive(Debug, Clone, serde::Serialize)]
pub(crate) struct SupportLink {
    pub(crate) href: String,
    pub(crate) text: String,
}

impl Logo {
    fn new(content: Bytes) -> Result<Self, InvalidValue> {
        if content.len() > MAX_LOGO {
            return Err(InvalidValue::new("must have at most 20,000 bytes"));
        }
        let begins = |with: &[u8]| content.starts_with(with);
        let (content_type, extension) = if begins(b"\x89PNG\r\n\x1a\n") {
            ("image/png", "png")
        } else if begins(b"\xff\xd8\xff") {
            ("image/jpeg", "jpg")
        } else if begins(b"RIFF") && content.get(8..12) == Some(b"WEBP") {
            ("image/webp", "webp")
        } else if is_svg(&content) {
            ("image/svg+xml", "svg")
        } else {
            return Err(InvalidValue::new("must be a PNG, JPEG, WebP or SVG file"));
        };
        Ok(Self {
            content,
            content_type,
            extension,
        })
    }
}

/// Whether a file begins like an SVG image.
fn is_svg(content: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(content) else {
        return false;
    };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    (text.starts_with("<svg") || text.starts_with("<?xml") || text.starts_with("<!--"))
        && text.contains("<svg")
}

fn refused(setting: &'static str, rule: InvalidValue) -> ConfigError {
    ConfigError::Branding { setting, rule }
}

/// Omits the content.
impl fmt::Debug for Logo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Logo")
            .field("content_type", &self.content_type)
            .field("bytes", &self.content.len())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(result: Result<Branding, ConfigError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn a_logo_is_an_image_of_a_known_type_and_small() {
        let branding = || Branding::new("Star High School").unwrap();
        for (file, expected) in [
            (&b"\x89PNG\r\n\x1a\n\0"[..], "image/png"),
            (b"\xff\xd8\xff\xe0", "image/jpeg"),
            (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
            (
                b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
                "image/svg+xml",
            ),
            (b"<?xml version=\"1.0\"?>\n<svg/>", "image/svg+xml"),
        ] {
            let logo = branding().logo(file.to_vec()).unwrap().logo.unwrap();
            assert_eq!(logo.content_type, expected);
        }
        for file in [&b"<html><svg></html>"[..], b"GIF89a", b""] {
            assert_eq!(
                reason(branding().logo(file.to_vec())),
                "the logo must be a PNG, JPEG, WebP or SVG file"
            );
        }
        let large = [&b"\xff\xd8\xff"[..], &[0; MAX_LOGO]].concat();
        assert_eq!(
            reason(branding().logo(large)),
            "the logo must have at most 20,000 bytes"
        );
    }

    #[test]
    fn the_support_address_is_an_e_mail_address_or_an_https_address() {
        let link = |address| {
            let branding = Branding::default().support(address).unwrap();
            branding.support_link().unwrap()
        };
        assert_eq!(
            link("help@school.example").href,
            "mailto:help@school.example"
        );
        assert_eq!(
            link("https://school.example/help/").text,
            "school.example/help"
        );
        for address in [
            "",
            "javascript:alert(1)",
            "http://school.example",
            "https://",
            "https://a b",
        ] {
            assert!(Branding::default().support(address).is_err(), "{address}");
        }
    }
}

//! Files that the pages load: stylesheet, script, icons, and the logo of the school. Their names
//! contain digests, so that browsers may cache them forever.

use base64ct::{Base64UrlUnpadded, Encoding};
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use sha2::{Digest, Sha256};

use super::Branding;
use super::accent::Accent;
use super::branding::SupportLink;
use crate::http::compressible_document::CompressibleDocument;
use crate::http::{Body, entity_tags, response};

const STYLES: &str = concat!(
    include_str!("../../../templates/styles/colours.css"),
    include_str!("../../../templates/styles/base.css"),
    include_str!("../../../templates/styles/narrow.css"),
    include_str!("../../../templates/styles/shell.css"),
    include_str!("../../../templates/styles/page.css"),
    include_str!("../../../templates/styles/forms.css"),
    include_str!("../../../templates/styles/tables.css"),
    include_str!("../../../templates/styles/code.css"),
    include_str!("../../../templates/styles/charts.css"),
    include_str!("../../../templates/styles/data.css"),
    include_str!("../../../templates/styles/weeks.css"),
    include_str!("../../../templates/styles/developer.css"),
    include_str!("../../../templates/styles/admin.css"),
    include_str!("../../../templates/styles/media.css"),
);

/// An SVG file that a user opens by itself must not run what it contains.
const INERT_CSP: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");

/// The school's branding, with the files of its pages.
#[derive(Debug)]
pub(crate) struct PageAssets {
    branding: Branding,
    stylesheet: Asset,
    script: Asset,
    icons: Asset,
    logo: Option<Asset>,
    /// What browsers show on the tab, unless there is a logo.
    mark: Asset,
}

#[derive(Debug)]
struct Asset {
    name: String,
    etag: String,
    content_type: &'static str,
    content: CompressibleDocument,
}

impl Asset {
    fn new(
        stem: &str,
        extension: &str,
        content_type: &'static str,
        content: impl Into<Bytes>,
    ) -> Self {
        let content = content.into();
        let digest = Base64UrlUnpadded::encode_string(&Sha256::digest(&content));
        let digest = &digest[..16];
        Self {
            name: format!("{stem}-{digest}.{extension}"),
            etag: format!("\"{digest}\""),
            content_type,
            content: CompressibleDocument::new(content),
        }
    }

    fn response(&self, headers: &HeaderMap) -> Option<Response<Body>> {
        let mut response = if entity_tags::is_not_modified(headers, self.etag.as_bytes()) {
            let mut response = response::empty();
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response
        } else {
            let content = self.content.as_bytes().clone();
            let mut response = response::with_body(StatusCode::OK, self.content_type, content);
            // Images are compressed already.
            if self.content_type.starts_with("text/") || self.content_type == SVG {
                self.content.write_to(&mut response, headers);
            }
            response
        };
        let headers = response.headers_mut();
        headers.insert(
            CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=31536000, immutable"),
        );
        headers.insert(ETAG, HeaderValue::try_from(&self.etag).ok()?);
        if self.content_type == SVG {
            headers.insert(CONTENT_SECURITY_POLICY, INERT_CSP);
        }
        Some(response)
    }
}

const SVG: &str = "image/svg+xml";

impl PageAssets {
    pub(crate) fn new(branding: Branding) -> Self {
        let css = "text/css; charset=utf-8";
        let stylesheet = match branding.colour() {
            Some(accent) => Asset::new("style", "css", css, STYLES.to_owned() + &accent.css()),
            None => Asset::new("style", "css", css, STYLES),
        };
        let script = include_str!("../../../assets/console.js");
        let icons = include_str!("../../../assets/icons.svg");
        Self {
            stylesheet,
            script: Asset::new("script", "js", "text/javascript; charset=utf-8", script),
            icons: Asset::new("icons", "svg", SVG, icons),
            mark: Asset::new("mark", "svg", SVG, mark(&branding)),
            logo: branding.image().map(|logo| {
                let content = logo.content.clone();
                Asset::new("logo", logo.extension, logo.content_type, content)
            }),
            branding,
        }
    }

    #[cfg(feature = "console")]
    pub(crate) const fn branding(&self) -> &Branding {
        &self.branding
    }

    /// What every page shows of the school and loads; `path` returns the path of an asset.
    pub(crate) fn page_head(&self, path: impl Fn(&str) -> String) -> PageHead {
        let name = self.branding.name().to_string();
        PageHead {
            tab_icon: path(&self.logo.as_ref().unwrap_or(&self.mark).name),
            stylesheet: path(&self.stylesheet.name),
            script: path(&self.script.name),
            icons: path(&self.icons.name),
            logo: self.logo.as_ref().map(|logo| path(&logo.name)),
            school: self.branding.school().map(str::to_owned),
            initial: initial(&name),
            site_name: name,
            support: self.branding.support_link(),
        }
    }

    /// Returns the asset of this name, or status 304 if the browser has cached it.
    pub(crate) fn asset(&self, name: &str, headers: &HeaderMap) -> Option<Response<Body>> {
        [&self.stylesheet, &self.script, &self.icons, &self.mark]
            .into_iter()
            .chain(&self.logo)
            .find(|asset| asset.name == name)?
            .response(headers)
    }
}

/// What every page shows of the school, and the paths of what it loads.
#[derive(Debug, Clone, serde::Serialize)]
pub(crate) struct PageHead {
    /// Name shown on every page.
    pub(crate) site_name: String,
    /// Name of the school, if the host has given one.
    pub(crate) school: Option<String>,
    /// The first letter of the name, in place of a logo.
    pub(crate) initial: String,
    pub(crate) stylesheet: String,
    pub(crate) script: String,
    pub(crate) icons: String,
    pub(crate) logo: Option<String>,
    /// What browsers show on the tab.
    pub(crate) tab_icon: String,
    pub(crate) support: Option<SupportLink>,
}

/// The first letter of the school's name on its colour.
fn mark(branding: &Branding) -> String {
    let (ground, ink) = branding
        .colour()
        .map_or_else(Accent::standard, Accent::ground_and_ink);
    let letter = initial(branding.name());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 32\"><rect width=\"32\" height=\"32\" rx=\"9\" fill=\"{ground}\"/>\
         <text x=\"16\" y=\"22\" fill=\"{ink}\" font-family=\"system-ui, sans-serif\" font-size=\"18\" font-weight=\"700\" text-anchor=\"middle\">{letter}</text></svg>\n"
    )
}

/// The first letter of a name, as a capital.
pub(crate) fn initial(name: &str) -> String {
    let letter = name.chars().find(|letter| letter.is_alphanumeric());
    letter.map_or_else(String::new, |letter| letter.to_uppercase().collect())
}

use std::fs;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::Uri;
use jiff::tz::TimeZone;
use lyceum::domain::Quota;
use lyceum::http::{Branding, Certificates, TrustedProxies};
use lyceum::school_year::HistoryRetention;

use super::{
    API_KEY_LIMIT, AUTHORIZE_LIMIT, Addresses, BAD_KEY_LIMIT, CHANGE_LIMIT, CLASS_PERIODS,
    DRAIN_TIME, HISTORY_KEPT, LEAVERS_KEPT, LISTEN, LOG_FORMAT, METRICS_LISTEN, SCHOOL_ACCENT,
    SCHOOL_LOGO, SCHOOL_NAME, SCHOOL_SUPPORT, SIGN_IN_LIMIT, STOP_TIMEOUT, Setting, Settings,
    TIME_ZONE, TLS_CERTIFICATE, TLS_KEY, TRACES_ENDPOINT, TRUSTED_PROXIES, neis_settings,
};
use crate::BoxError;
use crate::backend::path;
use crate::listen::ListenAddress;
use crate::services::ServiceSettings;
use crate::smtp;

/// The settings of `serve`, apart from the database.
pub struct ServeSettings {
    pub addresses: Addresses,
    pub listen: ListenAddress,
    /// The files of the certificate chain and of its key.
    pub tls: Option<(PathBuf, PathBuf)>,
    pub services: ServiceSettings,
    pub is_behind_proxies: bool,
    /// How long former students and the history are kept.
    pub history: HistoryRetention,
    pub drain_time: Duration,
    pub stop_timeout: Duration,
    pub log_format: LogFormat,
    pub metrics_listen: Option<SocketAddr>,
    #[cfg_attr(
        not(feature = "opentelemetry"),
        allow(dead_code, reason = "it is refused without the feature")
    )]
    pub traces_endpoint: Option<Uri>,
}

#[derive(Debug, Clone, Copy)]
pub enum LogFormat {
    Text,
    Json,
}

impl ServeSettings {
    pub fn from_settings(settings: &Settings) -> Result<Self, BoxError> {
        let limit = |setting: &Setting| settings.parse(setting, per_minute);
        let addresses = Addresses::from_settings(settings)?;
        Ok(Self {
            tls: tls(settings, &addresses)?,
            listen: settings.parse(&LISTEN, ListenAddress::parse)?,
            services: ServiceSettings {
                branding: branding(settings)?,
                time_zone: settings.parse(&TIME_ZONE, |name| {
                    TimeZone::get(name).is_ok().then(|| name.to_owned())
                })?,
                class_periods: settings
                    .parse(&CLASS_PERIODS, |text| text.replace(',', " ").parse().ok())?,
                api_key_limit: limit(&API_KEY_LIMIT)?,
                bad_key_limit: limit(&BAD_KEY_LIMIT)?,
                change_limit: limit(&CHANGE_LIMIT)?,
                sign_in_limit: Some(settings.parse(&SIGN_IN_LIMIT, |text| quota(text, 15))?),
                authorize_limit: Some(settings.parse(&AUTHORIZE_LIMIT, |text| quota(text, 10))?),
                proxies: settings.parse(&TRUSTED_PROXIES, proxies)?,
                neis: neis_settings(settings)?,
                mailer: smtp::mailer(settings, &addresses)?,
            },
            addresses,
            is_behind_proxies: settings.text(&TRUSTED_PROXIES) != Some(""),
            history: HistoryRetention {
                leavers: settings.parse(&LEAVERS_KEPT, years)?,
                history: settings.parse(&HISTORY_KEPT, years)?,
            },
            drain_time: settings.parse(&DRAIN_TIME, |text| seconds(text, 0..=300))?,
            stop_timeout: settings.parse(&STOP_TIMEOUT, |text| seconds(text, 1..=300))?,
            log_format: settings.parse(&LOG_FORMAT, |text| match text {
                "text" => Some(LogFormat::Text),
                "json" => Some(LogFormat::Json),
                _ => None,
            })?,
            metrics_listen: settings.optional(&METRICS_LISTEN, |text| text.parse().ok())?,
            traces_endpoint: traces_endpoint(settings, cfg!(feature = "opentelemetry"))?,
        })
    }

    /// Loads the certificates, if there are any. Without a proxy in front, they must be valid for
    /// the host of the public URL; a proxy may connect by another name.
    pub fn certificates(&self) -> Result<Option<Certificates>, BoxError> {
        let Some((chain, key)) = &self.tls else {
            return Ok(None);
        };
        let certificates = Certificates::from_files(chain, key)
            .map_err(|error| format!("tls-certificate and tls-key: {error}"))?;
        let host = self.addresses.host();
        if !self.is_behind_proxies && !certificates.is_valid_for(host) {
            return Err(format!(
                "tls-certificate {} is not valid for {host}, the host of public-url",
                chain.display()
            )
            .into());
        }
        Ok(Some(certificates))
    }
}

/// A number of years; nothing for 0, which is for ever.
fn years(text: &str) -> Option<Option<u16>> {
    let years: u16 = text.parse().ok().filter(|years| *years <= 100)?;
    Some((years > 0).then_some(years))
}

/// How the school shows itself on pages.
fn branding(settings: &Settings) -> Result<Branding, BoxError> {
    let mut branding = settings.parse(&SCHOOL_NAME, |name| Branding::new(name).ok())?;
    if let Some(file) = settings.optional(&SCHOOL_LOGO, path)? {
        let content = fs::read(&file);
        let content =
            content.map_err(|error| format!("school-logo {}: {error}", file.display()))?;
        branding = branding
            .logo(content)
            .map_err(|error| format!("school-logo {}: {error}", file.display()))?;
    }
    if let Some(colour) = settings.optional(&SCHOOL_ACCENT, |text| Some(text.to_owned()))? {
        branding = branding
            .accent(&colour)
            .map_err(|error| format!("school-accent {colour}: {error}"))?;
    }
    if let Some(address) = settings.optional(&SCHOOL_SUPPORT, |text| Some(text.to_owned()))? {
        branding = branding
            .support(&address)
            .map_err(|error| format!("school-support {address}: {error}"))?;
    }
    Ok(branding)
}

fn tls(settings: &Settings, addresses: &Addresses) -> Result<Option<(PathBuf, PathBuf)>, BoxError> {
    let file = |setting: &Setting| settings.optional(setting, path);
    match (file(&TLS_CERTIFICATE)?, file(&TLS_KEY)?) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) if !addresses.is_https() => Err(
            "with tls-certificate, public-url takes an address that begins with https://".into(),
        ),
        (Some(chain), Some(key)) => Ok(Some((chain, key))),
        _ => Err("tls-certificate and tls-key belong together: set both, or neither".into()),
    }
}

fn traces_endpoint(settings: &Settings, is_supported: bool) -> Result<Option<Uri>, BoxError> {
    let text = settings.text(&TRACES_ENDPOINT).unwrap_or_default();
    if text.contains('@') {
        return Err(
            "traces-endpoint takes a URL without a user, a password or another @: set the variable OTEL_EXPORTER_OTLP_HEADERS to what the collector asks for".into(),
        );
    }
    let endpoint = settings.optional(&TRACES_ENDPOINT, |text| {
        let endpoint: Uri = text.parse().ok()?;
        let is_http = matches!(endpoint.scheme_str(), Some("http" | "https"));
        is_http.then_some(endpoint)
    })?;
    if endpoint.is_some() && !is_supported {
        return Err(
            "traces-endpoint needs a program that was built with the feature opentelemetry".into(),
        );
    }
    Ok(endpoint)
}

fn seconds(text: &str, range: RangeInclusive<u64>) -> Option<Duration> {
    let seconds = text.parse().ok()?;
    range
        .contains(&seconds)
        .then(|| Duration::from_secs(seconds))
}

/// A quota of requests in a minute.
pub fn per_minute(text: &str) -> Option<Quota> {
    quota(text, 1)
}

/// A quota of requests in this many minutes.
fn quota(text: &str, minutes: u64) -> Option<Quota> {
    let requests = text.parse().ok()?;
    Quota::new(requests, Duration::from_secs(60 * minutes), requests).ok()
}

fn proxies(text: &str) -> Option<TrustedProxies> {
    let networks = text.split(',').map(str::trim);
    let networks: Vec<&str> = networks.filter(|network| !network.is_empty()).collect();
    TrustedProxies::x_forwarded_for(&networks).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if a program without the feature starts without its traces, or says nothing of why it
    /// does not start.
    #[test]
    fn a_program_without_traces_names_the_feature_that_it_lacks() {
        let settings = |endpoint: &str| {
            let given = vec![("traces-endpoint", Some(endpoint.to_owned()))];
            Settings::load(vec![&TRACES_ENDPOINT], given, None).unwrap()
        };
        let collector = settings("http://127.0.0.1:4318/v1/traces");
        assert_eq!(
            traces_endpoint(&collector, false).unwrap_err().to_string(),
            "traces-endpoint needs a program that was built with the feature opentelemetry"
        );
        assert!(traces_endpoint(&collector, true).unwrap().is_some());
        assert!(traces_endpoint(&settings(""), false).unwrap().is_none());
    }
}

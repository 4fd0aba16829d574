use std::ops::RangeInclusive;
use std::time::Duration;

use jiff::tz::TimeZone;
use lyceum::domain::{Quota, ShortText};
use lyceum::http::TrustedProxies;

use super::{
    API_KEY_LIMIT, Addresses, BAD_KEY_LIMIT, CHANGE_LIMIT, DRAIN_TIME, LISTEN, LOG_FORMAT,
    SCHOOL_NAME, STOP_TIMEOUT, Setting, Settings, TIME_ZONE, TRUSTED_PROXIES,
};
use crate::BoxError;
use crate::listen::ListenAddress;

/// The settings of `serve`, apart from the database.
#[derive(Debug)]
pub struct ServeSettings {
    pub addresses: Addresses,
    pub listen: ListenAddress,
    pub proxies: TrustedProxies,
    pub school_name: String,
    pub time_zone: String,
    pub api_key_limit: Quota,
    pub bad_key_limit: Quota,
    pub change_limit: Quota,
    pub drain_time: Duration,
    pub stop_timeout: Duration,
    pub log_format: LogFormat,
}

#[derive(Debug, Clone, Copy)]
pub enum LogFormat {
    Text,
    Json,
}

impl ServeSettings {
    pub fn from_settings(settings: &Settings) -> Result<Self, BoxError> {
        let limit = |setting: &Setting| settings.parse(setting, per_minute);
        Ok(Self {
            addresses: Addresses::from_settings(settings)?,
            listen: settings.parse(&LISTEN, ListenAddress::parse)?,
            proxies: settings.parse(&TRUSTED_PROXIES, proxies)?,
            school_name: settings.parse(&SCHOOL_NAME, |text| {
                text.parse::<ShortText>().ok().map(|name| name.to_string())
            })?,
            time_zone: settings.parse(&TIME_ZONE, |name| {
                TimeZone::get(name).is_ok().then(|| name.to_owned())
            })?,
            api_key_limit: limit(&API_KEY_LIMIT)?,
            bad_key_limit: limit(&BAD_KEY_LIMIT)?,
            change_limit: limit(&CHANGE_LIMIT)?,
            drain_time: settings.parse(&DRAIN_TIME, |text| seconds(text, 0..=300))?,
            stop_timeout: settings.parse(&STOP_TIMEOUT, |text| seconds(text, 1..=300))?,
            log_format: settings.parse(&LOG_FORMAT, |text| match text {
                "text" => Some(LogFormat::Text),
                "json" => Some(LogFormat::Json),
                _ => None,
            })?,
        })
    }
}

fn seconds(text: &str, range: RangeInclusive<u64>) -> Option<Duration> {
    let seconds = text.parse().ok()?;
    range
        .contains(&seconds)
        .then(|| Duration::from_secs(seconds))
}

/// A quota of requests in a minute.
pub fn per_minute(text: &str) -> Option<Quota> {
    const MINUTE: Duration = Duration::from_secs(60);
    let requests = text.parse().ok()?;
    Quota::new(requests, MINUTE, requests).ok()
}

fn proxies(text: &str) -> Option<TrustedProxies> {
    let networks = text.split(',').map(str::trim);
    let networks: Vec<&str> = networks.filter(|network| !network.is_empty()).collect();
    TrustedProxies::x_forwarded_for(&networks).ok()
}

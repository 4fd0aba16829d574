use lyceum::neis::{Client, NeisKey, NeisSchool, SchoolKind, SyncScheduleBuilder};

use super::{
    NEIS_KEY, NEIS_KEY_FILE, NEIS_KIND, NEIS_OFFICE, NEIS_SCHOOL, NEIS_URL, SYNC_TIME, Setting,
    Settings,
};
use crate::BoxError;
use crate::backend::path;
use crate::services::NeisSettings;

/// The settings of the sync that `serve` runs, if one of the school's codes is set.
pub fn neis_settings(settings: &Settings) -> Result<Option<NeisSettings>, BoxError> {
    let codes = [&NEIS_OFFICE, &NEIS_SCHOOL, &NEIS_KIND];
    let is_set = |setting: &&Setting| settings.text(setting).is_some_and(|text| !text.is_empty());
    let time = settings.parse(&SYNC_TIME, sync_time)?;
    if !codes.iter().any(is_set) {
        return Ok(None);
    }
    Ok(Some(NeisSettings {
        school: neis_school(settings)?,
        client: neis_client(settings)?,
        has_key: key(settings)?.is_some(),
        time,
    }))
}

/// A time such as `05:30`; `None` inside for `off`.
fn sync_time(text: &str) -> Option<Option<String>> {
    if text == "off" {
        return Some(None);
    }
    SyncScheduleBuilder::is_daily_time(text).then(|| Some(text.to_owned()))
}

/// The school on NEIS.
pub fn neis_school(settings: &Settings) -> Result<NeisSchool, BoxError> {
    let code = |setting: &Setting| {
        settings.parse(setting, |code| {
            let is_code = NeisSchool::new(code, code, SchoolKind::High).is_ok();
            is_code.then(|| code.to_owned())
        })
    };
    let kind = settings.parse(&NEIS_KIND, |kind| kind.parse().ok())?;
    Ok(NeisSchool::new(
        &code(&NEIS_OFFICE)?,
        &code(&NEIS_SCHOOL)?,
        kind,
    )?)
}

/// The client of NEIS. Without a key NEIS gives five rows of each list.
pub fn neis_client(settings: &Settings) -> Result<Client, BoxError> {
    let url = settings.parse(&NEIS_URL, |url| Some(url.to_owned()))?;
    let mut client = Client::builder(tokio::time::sleep).base_url(&url);
    if let Some(key) = key(settings)? {
        client = client.key(key);
    }
    client
        .build()
        .map_err(|error| format!("neis-url: {error}").into())
}

/// The key, which errors do not show.
fn key(settings: &Settings) -> Result<Option<NeisKey>, BoxError> {
    let given = settings.optional(&NEIS_KEY, |text| NeisKey::parse(text).ok())?;
    let Some(path) = settings.optional(&NEIS_KEY_FILE, path)? else {
        return Ok(given);
    };
    if given.is_some() {
        return Err("neis-key and neis-key-file exclude each other: remove one".into());
    }
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("cannot read neis-key-file {}: {error}", path.display()))?;
    let key = NeisKey::parse(text.trim_end_matches(['\r', '\n']));
    let key = key.map_err(|rule| format!("the key in neis-key-file {} {rule}", path.display()))?;
    Ok(Some(key))
}

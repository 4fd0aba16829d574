use lyceum::neis::{Client, NeisKey, NeisSchool, SchoolKind};

use super::{
    NEIS_KEY, NEIS_KEY_FILE, NEIS_KIND, NEIS_OFFICE, NEIS_SCHOOL, NEIS_URL, Setting, Settings,
};
use crate::BoxError;
use crate::backend::path;

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

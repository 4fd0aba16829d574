//! Where settings come from, and which place takes precedence.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::{PREFIX, Setting};
use crate::BoxError;

/// The variable that names the file.
const CONFIG: &str = "LYCEUM_CONFIG";

/// The settings in force.
#[derive(Debug)]
pub struct Settings {
    known: Vec<&'static Setting>,
    found: BTreeMap<&'static str, Found>,
}

#[derive(Debug)]
struct Found {
    value: String,
    source: Source,
}

/// Origin of a value. Displays as the name under which it was given.
#[derive(Debug)]
enum Source {
    Option(&'static str),
    Variable(String),
    File(&'static str, PathBuf),
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(name) => write!(f, "--{name}"),
            Self::Variable(name) => f.write_str(name),
            Self::File(name, file) => write!(f, "{name} in {}", file.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

impl Settings {
    /// Collects the settings: options before the environment before the file before defaults.
    pub fn load(
        known: Vec<&'static Setting>,
        options: Vec<(&'static str, Option<String>)>,
        config: Option<PathBuf>,
    ) -> Result<Self, BoxError> {
        let variables = variables()?;
        let mut settings = Self {
            known,
            found: BTreeMap::new(),
        };
        let config = config.or_else(|| variables.get(CONFIG).map(PathBuf::from));
        if let Some(path) = config {
            settings.add_file(&path)?;
        }
        settings.add_variables(&variables)?;
        for (name, value) in options {
            if let Some(value) = value {
                let source = Source::Option(name);
                settings.found.insert(name, Found { value, source });
            }
        }
        for setting in settings.known.clone() {
            if let Some(value) = setting.default {
                settings.set_default(setting, value);
            }
        }
        Ok(settings)
    }

    /// Sets a default that depends on other settings.
    pub fn set_default(&mut self, setting: &'static Setting, value: &str) {
        self.found.entry(setting.name).or_insert_with(|| Found {
            value: value.to_owned(),
            source: Source::Default,
        });
    }

    /// The file, if it has a secret.
    pub fn file_with_secret(&self) -> Option<&Path> {
        let secrets = self.known.iter().filter(|setting| setting.is_secret);
        secrets
            .filter_map(|setting| match &self.found.get(setting.name)?.source {
                Source::File(_, file) => Some(&**file),
                _ => None,
            })
            .next()
    }

    /// The value of a setting as text.
    pub fn text(&self, setting: &Setting) -> Option<&str> {
        self.found.get(setting.name).map(|found| &*found.value)
    }

    /// The value of a setting, or a sentence about it that names the place of the value.
    pub fn parse<T>(
        &self,
        setting: &Setting,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, BoxError> {
        let Some(Found { value, source }) = self.found.get(setting.name) else {
            let option = if setting.is_secret {
                String::new()
            } else {
                format!("--{}, ", setting.name)
            };
            return Err(format!(
                "{name} is missing: set {option}the environment variable {variable}, or {name} in the file of --config, to {takes}",
                name = setting.name,
                variable = setting.variable(),
                takes = setting.takes,
            )
            .into());
        };
        parse(value).ok_or_else(|| {
            let source: &dyn fmt::Display = match source {
                Source::Default => &setting.name,
                source => source,
            };
            let given = if setting.hides(value) {
                String::new()
            } else {
                format!(", not {value:?}")
            };
            format!("{source} takes {}{given}", setting.takes).into()
        })
    }

    /// The value of a setting whose empty value means none.
    pub fn optional<T>(
        &self,
        setting: &Setting,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, BoxError> {
        match self.text(setting) {
            None | Some("") => Ok(None),
            Some(_) => self.parse(setting, parse).map(Some),
        }
    }

    /// A line for each setting: its name, its value and where the value came from.
    pub fn report(&self) -> String {
        let mut report = String::new();
        for setting in &self.known {
            let (value, source) = match self.found.get(setting.name) {
                Some(found) if setting.hides(&found.value) => ("(..)", &found.source),
                Some(found) => (&*found.value, &found.source),
                None => ("", &Source::Default),
            };
            // Writing to a string does not fail.
            let _ = writeln!(report, "{} = {value:?}  # {source}", setting.name);
        }
        report
    }

    fn add_variables(&mut self, variables: &BTreeMap<String, String>) -> Result<(), BoxError> {
        for setting in &self.known {
            let name = setting.variable();
            if let Some(value) = variables.get(&name) {
                let found = Found {
                    value: value.clone(),
                    source: Source::Variable(name),
                };
                self.found.insert(setting.name, found);
            }
        }
        let is_known = |name: &str| {
            name == CONFIG || self.known.iter().any(|setting| setting.variable() == name)
        };
        match variables
            .keys()
            .find(|name| name.starts_with(PREFIX) && !is_known(name))
        {
            Some(name) => Err(format!(
                "the environment variable {name} is no setting: there are {}",
                self.list(Setting::variable)
            )
            .into()),
            None => Ok(()),
        }
    }

    fn add_file(&mut self, path: &Path) -> Result<(), BoxError> {
        let file = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read the settings in {file}: {error}"))?;
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let before = error.span().map_or("", |span| &text[..span.start]);
            let line = before.matches('\n').count() + 1;
            format!("line {line} of {file} is not TOML: {}", error.message())
        })?;
        for (name, value) in &table {
            let Some(setting) = self.known.iter().find(|setting| setting.name == name) else {
                return Err(format!(
                    "{file} has {name:?}, which is no setting: there are {}",
                    self.list(|setting| setting.name.to_owned())
                )
                .into());
            };
            let value = plain_text(value)
                .ok_or_else(|| format!("{name} in {file} takes {}", setting.takes))?;
            let source = Source::File(setting.name, path.to_owned());
            self.found.insert(setting.name, Found { value, source });
        }
        Ok(())
    }

    fn list(&self, name: impl Fn(&Setting) -> String) -> String {
        let names: Vec<String> = self.known.iter().map(|setting| name(setting)).collect();
        names.join(", ")
    }
}

/// The text of a value in the file: a list is the text with commas.
fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Boolean(value) => Some(value.to_string()),
        Value::Array(values) => {
            let values: Option<Vec<&str>> = values.iter().map(Value::as_str).collect();
            Some(values?.join(","))
        }
        _ => None,
    }
}

/// The environment variables that are not empty.
fn variables() -> Result<BTreeMap<String, String>, BoxError> {
    let mut variables = BTreeMap::new();
    for (name, value) in std::env::vars_os() {
        let Ok(name) = name.into_string() else {
            continue;
        };
        match value.into_string() {
            Ok(value) if value.is_empty() => {}
            Ok(value) => drop(variables.insert(name, value)),
            Err(_) if name.starts_with(PREFIX) => {
                return Err(format!("the environment variable {name} takes text in UTF-8").into());
            }
            Err(_) => {}
        }
    }
    Ok(variables)
}

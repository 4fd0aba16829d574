//! Settings: options, environment variables and one TOML file, with the same names.

mod addresses;
mod layers;
mod neis;
mod options;
mod school;
mod values;

pub use addresses::Addresses;
pub use layers::Settings;
pub use neis::{neis_client, neis_school, neis_settings};
pub use options::{
    AddressOptions, BackupOptions, MailOptions, NeisOptions, OptionValues, ServeOptions,
    StoreOptions,
};
pub use school::SchoolBounds;
pub use values::{LogFormat, ServeSettings, per_minute};

/// A setting. Its name is that of the option (`--listen`) and in the file; the environment variable
/// is the name in capitals with a prefix (`LYCEUM_LISTEN`).
#[derive(Debug)]
pub struct Setting {
    pub name: &'static str,
    /// What the value may be, after "takes".
    pub takes: &'static str,
    pub default: Option<&'static str>,
    /// Whether the value is never printed and there is no option.
    pub is_secret: bool,
    /// Whether the value is a URL. One with a password is refused, and not printed.
    pub is_url: bool,
    /// The environment variable, if it has another name.
    pub variable: Option<&'static str>,
}

impl Setting {
    pub const fn new(name: &'static str, takes: &'static str) -> Self {
        Self {
            name,
            takes,
            default: None,
            is_secret: false,
            is_url: false,
            variable: None,
        }
    }

    pub const fn with_default(self, default: &'static str) -> Self {
        Self {
            default: Some(default),
            ..self
        }
    }

    pub const fn secret(self, variable: &'static str) -> Self {
        Self {
            is_secret: true,
            variable: Some(variable),
            ..self
        }
    }

    pub const fn url(self) -> Self {
        Self {
            is_url: true,
            ..self
        }
    }

    /// Whether a value of the setting is not printed.
    fn hides(&self, value: &str) -> bool {
        self.is_secret || self.is_url && value.contains('@')
    }

    pub fn variable(&self) -> String {
        self.variable.map_or_else(
            || format!("{PREFIX}{}", self.name.replace('-', "_").to_uppercase()),
            str::to_owned,
        )
    }
}

/// Beginning of the environment variables.
const PREFIX: &str = "LYCEUM_";

const REQUESTS: &str = "a number of requests a minute, from 1 to 60000000";

pub static PUBLIC_URL: Setting = Setting::new(
    "public-url",
    "the address in browsers without a path, such as https://school.example; http only for 127.0.0.1, [::1] and localhost",
)
.url();
pub static AUTH_PATH: Setting =
    Setting::new("auth-path", "/ or a path such as /auth").with_default("/auth");
pub static DATA_API_PATH: Setting =
    Setting::new("data-api-path", "/ or a path such as /api").with_default("/");
pub static CONSOLE_PATH: Setting =
    Setting::new("console-path", "a path such as /console").with_default("/console");
pub static LISTEN: Setting = Setting::new(
    "listen",
    "an address such as 127.0.0.1:8080, unix:PATH, or systemd",
)
.with_default("127.0.0.1:8080");
pub static TLS_CERTIFICATE: Setting =
    Setting::new("tls-certificate", "the path of a PEM file").with_default("");
pub static TLS_KEY: Setting = Setting::new("tls-key", "the path of a PEM file").with_default("");
pub static TRUSTED_PROXIES: Setting = Setting::new(
    "trusted-proxies",
    "addresses and networks such as 127.0.0.1,10.0.0.0/8",
)
.with_default("");
pub static SCHOOL_NAME: Setting = Setting::new("school-name", "one line of at most 255 characters")
    .with_default("School account");
pub static SCHOOL_LOGO: Setting =
    Setting::new("school-logo", "the path of an image").with_default("");
pub static SCHOOL_ACCENT: Setting =
    Setting::new("school-accent", "a colour such as #0b6b4f").with_default("");
pub static SCHOOL_SUPPORT: Setting =
    Setting::new("school-support", "an e-mail address or an https address").with_default("");
pub static TIME_ZONE: Setting = Setting::new(
    "time-zone",
    "the IANA name of a time zone such as Asia/Seoul",
)
.with_default("Asia/Seoul");
pub static CLASS_PERIODS: Setting = Setting::new(
    "class-periods",
    "the times of 1 to 20 periods in order, such as 08:40-09:30,09:40-10:30",
)
.with_default(
    "08:40-09:30,09:40-10:30,10:40-11:30,11:40-12:30,13:30-14:20,14:30-15:20,15:30-16:20",
);
pub static GRADES: Setting =
    Setting::new("grades", "two numbers from 1 to 12 such as 1-6").with_default("1-3");
pub static CLASSES: Setting =
    Setting::new("classes", "two numbers from 1 to 99 such as 1-10").with_default("1-4");
pub static SEAT_NUMBERS: Setting =
    Setting::new("seat-numbers", "two numbers from 1 to 99 such as 1-35").with_default("1-18");
pub static MAJORS: Setting = Setting::new(
    "majors",
    "names in capitals, each once, such as SW_DEVELOPMENT,AI",
)
.with_default("");
pub static LEAVERS_KEPT: Setting = Setting::new(
    "leavers-kept",
    "school years from 1 to 100, or 0 to keep them",
)
.with_default("2");
pub static HISTORY_KEPT: Setting = Setting::new(
    "history-kept",
    "school years from 1 to 100, or 0 to keep them",
)
.with_default("5");
pub static API_KEY_LIMIT: Setting = Setting::new("api-key-limit", REQUESTS).with_default("100");
pub static BAD_KEY_LIMIT: Setting = Setting::new("bad-key-limit", REQUESTS).with_default("100");
pub static CHANGE_LIMIT: Setting = Setting::new("change-limit", REQUESTS).with_default("120");
pub static SIGN_IN_LIMIT: Setting =
    Setting::new("sign-in-limit", "a number of attempts, from 1 to 60000000").with_default("50");
pub static AUTHORIZE_LIMIT: Setting = Setting::new(
    "authorize-limit",
    "a number of requests, from 1 to 60000000",
)
.with_default("1000");
pub static DRAIN_TIME: Setting = Setting::new("drain-time", "0 to 300 seconds").with_default("0");
pub static STOP_TIMEOUT: Setting =
    Setting::new("stop-timeout", "1 to 300 seconds").with_default("10");
pub static LOG_FORMAT: Setting = Setting::new("log-format", "text or json").with_default("text");
pub static METRICS_LISTEN: Setting =
    Setting::new("metrics-listen", "an address such as 127.0.0.1:9464").with_default("");
pub static TRACES_ENDPOINT: Setting = Setting::new(
    "traces-endpoint",
    "the URL of a collector such as http://127.0.0.1:4318/v1/traces",
)
.with_default("")
.url();
pub static KEY_FILE: Setting = Setting::new("key-file", "the path of a file");
pub static NEXT_KEY_FILE: Setting =
    Setting::new("next-key-file", "the path of a file").with_default("");
pub static FORMER_KEY_FILE: Setting =
    Setting::new("former-key-file", "the path of a file").with_default("");

pub static CLOCK_PEER: Setting = Setting::new(
    "clock-peer",
    "the URL of another server, such as https://deb.debian.org/",
)
.with_default("")
.url();
pub static BACKUP_DIRECTORY: Setting = Setting::new("backup-directory", "the path of a directory");
pub static BACKUP_MAX_AGE: Setting =
    Setting::new("backup-max-age", "hours from 1 to 8784").with_default("26");

pub static SMTP_URL: Setting = Setting::new(
    "smtp-url",
    "the mail server, as smtps://HOST with TLS or smtp://HOST:587 with STARTTLS",
)
.with_default("")
.url();
pub static SMTP_USER: Setting = Setting::new("smtp-user", "a user name").with_default("");
pub static SMTP_PASSWORD: Setting =
    Setting::new("smtp-password", "the password of smtp-user").secret("SMTP_PASSWORD");
pub static SMTP_PASSWORD_FILE: Setting =
    Setting::new("smtp-password-file", "the path of a file").with_default("");
pub static MAIL_FROM: Setting = Setting::new(
    "mail-from",
    "the sender, such as School <accounts@school.example>",
)
.with_default("");

pub static NEIS_KEY: Setting =
    Setting::new("neis-key", "the school's key for NEIS, letters and digits").secret("NEIS_KEY");
pub static NEIS_KEY_FILE: Setting =
    Setting::new("neis-key-file", "the path of a file").with_default("");
pub static NEIS_OFFICE: Setting =
    Setting::new("neis-office", "the code of an education office such as F10");
pub static NEIS_SCHOOL: Setting =
    Setting::new("neis-school", "the code of a school such as 7380292");
pub static NEIS_KIND: Setting = Setting::new("neis-kind", "els, mis, his or sps");
pub static NEIS_URL: Setting = Setting::new(
    "neis-url",
    "an https URL without a query, or http on this machine",
)
.with_default("https://open.neis.go.kr/hub/")
.url();

pub static SYNC_TIME: Setting =
    Setting::new("sync-time", "a time such as 05:30, or off").with_default("05:30");

/// The settings that do not depend on the kind of database.
pub static COMMON: [&Setting; 48] = [
    &PUBLIC_URL,
    &AUTH_PATH,
    &DATA_API_PATH,
    &CONSOLE_PATH,
    &LISTEN,
    &TLS_CERTIFICATE,
    &TLS_KEY,
    &TRUSTED_PROXIES,
    &SCHOOL_NAME,
    &SCHOOL_LOGO,
    &SCHOOL_ACCENT,
    &SCHOOL_SUPPORT,
    &TIME_ZONE,
    &CLASS_PERIODS,
    &GRADES,
    &CLASSES,
    &SEAT_NUMBERS,
    &MAJORS,
    &LEAVERS_KEPT,
    &HISTORY_KEPT,
    &API_KEY_LIMIT,
    &BAD_KEY_LIMIT,
    &CHANGE_LIMIT,
    &SIGN_IN_LIMIT,
    &AUTHORIZE_LIMIT,
    &DRAIN_TIME,
    &STOP_TIMEOUT,
    &LOG_FORMAT,
    &METRICS_LISTEN,
    &TRACES_ENDPOINT,
    &KEY_FILE,
    &NEXT_KEY_FILE,
    &FORMER_KEY_FILE,
    &CLOCK_PEER,
    &BACKUP_DIRECTORY,
    &BACKUP_MAX_AGE,
    &SMTP_URL,
    &SMTP_USER,
    &SMTP_PASSWORD,
    &SMTP_PASSWORD_FILE,
    &MAIL_FROM,
    &NEIS_KEY,
    &NEIS_KEY_FILE,
    &NEIS_OFFICE,
    &NEIS_SCHOOL,
    &NEIS_KIND,
    &NEIS_URL,
    &SYNC_TIME,
];

//! The options of the commands. Their values stay text, because other places have the same values.

use std::path::PathBuf;

use clap::Args;

/// Options with the names of settings.
pub trait OptionValues {
    fn values(self) -> Vec<(&'static str, Option<String>)>;
}

/// Options of every command with a database.
#[derive(Debug, Args)]
pub struct StoreOptions<O: Args> {
    /// File with settings (TOML)
    #[arg(long, global = true, value_name = "PATH")]
    pub config: Option<PathBuf>,
    /// Master key, made by init
    #[arg(long, global = true, value_name = "PATH")]
    key_file: Option<String>,
    /// Master key that will replace it, on every node before the first uses it
    #[arg(long, global = true, value_name = "PATH")]
    next_key_file: Option<String>,
    /// Master key that it replaced
    #[arg(long, global = true, value_name = "PATH")]
    former_key_file: Option<String>,
    /// Grades of the school [1-3]
    #[arg(long, global = true, value_name = "RANGE")]
    grades: Option<String>,
    /// Classes of a grade [1-4]
    #[arg(long, global = true, value_name = "RANGE")]
    classes: Option<String>,
    /// Seat numbers of a class [1-18]
    #[arg(long, global = true, value_name = "RANGE")]
    seat_numbers: Option<String>,
    /// Majors of the school, separated by commas
    #[arg(long, global = true, value_name = "NAMES")]
    majors: Option<String>,
    #[command(flatten)]
    database: O,
}

impl<O: Args + OptionValues> OptionValues for StoreOptions<O> {
    fn values(self) -> Vec<(&'static str, Option<String>)> {
        let mut values = self.database.values();
        values.extend([
            ("key-file", self.key_file),
            ("next-key-file", self.next_key_file),
            ("former-key-file", self.former_key_file),
            ("grades", self.grades),
            ("classes", self.classes),
            ("seat-numbers", self.seat_numbers),
            ("majors", self.majors),
        ]);
        values
    }
}

/// Options of commands that print addresses.
#[derive(Debug, Args)]
pub struct AddressOptions {
    /// Address in browsers, such as https://school.example
    #[arg(long, global = true, value_name = "URL")]
    public_url: Option<String>,
    /// Path of the web interface [/console]
    #[arg(long, global = true, value_name = "PATH")]
    console_path: Option<String>,
}

impl OptionValues for AddressOptions {
    fn values(self) -> Vec<(&'static str, Option<String>)> {
        vec![
            ("public-url", self.public_url),
            ("console-path", self.console_path),
        ]
    }
}

/// Options of commands that write or look at backups.
#[derive(Debug, Args)]
pub struct BackupOptions {
    /// Directory of the backups
    #[arg(long, value_name = "PATH")]
    backup_directory: Option<String>,
}

impl OptionValues for BackupOptions {
    fn values(self) -> Vec<(&'static str, Option<String>)> {
        vec![("backup-directory", self.backup_directory)]
    }
}

/// Options of commands that mail links. The password is a secret, and no option.
#[derive(Debug, Args)]
pub struct MailOptions {
    /// Mail server: smtps://HOST, or smtp://HOST:587 with STARTTLS
    #[arg(long, global = true, value_name = "URL")]
    smtp_url: Option<String>,
    /// User of the mail server
    #[arg(long, global = true, value_name = "NAME")]
    smtp_user: Option<String>,
    /// File with the user's password, in place of SMTP_PASSWORD
    #[arg(long, global = true, value_name = "PATH")]
    smtp_password_file: Option<String>,
    /// Sender of the messages
    #[arg(long, global = true, value_name = "ADDRESS")]
    mail_from: Option<String>,
}

impl OptionValues for MailOptions {
    fn values(self) -> Vec<(&'static str, Option<String>)> {
        vec![
            ("smtp-url", self.smtp_url),
            ("smtp-user", self.smtp_user),
            ("smtp-password-file", self.smtp_password_file),
            ("mail-from", self.mail_from),
        ]
    }
}

/// Options of the sync with NEIS. The key is a secret, and no option.
#[derive(Debug, Args)]
pub struct NeisOptions {
    /// File with the school's key for NEIS, in place of NEIS_KEY
    #[arg(long, value_name = "PATH")]
    neis_key_file: Option<String>,
    /// Code of the education office, such as F10
    #[arg(long, value_name = "CODE")]
    neis_office: Option<String>,
    /// Code of the school, such as 7380292
    #[arg(long, value_name = "CODE")]
    neis_school: Option<String>,
    /// Kind of the school: els, mis, his or sps
    #[arg(long, value_name = "KIND")]
    neis_kind: Option<String>,
    /// Base address of NEIS [https://open.neis.go.kr/hub/]
    #[arg(long, value_name = "URL")]
    neis_url: Option<String>,
}

impl OptionValues for NeisOptions {
    fn values(self) -> Vec<(&'static str, Option<String>)> {
        vec![
            ("neis-key-file", self.neis_key_file),
            ("neis-office", self.neis_office),
            ("neis-school", self.neis_school),
            ("neis-kind", self.neis_kind),
            ("neis-url", self.neis_url),
        ]
    }
}

/// Further options of `serve`.
#[derive(Debug, Args)]
pub struct ServeOptions {
    /// Path of the sign-in service [/auth]
    #[arg(long, value_name = "PATH")]
    auth_path: Option<String>,
    /// Path of the data API [/]
    #[arg(long, value_name = "PATH")]
    data_api_path: Option<String>,
    /// Address to listen on, unix:PATH, or systemd [127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    listen: Option<String>,
    /// Certificate chain for TLS (PEM), reloaded when it changes
    #[arg(long, value_name = "PATH")]
    tls_certificate: Option<String>,
    /// Private key of the certificate (PEM)
    #[arg(long, value_name = "PATH")]
    tls_key: Option<String>,
    /// Proxies whose X-Forwarded-For is trusted, separated by commas
    #[arg(long, value_name = "CIDRS")]
    trusted_proxies: Option<String>,
    /// Name shown on every page
    #[arg(long, value_name = "NAME")]
    school_name: Option<String>,
    /// Image file of at most 20,000 bytes: PNG, JPEG, WebP or SVG
    #[arg(long, value_name = "FILE")]
    school_logo: Option<String>,
    /// Colour of links and buttons, such as #0b6b4f
    #[arg(long, value_name = "COLOUR")]
    school_accent: Option<String>,
    /// E-mail or https address where people get help with their account
    #[arg(long, value_name = "ADDRESS")]
    school_support: Option<String>,
    /// Time zone of the school [Asia/Seoul]
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// Time of the daily sync with NEIS in that zone, or off [05:30]
    #[arg(long, value_name = "HH:MM")]
    sync_time: Option<String>,
    /// Times of the periods in calendars, separated by commas [08:40-09:30,...]
    #[arg(long, value_name = "TIMES")]
    class_periods: Option<String>,
    /// Requests a minute with one API key [100]
    #[arg(long, value_name = "NUMBER")]
    api_key_limit: Option<String>,
    /// Requests a minute from one network with invalid API keys [100]
    #[arg(long, value_name = "NUMBER")]
    bad_key_limit: Option<String>,
    /// Changes a minute by one user [120]
    #[arg(long, value_name = "NUMBER")]
    change_limit: Option<String>,
    /// Failed sign-ins from one address in 15 minutes [50]
    #[arg(long, value_name = "NUMBER")]
    sign_in_limit: Option<String>,
    /// Sign-ins that one address may start in ten minutes [1000]
    #[arg(long, value_name = "NUMBER")]
    authorize_limit: Option<String>,
    /// School years that records of former students are kept, 0 for ever [2]
    #[arg(long, value_name = "YEARS")]
    leavers_kept: Option<String>,
    /// School years that the history of classes is kept, 0 for ever [5]
    #[arg(long, value_name = "YEARS")]
    history_kept: Option<String>,
    /// Seconds from a stop signal, while not ready, to the stop [0]
    #[arg(long, value_name = "SECONDS")]
    drain_time: Option<String>,
    /// Seconds that requests in flight have at the stop [10]
    #[arg(long, value_name = "SECONDS")]
    stop_timeout: Option<String>,
    /// Log lines on standard error: text or json [text]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<String>,
    /// Address of GET /metrics for Prometheus, and of nothing else
    #[arg(long, value_name = "ADDR")]
    metrics_listen: Option<String>,
    /// OTLP/HTTP collector of traces (needs the feature opentelemetry)
    #[arg(long, value_name = "URL")]
    traces_endpoint: Option<String>,
}

impl OptionValues for ServeOptions {
    fn values(self) -> Vec<(&'static str, Option<String>)> {
        vec![
            ("auth-path", self.auth_path),
            ("data-api-path", self.data_api_path),
            ("listen", self.listen),
            ("tls-certificate", self.tls_certificate),
            ("tls-key", self.tls_key),
            ("trusted-proxies", self.trusted_proxies),
            ("school-name", self.school_name),
            ("school-logo", self.school_logo),
            ("school-accent", self.school_accent),
            ("school-support", self.school_support),
            ("time-zone", self.time_zone),
            ("sync-time", self.sync_time),
            ("class-periods", self.class_periods),
            ("api-key-limit", self.api_key_limit),
            ("bad-key-limit", self.bad_key_limit),
            ("change-limit", self.change_limit),
            ("sign-in-limit", self.sign_in_limit),
            ("authorize-limit", self.authorize_limit),
            ("leavers-kept", self.leavers_kept),
            ("history-kept", self.history_kept),
            ("drain-time", self.drain_time),
            ("stop-timeout", self.stop_timeout),
            ("log-format", self.log_format),
            ("metrics-listen", self.metrics_listen),
            ("traces-endpoint", self.traces_endpoint),
        ]
    }
}

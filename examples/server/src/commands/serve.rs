use std::io::{ErrorKind, Write};

use clap::Args;
use tokio::net::TcpListener;

use crate::BoxError;
use crate::backend::{Backend, path};
use crate::services;
use crate::settings::{
    AddressOptions, KEY_FILE, LogFormat, OptionValues, ServeOptions, ServeSettings, StoreOptions,
};
use crate::signals::stop_signal;

#[derive(Debug, Args)]
pub struct Options<O: Args> {
    /// Only print the settings in force and where each came from
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    store: StoreOptions<O>,
    #[command(flatten)]
    addresses: AddressOptions,
    #[command(flatten)]
    serve: ServeOptions,
}

/// Serves until Ctrl-C or SIGTERM.
pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<(), BoxError> {
    let given = options.addresses.values().into_iter();
    let given = given.chain(options.serve.values()).collect();
    let settings = super::settings::<B>(options.store, given)?;
    if options.check {
        print!("{}", settings.report());
    }
    let serve = ServeSettings::from_settings(&settings)?;
    settings.parse(&KEY_FILE, path)?;
    B::open(&settings, None).await?;
    if options.check {
        return Ok(());
    }
    log_to_standard_error(serve.log_format);
    let school = super::open::<B>(&settings, serve.addresses.clone()).await?;
    let limiter = B::limiter(&school.store);
    let (app, api) = services::router(&school, limiter, &serve).await?;
    let background = tokio::spawn(api.run());
    let stop = stop_signal()?;
    let listener = TcpListener::bind(serve.listen)
        .await
        .map_err(|error| format!("cannot listen on {}: {error}", serve.listen))?;
    let ready = format!(
        "ready: {} on {}\n",
        serve.addresses.console(),
        listener.local_addr()?
    );
    match std::io::stdout().write_all(ready.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            return Err(format!("cannot print the address: {error}").into());
        }
        _ => {}
    }
    lyceum::http::serve(listener, app, stop).await?;
    background.abort();
    if let Err(error) = api.flush().await {
        eprintln!("lyceum: {error}");
    }
    school.close().await
}

fn log_to_standard_error(format: LogFormat) {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
}

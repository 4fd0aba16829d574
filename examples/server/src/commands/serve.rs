use std::io::{ErrorKind, Write};
use std::time::Duration;

use axum::Router;
use clap::Args;
use lyceum::http::{Listener, Readiness, serve_with};
use sd_notify::NotifyState;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::backend::{Backend, OpenMode};
use crate::listen::{self, InheritedSockets};
use crate::services::{NeisSettings, Services, services};
use crate::settings::{
    AddressOptions, LogFormat, MailOptions, NeisOptions, OptionValues, SchoolBounds, ServeOptions,
    ServeSettings, StoreOptions,
};
use crate::signals::{Hangups, stop_signal};
#[cfg(feature = "opentelemetry")]
use crate::traces::{self, Traces};
use crate::{BoxError, metrics};

/// Time between two looks at the files of the certificate.
const CERTIFICATE_INTERVAL: Duration = Duration::from_secs(60);

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
    #[command(flatten)]
    neis: NeisOptions,
    #[command(flatten)]
    mail: MailOptions,
}

/// Serves until Ctrl-C or SIGTERM.
pub async fn run<B: Backend>(
    options: Options<B::Options>,
    sockets: InheritedSockets,
) -> Result<(), BoxError> {
    let given = options.addresses.values().into_iter();
    let given = given.chain(options.serve.values());
    let given = given.chain(options.neis.values());
    let given = given.chain(options.mail.values()).collect();
    let settings = super::settings::<B>(options.store, given)?;
    if options.check {
        print!("{}", settings.report());
    }
    let serve = ServeSettings::from_settings(&settings)?;
    super::check_master_key(&settings)?;
    SchoolBounds::from_settings(&settings)?;
    B::check_settings(&settings)?;
    if options.check {
        serve.certificates()?;
        if let Some(missing_key) = serve
            .services
            .neis
            .as_ref()
            .and_then(NeisSettings::missing_key)
        {
            eprintln!("lyceum: warning: {missing_key}");
        }
        return Ok(());
    }
    #[cfg(feature = "opentelemetry")]
    let traces = serve
        .traces_endpoint
        .as_ref()
        .map(Traces::new)
        .transpose()?;
    init_tracing(
        serve.log_format,
        #[cfg(feature = "opentelemetry")]
        traces.as_ref(),
    );
    let hangups = Hangups::new()?;
    // First, because stores, services and certificates register their metrics when they are made.
    let metrics = match serve.metrics_listen {
        Some(address) => Some((listen::bind(address).await?, metrics::metrics()?)),
        None => None,
    };
    let certificates = serve.certificates()?;
    if let Some(certificates) = &certificates
        && !certificates.is_chain_complete()
    {
        tracing::warn!(
            "tls-certificate lacks the certificate that signed the first one: many clients will not trust it"
        );
    }
    let school = super::open::<B>(&settings, OpenMode::Serve, serve.addresses.clone()).await?;
    let limiter = B::limiter(&school.store);
    let readiness = Readiness::new();
    let Services {
        app,
        api,
        auth,
        directory,
        sync,
        management,
    } = services(&school, limiter, &serve.services, readiness.clone()).await?;
    #[cfg(feature = "opentelemetry")]
    let app = match &traces {
        Some(_) => traces::continue_traces(app, &serve.services.proxies),
        None => app,
    };
    let stop = stop_signal()?;
    let listeners = serve.listen.open(sockets).await?;
    announce(&serve, certificates.is_some(), &listeners, &metrics)?;
    // Not earlier: a task that a failed start aborts would log that its connection is gone.
    let mut background = JoinSet::new();
    background.spawn(school.remove_old_history(directory.clone(), serve.history));
    background.spawn(directory.keep_fresh(tokio::time::sleep));
    background.spawn(api.run(tokio::time::sleep));
    background.spawn(auth.run(tokio::time::sleep));
    if let Some(sync) = sync {
        background.spawn(sync.run());
    }
    background.spawn(management.reconcile_leavers_hourly(tokio::time::sleep));
    if let Some((listener, page)) = metrics {
        tokio::spawn(lyceum::http::serve(listener, page, std::future::pending()));
    }
    let listeners = listeners.into_iter().map(|(_, listener)| listener);
    let listeners: Vec<Listener> = match certificates {
        Some(certificates) => {
            let pause = move |time| hangups.clone().sleep(time);
            tokio::spawn(certificates.watch(CERTIFICATE_INTERVAL, pause));
            let with_tls = |listener: Listener| listener.with_tls(certificates.clone());
            listeners.map(with_tls).collect()
        }
        None => listeners.collect(),
    };
    notify(NotifyState::Ready);
    let stop = async move {
        stop.await;
        notify(NotifyState::Stopping);
    };
    let stop = readiness.drain(stop, serve.drain_time);
    serve_all(listeners, app, serve.stop_timeout, stop).await?;
    background.shutdown().await;
    for flushed in [api.flush().await, auth.flush().await] {
        if let Err(error) = flushed {
            eprintln!("lyceum: {error}");
        }
    }
    let closed = school.close().await;
    #[cfg(feature = "opentelemetry")]
    if let Some(traces) = traces
        && let Err(error) = traces.close().await
    {
        eprintln!("lyceum: the last traces were not sent: {error}");
    }
    closed
}

/// Prints the addresses.
fn announce(
    settings: &ServeSettings,
    has_tls: bool,
    listeners: &[(String, Listener)],
    metrics: &Option<(TcpListener, Router)>,
) -> Result<(), BoxError> {
    let tls = if has_tls { " with TLS" } else { "" };
    let addresses: Vec<&str> = listeners.iter().map(|(address, _)| &**address).collect();
    let (console, addresses) = (settings.addresses.console(), addresses.join(", "));
    let mut lines = format!("ready: {console}{tls} on {addresses}\n");
    if let Some((listener, _)) = metrics {
        lines += &format!("metrics: http://{}/metrics\n", listener.local_addr()?);
    }
    match std::io::stdout().write_all(lines.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot print the address: {error}").into())
        }
        _ => Ok(()),
    }
}

/// Serves on all listeners until `stop` completes, and then for the requests in flight.
async fn serve_all(
    listeners: Vec<Listener>,
    app: Router,
    stop_timeout: Duration,
    stop: impl Future<Output = ()>,
) -> Result<(), BoxError> {
    let options = lyceum::http::ServeOptions::default().shutdown_timeout(stop_timeout);
    let (stopping, stopped) = watch::channel(());
    let mut serving = JoinSet::new();
    for listener in listeners {
        let mut stopped = stopped.clone();
        serving.spawn(serve_with(listener, app.clone(), options, async move {
            // It fails when the sender is dropped.
            let _ = stopped.changed().await;
        }));
    }
    stop.await;
    drop(stopping);
    while let Some(served) = serving.join_next().await {
        served??;
    }
    Ok(())
}

/// Tells systemd, if it has started this program and wants to know (`Type=notify`).
fn notify(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "systemd was not notified");
    }
}

/// Writes log lines to standard error, and the spans of requests to the collector.
fn init_tracing(format: LogFormat, #[cfg(feature = "opentelemetry")] traces: Option<&Traces>) {
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines = match format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    let log = tracing_subscriber::registry().with(lines.with_filter(LevelFilter::INFO));
    #[cfg(feature = "opentelemetry")]
    let log = log.with(traces.map(Traces::layer));
    log.init();
}

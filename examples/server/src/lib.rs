//! The programs `sqlite` and `postgres`: without a command a demo, and with the commands `init` and
//! `serve` the server of a school.

mod backend;
mod commands;
mod demo;
mod leavers;
mod listen;
mod master_key_file;
mod metrics;
mod private_file;
mod progress;
mod services;
mod settings;
mod signals;
mod smtp;
#[cfg(feature = "opentelemetry")]
mod traces;

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

pub use backend::Backend;
#[cfg(feature = "postgres")]
pub use backend::Postgres;
#[cfg(feature = "sqlite")]
pub use backend::Sqlite;
use commands::Cli;
use listen::InheritedSockets;
use lyceum::crypto::{Entropy, SystemEntropy};
use tokio::runtime::Runtime;

type BoxError = Box<dyn Error>;

/// Runs the command of the command line, or the demo if there is none. Prints an error as one line.
pub fn run<B: Backend>() -> ExitCode {
    let sockets = InheritedSockets::take();
    let outcome = Runtime::new()
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(run_command_line::<B>(sockets)));
    match outcome {
        Ok(status) => status,
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lyceum: {}", with_causes(&*error));
            ExitCode::FAILURE
        }
    }
}

/// Whether the reader of standard output has gone, such as `head`.
fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let error: Option<&io::Error> = error.downcast_ref();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The error and its causes, in one line. An error that names its cause already does so once.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(found) = cause {
        let reason = found.to_string();
        if !text.contains(&reason) {
            text = format!("{text}: {reason}");
        }
        cause = found.source();
    }
    text.lines().collect::<Vec<_>>().join(" ")
}

async fn run_command_line<B: Backend>(sockets: InheritedSockets) -> Result<ExitCode, BoxError> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.get(1).is_some_and(|first| first == "--version") {
        writeln!(io::stdout(), "lyceum {}", lyceum::VERSION)?;
        return Ok(ExitCode::SUCCESS);
    }
    let cli = Cli::<B::Options>::command().bin_name(program_name::<B>());
    let is_command = arguments.get(1).and_then(|first| first.to_str());
    let is_command =
        is_command.is_some_and(|first| first == "help" || cli.find_subcommand(first).is_some());
    if !is_command {
        B::demo().await?;
        return Ok(ExitCode::SUCCESS);
    }
    match cli.try_get_matches_from(arguments) {
        Ok(matches) => {
            let command = Cli::from_arg_matches(&matches)?.command;
            commands::run::<B>(command, sockets).await
        }
        Err(error) if error.use_stderr() => Err(commands::usage_error(&error)),
        // Help is output, not an error.
        Err(help) => {
            help.print()?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The name by which the program was started: it may be installed under another one than its own.
fn program_name<B: Backend>() -> String {
    let path = std::env::args_os().next().map(PathBuf::from);
    let name = path.as_deref().and_then(Path::file_name);
    name.and_then(OsStr::to_str)
        .unwrap_or(B::PROGRAM)
        .to_owned()
}

/// Random bytes, as constructors of ids and secrets take them.
fn random<const N: usize>() -> [u8; N] {
    let entropy: &dyn Entropy = &SystemEntropy;
    entropy.bytes()
}

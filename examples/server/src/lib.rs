//! The programs `sqlite` and `postgres`: without a command a demo, and with the commands `init` and
//! `serve` the server of a school.

mod backend;
mod commands;
mod demo;
mod master_key_file;
mod private_file;
mod services;
mod settings;
mod signals;

use std::error::Error;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

pub use backend::{Backend, Postgres, Sqlite};
use commands::Cli;
use lyceum::crypto::{Entropy, SystemEntropy};

type BoxError = Box<dyn Error>;

/// Runs the command of the command line, or the demo if there is none. Prints an error as one line.
pub async fn run<B: Backend>() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let cli = Cli::<B::Options>::command().name(B::PROGRAM);
    let is_command = arguments.get(1).and_then(|first| first.to_str());
    let is_command =
        is_command.is_some_and(|first| first == "help" || cli.find_subcommand(first).is_some());
    let outcome = if is_command {
        match cli.try_get_matches_from(arguments) {
            Ok(matches) => run_command::<B>(&matches).await,
            Err(error) if error.use_stderr() => Err(commands::usage_error(&error)),
            // Help is output, not an error.
            Err(help) => help.print().map(|()| ExitCode::SUCCESS).map_err(Into::into),
        }
    } else {
        B::demo().await.map(|()| ExitCode::SUCCESS)
    };
    match outcome {
        Ok(status) => status,
        Err(error) => {
            eprintln!("lyceum: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Random bytes, as constructors of ids and secrets take them.
fn random<const N: usize>() -> [u8; N] {
    let entropy: &dyn Entropy = &SystemEntropy;
    entropy.bytes()
}

async fn run_command<B: Backend>(matches: &clap::ArgMatches) -> Result<ExitCode, BoxError> {
    commands::run::<B>(Cli::from_arg_matches(matches)?.command).await
}

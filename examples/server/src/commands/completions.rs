use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
use crate::BoxError;
use crate::backend::Backend;

#[derive(Debug, Args)]
pub struct Options {
    /// The shell
    shell: Shell,
}

/// Prints completions for the name by which this program was started.
pub fn run<B: Backend>(options: &Options) -> Result<(), BoxError> {
    let mut command = Cli::<B::Options>::command();
    let mut script = Vec::new();
    let name = crate::program_name::<B>();
    clap_complete::generate(options.shell, &mut command, name, &mut script);
    Ok(std::io::Write::write_all(&mut std::io::stdout(), &script)?)
}

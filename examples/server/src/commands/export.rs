use std::io::Write;

use clap::Args;
use lyceum::domain::RecordKind;
use lyceum::import::{Export, FileFormat};

use super::open_without_addresses;
use crate::BoxError;
use crate::backend::Backend;
use crate::services::School;
use crate::settings::StoreOptions;

#[derive(Debug, Args)]
pub struct Options<O: Args> {
    /// students, clubs or projects
    kind: RecordKind,
    /// csv or json
    #[arg(long, default_value = "csv")]
    format: FileFormat,
    /// Korean headings in CSV
    #[arg(long)]
    korean_headings: bool,
    /// Begin CSV with a byte-order mark, for spreadsheet programs that need one
    #[arg(long)]
    bom: bool,
    #[command(flatten)]
    store: StoreOptions<O>,
}

/// Prints all records of a kind as a file that `import` reads.
pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<(), BoxError> {
    let mut export = Export::new(options.kind).format(options.format);
    if options.korean_headings {
        export = export.korean_headings();
    }
    if options.bom {
        export = export.byte_order_mark();
    }
    if options.format == FileFormat::Json && (options.korean_headings || options.bom) {
        return Err("--korean-headings and --bom are for CSV".into());
    }
    let school = open_without_addresses::<B>(options.store).await?;
    let outcome = print(&school, export).await;
    school.close().await?;
    outcome
}

async fn print(school: &School, export: Export) -> Result<(), BoxError> {
    let directory = school.directory().await?;
    let file = export.write(&directory).await?;
    Ok(std::io::stdout().write_all(&file)?)
}

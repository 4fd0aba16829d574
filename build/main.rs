//! Compiles the texts of the pages: `texts/*.ftl` become Rust code, which `http::pages::texts`
//! includes.

mod texts;

use std::error::Error;
use std::fs;
use std::path::Path;

/// The language that is the reference for the others, and the default of the pages.
const REFERENCE: &str = "en";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=texts");
    let mut catalogues = Vec::new();
    for entry in fs::read_dir("texts")? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "ftl")
            && let Some(language) = path.file_stem()
        {
            let language = language.to_string_lossy().into_owned();
            catalogues.push((language, fs::read_to_string(&path)?));
        }
    }
    catalogues.sort_by_key(|(language, _)| (language != REFERENCE, language.clone()));
    match texts::generate(&catalogues) {
        Ok(code) => {
            // Cargo passes the folder in the environment only.
            #[expect(clippy::disallowed_methods)]
            let folder = std::env::var("OUT_DIR")?;
            fs::write(Path::new(&folder).join("texts.rs"), code)?;
        }
        Err(faults) => faults
            .iter()
            .for_each(|fault| println!("cargo::error={fault}")),
    }
    Ok(())
}

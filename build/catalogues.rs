use std::error::Error;
use std::fs;
use std::path::Path;

use super::texts;

/// The language that is the reference for the others, and the default of the pages.
const REFERENCE: &str = "en";

/// Writes the code of all catalogues, or reports what is wrong with them.
pub(super) fn compile() -> Result<(), Box<dyn Error>> {
    let mut catalogues = Vec::new();
    for entry in fs::read_dir("src/texts")? {
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

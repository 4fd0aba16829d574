//! Compiles the texts of the pages: `src/texts/*.ftl` become Rust code, which `http::pages::texts`
//! includes. Only the authorization service and the console have pages.

#[cfg(feature = "auth-server")]
mod catalogues;
#[cfg(feature = "auth-server")]
mod texts;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=src/texts");
    #[cfg(feature = "auth-server")]
    catalogues::compile()?;
    Ok(())
}

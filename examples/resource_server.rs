//! A resource server that accepts the tokens of a running authorization service, such as that of
//! `--example sqlite`, which prints the id of its application.
//!
//! ```sh
//! cargo run --example resource_server -- --issuer http://127.0.0.1:8080 --application 7d444840-9dc0-41d1-b245-5ffdce74fad2
//! ```

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use axum::routing::get;
use axum::{Extension, Router};
use bytes::Bytes;
use http::Uri;
use http_body_util::{BodyExt, Full, Limited};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use lexopt::ValueExt;
use lyceum::Guard;
use lyceum::domain::ApplicationId;
use lyceum::http::ProtectedResource;
use lyceum::http::guard::{BoxError, CachedKeys, Caller};

const URL: &str = "http://127.0.0.1:3001";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .init();
    let (mut issuer, mut application) = ("http://127.0.0.1:8080".to_owned(), None);
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            lexopt::Arg::Long("issuer") => issuer = arguments.value()?.string()?,
            lexopt::Arg::Long("application") => {
                application = Some(arguments.value()?.parse::<ApplicationId>()?)
            }
            other => return Err(other.unexpected().into()),
        }
    }

    let application = application
        .ok_or("--application takes the id of the application that tokens are to be for")?;

    let key_set: Uri = format!("{issuer}/v1/oauth/jwk-set").parse()?;
    // Across a network the issuer has an https URL. The HTTP client then needs an HTTPS connector,
    // such as that of hyper-rustls.
    let client = Client::builder(TokioExecutor::new()).build_http();
    let keys = CachedKeys::new(move || fetch(client.clone(), key_set.clone()));
    let resource = ProtectedResource::new(URL, &issuer)?;
    let guard = Guard::builder(&issuer, application, Arc::new(keys))
        .protected_resource(&resource)
        .build()?;

    let app = Router::new()
        .route(
            "/whoami",
            get(async |Extension(caller): Extension<Caller>| whoami(&caller)),
        )
        .layer(guard)
        .route_service(&resource.path(), resource);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3001").await?;
    println!("curl -i -H 'Authorization: Bearer …' {URL}/whoami");
    axum::serve(listener, app).await?;
    Ok(())
}

fn whoami(caller: &Caller) -> String {
    let scopes: Vec<String> = caller.scopes.iter().map(ToString::to_string).collect();
    format!("{} with {}\n", caller.subject, scopes.join(", "))
}

/// Fetches the key set, within five seconds and 64 KiB.
async fn fetch(
    client: Client<HttpConnector, Full<Bytes>>,
    address: Uri,
) -> Result<Bytes, BoxError> {
    let answer = async {
        let response = client.get(address).await?;
        if response.status() != 200 {
            return Err(format!("the key set was answered with {}", response.status()).into());
        }
        Ok(Limited::new(response.into_body(), 64 * 1024)
            .collect()
            .await?
            .to_bytes())
    };
    tokio::time::timeout(Duration::from_secs(5), answer).await?
}

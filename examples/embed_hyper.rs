//! The data API on plain hyper, with a store chosen at run time.

use std::error::Error;
use std::sync::Arc;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use lyceum::DataApi;
use lyceum::directory::Directory;
use lyceum::store::Storage;
use lyceum::store::memory::MemoryStore;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .init();
    let storage: Arc<dyn Storage> = Arc::new(MemoryStore::new());
    let directory = Directory::open(storage.clone()).await?;
    let api: DataApi = DataApi::builder(directory, storage).build()?;

    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    println!("http://127.0.0.1:3000/v1/health");
    loop {
        let (stream, _) = listener.accept().await?;
        let service = TowerToHyperService::new(api.clone());
        tokio::spawn(async move {
            if let Err(error) = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await
            {
                eprintln!("a connection ended badly: {error}");
            }
        });
    }
}

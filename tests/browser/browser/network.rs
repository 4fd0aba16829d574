//! What a browser has received.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Browser, TIMEOUT};

impl Browser {
    /// Status of the response with the page.
    pub async fn status(&self) -> u64 {
        let script = "return performance.getEntriesByType('navigation')[0].responseStatus";
        self.run(script, json!([])).await.as_u64().unwrap()
    }

    /// Clicks on the download of a CSV file and returns its text.
    pub async fn download(&self, selector: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let allowed = json!({ "behavior": "allow", "downloadPath": folder.path() });
        self.devtools("Browser.setDownloadBehavior", allowed).await;
        self.click(selector).await;
        let downloaded = async || {
            let files = fs::read_dir(folder.path()).unwrap();
            let mut files = files.map(|file| file.unwrap().path());
            // Until it is whole, the file has another extension.
            let is_whole = |file: &PathBuf| file.extension() == Some("csv".as_ref());
            let text = fs::read_to_string(files.find(is_whole)?).unwrap();
            (!text.is_empty()).then_some(text)
        };
        let text = self.wait_until(downloaded, selector).await;
        self.devtools(
            "Browser.setDownloadBehavior",
            json!({ "behavior": "default" }),
        )
        .await;
        text
    }

    /// Empties the cache.
    pub async fn clear_cache(&self) {
        self.devtools("Network.clearBrowserCache", json!({})).await;
    }

    /// Waits until every request has its response. Returns the URLs of the responses since the last
    /// call and their bytes, with headers and as they were compressed. `data:` URLs have no response.
    pub async fn transferred(&self) -> Vec<(String, u64)> {
        let (mut urls, mut received) = (HashMap::new(), Vec::new());
        let deadline = tokio::time::Instant::now() + TIMEOUT;
        loop {
            let entries = self
                .session
                .post("/se/log", json!({ "type": "performance" }))
                .await
                .unwrap();
            for entry in entries.as_array().unwrap() {
                let entry: Value =
                    serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
                let (event, parameters) = (&entry["message"], &entry["message"]["params"]);
                let request = parameters["requestId"].to_string();
                match event["method"].as_str() {
                    Some("Network.requestWillBeSent") => {
                        let url = parameters["request"]["url"].as_str().unwrap().to_owned();
                        urls.insert(request, url);
                    }
                    Some("Network.loadingFinished") => {
                        let bytes = parameters["encodedDataLength"].as_f64().unwrap() as u64;
                        let url = urls.remove(&request).unwrap_or_default();
                        if !url.starts_with("data:") {
                            received.push((url, bytes));
                        }
                    }
                    Some("Network.loadingFailed") => drop(urls.remove(&request)),
                    _ => {}
                }
            }
            if urls.is_empty() {
                return received;
            }
            assert!(
                tokio::time::Instant::now() < deadline,
                "no response from {urls:?}"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

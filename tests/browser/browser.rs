//! A browser as people have it, with what it complained of.

use std::fmt::Debug;
use std::sync::Mutex;
use std::time::Duration;

use base64ct::{Base64, Encoding};
use serde_json::{Value, json};

use crate::driver::Session;

/// Longer than any page takes, so that one that never comes fails its test.
const PATIENCE: Duration = Duration::from_secs(30);

/// The name under which WebDriver hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// In every page before its own scripts: notes what the page's policy stopped, and what a script did that should not be there.
const WATCH: &str = "window.stopped = [];
    document.addEventListener('securitypolicyviolation', event => stopped.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
    window.alert = window.confirm = window.prompt = text => { window.wasRun = `a dialog: ${text}`; };";

/// How somebody looks at pages.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// As in `Accept-Language`.
    pub language: &'static str,
    pub is_dark: bool,
    pub width: u32,
    pub height: u32,
}

impl Look {
    pub const WIDE: Self = Self { language: "en", is_dark: false, width: 1280, height: 800 };
    pub const PHONE: Self = Self { language: "ko", is_dark: false, width: 320, height: 640 };
}

/// A window of a browser with no cookies, history or cache. Each test [`close`](Self::close)s it, which looks at what it complained of.
pub struct Browser {
    id: String,
    session: Session,
    runs_scripts: bool,
    is_closed: bool,
}

/// Browsers that a test is done with, with and without scripts: starting one takes a second.
static IDLE: [Mutex<Vec<String>>; 2] = [Mutex::new(Vec::new()), Mutex::new(Vec::new())];

impl Browser {
    pub async fn open() -> Self {
        Self::new(true, Look::WIDE).await
    }

    /// One whose user has turned scripts off.
    pub async fn without_scripts() -> Self {
        Self::new(false, Look::WIDE).await
    }

    pub async fn looking(look: Look) -> Self {
        Self::new(true, look).await
    }

    async fn new(runs_scripts: bool, look: Look) -> Self {
        let idle = IDLE[usize::from(runs_scripts)].lock().unwrap().pop();
        let is_new = idle.is_none();
        let id = match idle {
            Some(id) => id,
            None => Session::open(capabilities(runs_scripts)).await,
        };
        let browser = Self { session: Session::of(&id), id, runs_scripts, is_closed: false };
        if is_new {
            browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await;
        }
        // Without a screen no window is in front, so that keys could go nowhere.
        browser.devtools("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await;
        browser.forget().await;
        browser.devtools("Network.clearBrowserCache", json!({})).await;
        browser.look(look).await;
        browser
    }

    /// From now on looks at pages so.
    pub async fn look(&self, look: Look) {
        let agent = self.devtools("Browser.getVersion", json!({})).await["userAgent"].take();
        self.devtools("Emulation.setUserAgentOverride", json!({ "userAgent": agent, "acceptLanguage": look.language })).await;
        let is_phone = look.width < 600;
        let size = json!({ "width": look.width, "height": look.height, "deviceScaleFactor": 1, "mobile": is_phone });
        self.devtools("Emulation.setDeviceMetricsOverride", size).await;
        let scheme = if look.is_dark { "dark" } else { "light" };
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] })).await;
    }

    /// Fails on what the browser complained of since it was opened: a policy that stopped something, a script that failed. Answers that are
    /// errors are complained of too, and meant.
    pub async fn close(mut self) {
        self.is_closed = true;
        let complaints = self.complaints().await;
        assert!(complaints.is_empty(), "at {}, the browser complains: {complaints:#?}", self.address().await);
        self.session.post("/url", json!({ "url": "about:blank" })).await.unwrap();
        IDLE[usize::from(self.runs_scripts)].lock().unwrap().push(self.id.clone());
    }

    /// What the browser complained of since it was last asked.
    pub async fn complaints(&self) -> Vec<String> {
        let entries = self.session.post("/se/log", json!({ "type": "browser" })).await.unwrap();
        let is_complaint = |entry: &&Value| entry["source"] != "network" || !entry["message"].as_str().unwrap().contains(" a status of 4");
        entries.as_array().unwrap().iter().filter(is_complaint).map(|entry| entry["message"].to_string()).collect()
    }

    /// Opens an address.
    pub async fn go(&self, url: &str) {
        self.session.post("/url", json!({ "url": url })).await.unwrap_or_else(|error| panic!("{url}: {error}"));
    }

    /// Goes back to the page before.
    pub async fn back(&self) {
        self.session.post("/back", json!({})).await.unwrap();
    }

    /// Loses its cookies, as if it were another.
    pub async fn forget(&self) {
        self.devtools("Network.clearBrowserCookies", json!({})).await;
    }

    /// Where the browser is.
    pub async fn address(&self) -> String {
        self.session.get("/url").await.unwrap().as_str().unwrap().to_owned()
    }

    pub async fn title(&self) -> String {
        self.session.get("/title").await.unwrap().as_str().unwrap().to_owned()
    }

    /// What the page says, as it is seen.
    pub async fn says(&self) -> String {
        self.text("body").await
    }

    /// The text of the first element of a selector, as it is seen.
    pub async fn text(&self, selector: &str) -> String {
        self.of_element(selector, "text").await.as_str().unwrap().to_owned()
    }

    /// A property of the first element of a selector.
    pub async fn property(&self, selector: &str, name: &str) -> Value {
        self.of_element(selector, &format!("property/{name}")).await
    }

    pub async fn has(&self, selector: &str) -> bool {
        self.session.post("/element", css(selector)).await.is_ok()
    }

    /// Presses the first element of a selector, and waits for the page that comes of it, if one does.
    pub async fn click(&self, selector: &str) {
        self.is_painted().await;
        let element = self.element(selector).await;
        let clicked = self.session.post(&format!("/element/{element}/click"), json!({})).await;
        clicked.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Presses it twice, as fast as people do who press everything twice.
    pub async fn double_click(&self, selector: &str) {
        self.is_painted().await;
        let element = json!({ ELEMENT: self.element(selector).await });
        let press = [json!({ "type": "pointerDown", "button": 0 }), json!({ "type": "pointerUp", "button": 0 })];
        let aim = json!({ "type": "pointerMove", "x": 0, "y": 0, "duration": 0, "origin": element });
        let actions: Vec<&Value> = [&aim].into_iter().chain(&press).chain(&press).collect();
        let pointer = json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions });
        self.session.post("/actions", json!({ "actions": [pointer] })).await.unwrap();
    }

    /// Types into a field, in the place of what is in it.
    pub async fn fill(&self, selector: &str, text: &str) {
        let element = self.element(selector).await;
        self.session.post(&format!("/element/{element}/clear"), json!({})).await.unwrap_or_else(|error| panic!("{selector}: {error}"));
        let typed = self.session.post(&format!("/element/{element}/value"), json!({ "text": text })).await;
        typed.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Presses keys one after the other, wherever the focus is.
    pub async fn press(&self, keys: &str) {
        self.is_painted().await;
        let keys = keys.chars().flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key })));
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": keys.collect::<Vec<_>>() });
        self.session.post("/actions", json!({ "actions": [keyboard] })).await.unwrap();
    }

    /// What a script gives, run in the page as its own would be.
    pub async fn run(&self, script: &str, arguments: Value) -> Value {
        let ran = self.session.post("/execute/sync", json!({ "script": script, "args": arguments })).await;
        ran.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// What a script that takes its time gives to its last argument.
    pub async fn run_long(&self, script: &str, arguments: Value) -> Value {
        let ran = self.session.post("/execute/async", json!({ "script": script, "args": arguments })).await;
        ran.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until the browser is at an address that begins so, and gives it.
    pub async fn arrives(&self, beginning: &str) -> String {
        self.waits(async || Some(self.address().await).filter(|address| address.starts_with(beginning)), beginning).await
    }

    /// Waits until the page has an element.
    pub async fn waits_for(&self, selector: &str) {
        self.waits(async || self.has(selector).await.then_some(()), selector).await;
    }

    /// Waits until the page says something.
    pub async fn waits_to_say(&self, text: &str) {
        self.waits(
            async || self.run("return document.body?.innerText ?? ''", json!([])).await.as_str()?.contains(text).then_some(()),
            text,
        )
        .await;
    }

    /// A picture of the window, as WebP.
    pub async fn picture(&self) -> Vec<u8> {
        let taken = self.devtools("Page.captureScreenshot", json!({ "format": "webp", "quality": 85 })).await;
        Base64::decode_vec(taken["data"].as_str().unwrap()).unwrap()
    }

    /// A command of Chromium's own, for what WebDriver does not have.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        let done = self.session.post("/goog/cdp/execute", json!({ "cmd": command, "params": parameters })).await;
        done.unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// Waits until the page has been painted: the browser throws away what is pressed before that.
    async fn is_painted(&self) {
        let script = "return document.readyState === 'complete' && performance.getEntriesByType('paint').length > 0";
        self.waits(async || self.run(script, json!([])).await.as_bool()?.then_some(()), "a page that is painted").await;
    }

    async fn waits<T>(&self, condition: impl AsyncFn() -> Option<T>, wanted: impl Debug) -> T {
        let found = async {
            loop {
                if let Some(found) = condition().await {
                    return found;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        match tokio::time::timeout(PATIENCE, found).await {
            Ok(found) => found,
            Err(_) => {
                let said = self.run("return document.body?.innerText ?? ''", json!([])).await;
                panic!("waited for {wanted:?} in vain, at {}: {said}", self.address().await)
            }
        }
    }

    async fn of_element(&self, selector: &str, what: &str) -> Value {
        let element = self.element(selector).await;
        self.session.get(&format!("/element/{element}/{what}")).await.unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    async fn element(&self, selector: &str) -> String {
        // The driver may be done with the page before when it says that it is done with this one.
        let found = self.waits(async || self.session.post("/element", css(selector)).await.ok(), selector).await;
        found[ELEMENT].as_str().unwrap().to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        assert!(self.is_closed || std::thread::panicking(), "nobody asked what the browser complained of");
    }
}

fn css(selector: &str) -> Value {
    json!({ "using": "css selector", "value": selector })
}

/// A browser that talks to this machine alone, whatever it would like to look up.
fn capabilities(runs_scripts: bool) -> Value {
    let arguments = [
        "--headless",
        // Containers run as root, which the sandbox does not.
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--no-first-run",
        "--no-proxy-server",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-features=Translate,OptimizationHints,MediaRouter",
    ];
    let scripts = if runs_scripts { json!({}) } else { json!({ "profile.managed_default_content_settings.javascript": 2 }) };
    json!({
        "browserName": "chrome",
        "unhandledPromptBehavior": "ignore",
        "goog:loggingPrefs": { "browser": "ALL" },
        "goog:chromeOptions": { "args": arguments, "prefs": scripts },
    })
}

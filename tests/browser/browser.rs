//! A browser window driven by the tests, with its console errors.

mod network;

use std::fmt::Debug;
use std::sync::Mutex;
use std::time::Duration;

use base64ct::{Base64, Encoding};
use serde_json::{Value, json};

use crate::accessibility::axe_loader;
use crate::driver::Session;

/// Longer than any page takes, so that a missing page fails its test.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Key of an element reference in WebDriver.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Runs in every page before its own scripts. Records violations of the page's policy and traces of
/// injected scripts.
const OBSERVER_SCRIPT: &str = "window.stopped = [];
    document.addEventListener('securitypolicyviolation', event => stopped.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
    window.alert = window.confirm = window.prompt = text => { window.wasRun = `a dialog: ${text}`; };";

/// Settings with which a user views pages.
#[derive(Debug, Clone, Copy)]
pub struct Display {
    /// Value of `Accept-Language`.
    pub language: &'static str,
    pub is_dark: bool,
    pub width: u32,
    pub height: u32,
}

impl Display {
    pub const WIDE: Self = Self {
        language: "en",
        is_dark: false,
        width: 1280,
        height: 800,
    };
    pub const KOREAN: Self = Self {
        language: "ko",
        ..Self::WIDE
    };
    /// The narrowest phone.
    pub const PHONE: Self = Self {
        language: "ko",
        is_dark: false,
        width: 320,
        height: 640,
    };
    /// A phone as most people have it.
    pub const USUAL_PHONE: Self = Self {
        width: 390,
        height: 844,
        ..Self::PHONE
    };
}

/// A browser window without cookies, history or cache. Each test [`close`](Self::close)s its
/// window, which checks the console errors.
pub struct Browser {
    id: String,
    session: Session,
    logs_network: bool,
    is_closed: bool,
}

/// Unused browsers without and with a log of the network. They are reused because starting one
/// takes a second.
static IDLE: [Mutex<Vec<String>>; 2] = [Mutex::new(Vec::new()), Mutex::new(Vec::new())];

impl Browser {
    pub async fn open() -> Self {
        Self::with_display(Display::WIDE).await
    }

    /// A window with JavaScript disabled.
    pub async fn without_scripts() -> Self {
        let browser = Self::open().await;
        browser.disable_scripts(true).await;
        browser
    }

    pub async fn with_display(display: Display) -> Self {
        Self::new(false, display).await
    }

    /// A window that counts the [transferred bytes](Self::transferred).
    pub async fn with_network_log(display: Display) -> Self {
        Self::new(true, display).await
    }

    async fn new(logs_network: bool, display: Display) -> Self {
        let idle = IDLE[usize::from(logs_network)].lock().unwrap().pop();
        let is_new = idle.is_none();
        let id = match idle {
            Some(id) => id,
            None => Session::open(capabilities(logs_network)).await,
        };
        let browser = Self {
            session: Session::from_id(&id),
            id,
            logs_network,
            is_closed: false,
        };
        if is_new {
            browser.run_in_every_page(OBSERVER_SCRIPT).await;
        }
        if is_new && !logs_network {
            browser.run_in_every_page(&axe_loader()).await;
        }
        // Without a screen no window has the focus, so key presses could get lost.
        browser
            .devtools(
                "Emulation.setFocusEmulationEnabled",
                json!({ "enabled": true }),
            )
            .await;
        browser.clear_cookies().await;
        browser.clear_cache().await;
        browser.disable_scripts(false).await;
        browser.set_display(display).await;
        browser
    }

    /// Runs a script in each page from the next one on, before the scripts of the page.
    async fn run_in_every_page(&self, script: &str) {
        self.devtools(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": script }),
        )
        .await;
    }

    /// Disables the scripts of pages from the next one on, or enables them. [`run`](Self::run) works
    /// nevertheless.
    pub async fn disable_scripts(&self, is_disabled: bool) {
        self.devtools(
            "Emulation.setScriptExecutionDisabled",
            json!({ "value": is_disabled }),
        )
        .await;
    }

    /// Changes the display settings.
    pub async fn set_display(&self, display: Display) {
        let agent = self.devtools("Browser.getVersion", json!({})).await["userAgent"].take();
        self.devtools(
            "Emulation.setUserAgentOverride",
            json!({ "userAgent": agent, "acceptLanguage": display.language }),
        )
        .await;
        let is_phone = display.width < 600;
        let size = json!({ "width": display.width, "height": display.height, "deviceScaleFactor": 1, "mobile": is_phone });
        self.devtools("Emulation.setDeviceMetricsOverride", size)
            .await;
        let scheme = if display.is_dark { "dark" } else { "light" };
        self.devtools(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
        )
        .await;
    }

    pub async fn hide_scrollbars(&self, is_hidden: bool) {
        self.devtools(
            "Emulation.setScrollbarsHidden",
            json!({ "hidden": is_hidden }),
        )
        .await;
    }

    /// Fails if the browser reported an error since it was opened, such as a policy violation or a
    /// failed script. Expected error responses are ignored.
    pub async fn close(mut self) {
        self.is_closed = true;
        let console_errors = self.console_errors().await;
        assert!(
            console_errors.is_empty(),
            "at {}, the browser complains: {console_errors:#?}",
            self.address().await
        );
        self.session
            .post("/url", json!({ "url": "about:blank" }))
            .await
            .unwrap();
        IDLE[usize::from(self.logs_network)]
            .lock()
            .unwrap()
            .push(self.id.clone());
    }

    /// Console errors since the last call.
    pub async fn console_errors(&self) -> Vec<String> {
        let entries = self
            .session
            .post("/se/log", json!({ "type": "browser" }))
            .await
            .unwrap();
        let is_complaint = |entry: &&Value| {
            entry["source"] != "network"
                || !entry["message"]
                    .as_str()
                    .unwrap()
                    .contains(" a status of 4")
        };
        entries
            .as_array()
            .unwrap()
            .iter()
            .filter(is_complaint)
            .map(|entry| entry["message"].to_string())
            .collect()
    }

    /// Opens a URL.
    pub async fn go(&self, url: &str) {
        self.session
            .post("/url", json!({ "url": url }))
            .await
            .unwrap_or_else(|error| panic!("{url}: {error}"));
    }

    /// Goes back to the previous page.
    pub async fn back(&self) {
        self.session.post("/back", json!({})).await.unwrap();
    }

    /// Requests the page again.
    pub async fn refresh(&self) {
        self.session.post("/refresh", json!({})).await.unwrap();
    }

    /// Deletes all cookies.
    pub async fn clear_cookies(&self) {
        self.devtools("Network.clearBrowserCookies", json!({}))
            .await;
    }

    /// The current URL.
    pub async fn address(&self) -> String {
        self.session
            .get("/url")
            .await
            .unwrap()
            .as_str()
            .unwrap()
            .to_owned()
    }

    pub async fn title(&self) -> String {
        self.session
            .get("/title")
            .await
            .unwrap()
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Visible text of the page.
    pub async fn visible_text(&self) -> String {
        self.text("body").await
    }

    /// Visible text of the first element that matches.
    pub async fn text(&self, selector: &str) -> String {
        self.element_property(selector, "text")
            .await
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// A property of the first element that matches.
    pub async fn property(&self, selector: &str, name: &str) -> Value {
        self.element_property(selector, &format!("property/{name}"))
            .await
    }

    pub async fn has(&self, selector: &str) -> bool {
        self.session.post("/element", css(selector)).await.is_ok()
    }

    /// Clicks the first element that matches, and waits for the resulting page, if any.
    pub async fn click(&self, selector: &str) {
        self.is_painted().await;
        let element = self.element(selector).await;
        let path = format!("/element/{element}/click");
        let mut clicked = self.session.post(&path, json!({})).await;
        // The driver does not scroll to what is in the window but below the bar at its bottom.
        let is_covered = |error: &Value| error.to_string().contains("element click intercepted");
        if clicked.as_ref().is_err_and(is_covered) {
            self.run(
                "arguments[0].scrollIntoView({ block: 'center' })",
                json!([{ ELEMENT: element }]),
            )
            .await;
            clicked = self.session.post(&path, json!({})).await;
        }
        clicked.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Presses a button by the script of its element, for one that moves while the page is painted.
    pub async fn press_button(&self, selector: &str) {
        let element = self.element(selector).await;
        self.run("arguments[0].click()", json!([{ ELEMENT: element }]))
            .await;
    }

    /// Clicks it twice in quick succession.
    pub async fn double_click(&self, selector: &str) {
        self.is_painted().await;
        let element = json!({ ELEMENT: self.element(selector).await });
        let press = [
            json!({ "type": "pointerDown", "button": 0 }),
            json!({ "type": "pointerUp", "button": 0 }),
        ];
        let aim =
            json!({ "type": "pointerMove", "x": 0, "y": 0, "duration": 0, "origin": element });
        let actions: Vec<&Value> = [&aim].into_iter().chain(&press).chain(&press).collect();
        let pointer = json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions });
        self.session
            .post("/actions", json!({ "actions": [pointer] }))
            .await
            .unwrap();
    }

    /// Replaces the text of a field. Once more if the page was replaced meanwhile, which is no fault of
    /// it: the driver may find the field before a redirect is through.
    pub async fn fill(&self, selector: &str, text: &str) {
        let filled = match self.try_to_fill(selector, text).await {
            Err(error)
                if error.contains("does not belong to the document")
                    || error.contains("stale element reference") =>
            {
                self.try_to_fill(selector, text).await
            }
            filled => filled,
        };
        filled.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    async fn try_to_fill(&self, selector: &str, text: &str) -> Result<(), String> {
        let element = format!("/element/{}", self.element(selector).await);
        let cleared = self
            .session
            .post(&format!("{element}/clear"), json!({}))
            .await;
        cleared.map_err(|error| error.to_string())?;
        let (path, typed) = (format!("{element}/value"), json!({ "text": text }));
        let typed = self.session.post(&path, typed).await;
        typed.map(drop).map_err(|error| error.to_string())
    }

    /// Chooses a file, by its path.
    pub async fn choose_file(&self, selector: &str, path: &str) {
        let element = self.element(selector).await;
        self.session
            .post(
                &format!("/element/{element}/value"),
                json!({ "text": path }),
            )
            .await
            .unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Presses keys one after the other, in the focused element.
    pub async fn press(&self, keys: &str) {
        self.is_painted().await;
        let keys = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key })));
        let keyboard =
            json!({ "type": "key", "id": "keyboard", "actions": keys.collect::<Vec<_>>() });
        self.session
            .post("/actions", json!({ "actions": [keyboard] }))
            .await
            .unwrap();
    }

    /// Result of a script that runs in the page.
    pub async fn run(&self, script: &str, arguments: Value) -> Value {
        let ran = self
            .session
            .post(
                "/execute/sync",
                json!({ "script": script, "args": arguments }),
            )
            .await;
        ran.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Result of an asynchronous script, which passes it to its last argument.
    pub async fn run_long(&self, script: &str, arguments: Value) -> Value {
        let ran = self
            .session
            .post(
                "/execute/async",
                json!({ "script": script, "args": arguments }),
            )
            .await;
        ran.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until the URL has this prefix, and returns it.
    pub async fn wait_for_url(&self, beginning: &str) -> String {
        self.wait_until(
            async || Some(self.address().await).filter(|address| address.starts_with(beginning)),
            beginning,
        )
        .await
    }

    /// Waits until the URL contains a text.
    pub async fn wait_for_address(&self, text: &str) {
        self.wait_until(
            async || self.address().await.contains(text).then_some(()),
            text,
        )
        .await;
    }

    /// Waits until an element matches.
    pub async fn wait_for(&self, selector: &str) {
        self.wait_until(async || self.has(selector).await.then_some(()), selector)
            .await;
    }

    /// Waits until the page contains a text.
    pub async fn wait_for_text(&self, text: &str) {
        self.wait_until(
            async || {
                self.run("return document.body?.innerText ?? ''", json!([]))
                    .await
                    .as_str()?
                    .contains(text)
                    .then_some(())
            },
            text,
        )
        .await;
    }

    /// A screenshot of the window, as WebP.
    pub async fn screenshot(&self) -> Vec<u8> {
        self.capture(json!({ "format": "webp", "quality": 85 }))
            .await
    }

    /// A screenshot of the window without loss, as PNG.
    pub async fn exact_screenshot(&self) -> Vec<u8> {
        self.capture(json!({ "format": "png" })).await
    }

    async fn capture(&self, format: Value) -> Vec<u8> {
        let taken = self.devtools("Page.captureScreenshot", format).await;
        Base64::decode_vec(taken["data"].as_str().unwrap()).unwrap()
    }

    /// Sends a command of the DevTools protocol, for functions that WebDriver lacks.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        let done = self
            .session
            .post(
                "/goog/cdp/execute",
                json!({ "cmd": command, "params": parameters }),
            )
            .await;
        done.unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// Waits until the page is painted. Returns the milliseconds that this took from the start of the
    /// navigation.
    pub async fn first_paint(&self) -> f64 {
        let script = "return document.readyState === 'complete' ? performance.getEntriesByType('paint')[0]?.startTime ?? null : null";
        self.wait_until(
            async || self.run(script, json!([])).await.as_f64(),
            "a page that is painted",
        )
        .await
    }

    /// The browser discards input before the page is painted.
    async fn is_painted(&self) {
        self.first_paint().await;
    }

    async fn wait_until<T>(&self, condition: impl AsyncFn() -> Option<T>, wanted: impl Debug) -> T {
        let found = async {
            loop {
                if let Some(found) = condition().await {
                    return found;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        match tokio::time::timeout(TIMEOUT, found).await {
            Ok(found) => found,
            Err(_) => {
                let said = self
                    .run("return document.body?.innerText ?? ''", json!([]))
                    .await;
                panic!(
                    "waited for {wanted:?} in vain, at {}: {said}",
                    self.address().await
                )
            }
        }
    }

    async fn element_property(&self, selector: &str, what: &str) -> Value {
        let element = self.element(selector).await;
        self.session
            .get(&format!("/element/{element}/{what}"))
            .await
            .unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    async fn element(&self, selector: &str) -> String {
        // The driver may report this page as loaded while it still has the previous one.
        let found = self
            .wait_until(
                async || self.session.post("/element", css(selector)).await.ok(),
                selector,
            )
            .await;
        found[ELEMENT].as_str().unwrap().to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        assert!(
            self.is_closed || std::thread::panicking(),
            "the console errors were not checked"
        );
    }
}

fn css(selector: &str) -> Value {
    json!({ "using": "css selector", "value": selector })
}

/// Capabilities of a browser that resolves no host name.
fn capabilities(logs_network: bool) -> Value {
    let arguments = [
        "--headless",
        // Containers run as root, which the sandbox does not support.
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
    let mut logs = json!({ "browser": "ALL" });
    if logs_network {
        logs["performance"] = json!("ALL");
    }
    json!({
        "browserName": "chrome",
        "unhandledPromptBehavior": "ignore",
        "goog:loggingPrefs": logs,
        "goog:chromeOptions": { "args": arguments },
    })
}

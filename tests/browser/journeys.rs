//! Journeys of a student, a developer, another user, an administrator, and a user whose session has
//! expired or who may not see a page.
//!
//! Each takes place in two of the sixteen situations of a language, a colour scheme, a width and
//! scripts or none. Together they cover each pair.

mod users;

use serde_json::json;

use crate::accessibility::examine_structure;
use crate::browser::{Browser, Display};
use crate::harness::*;
use crate::prerequisites::needs_browser;

/// How a user looks at pages.
#[derive(Debug, Clone, Copy)]
struct Situation {
    language: Language,
    scheme: Scheme,
    width: Width,
    scripts: Scripts,
}

#[derive(Debug, Clone, Copy)]
enum Language {
    English,
    Korean,
}

#[derive(Debug, Clone, Copy)]
enum Scheme {
    Light,
    Dark,
}

#[derive(Debug, Clone, Copy)]
enum Width {
    Desktop,
    Phone,
}

#[derive(Debug, Clone, Copy)]
enum Scripts {
    On,
    Off,
}

/// Defines a test for each row, and `ROWS` with the name of its journey and its situation.
macro_rules! journeys {
    ($($test:ident: $journey:ident, $language:ident, $scheme:ident, $width:ident, $scripts:ident;)*) => {
        const ROWS: &[(&str, Situation)] = &[$((
            stringify!($journey),
            Situation {
                language: Language::$language,
                scheme: Scheme::$scheme,
                width: Width::$width,
                scripts: Scripts::$scripts,
            },
        )),*];
        $(
            #[tokio::test]
            async fn $test() {
                needs_browser!();
                users::$journey(Visit::begin(Situation {
                    language: Language::$language,
                    scheme: Scheme::$scheme,
                    width: Width::$width,
                    scripts: Scripts::$scripts,
                }).await).await;
            }
        )*
    };
}

journeys! {
    a_student_in_english_light_on_a_desktop_with_scripts: student, English, Light, Desktop, On;
    a_student_in_korean_dark_on_a_phone_without_scripts: student, Korean, Dark, Phone, Off;
    a_developer_in_english_light_on_a_phone_without_scripts: developer, English, Light, Phone, Off;
    a_developer_in_korean_dark_on_a_desktop_with_scripts: developer, Korean, Dark, Desktop, On;
    another_user_in_english_dark_on_a_desktop_without_scripts: another_user, English, Dark, Desktop, Off;
    another_user_in_korean_light_on_a_phone_with_scripts: another_user, Korean, Light, Phone, On;
    an_administrator_in_english_dark_on_a_phone_with_scripts: administrator, English, Dark, Phone, On;
    an_administrator_in_korean_light_on_a_desktop_without_scripts: administrator, Korean, Light, Desktop, Off;
    a_refused_user_in_korean_light_on_a_desktop_with_scripts: refused_user, Korean, Light, Desktop, On;
    a_refused_user_in_english_dark_on_a_phone_without_scripts: refused_user, English, Dark, Phone, Off;
}

/// Fails if a row is removed, or changed so that two settings never meet.
#[test]
fn the_journeys_cover_each_pair_of_their_settings() {
    let rows: Vec<[String; 5]> = ROWS
        .iter()
        .map(|(journey, situation)| {
            let Situation {
                language,
                scheme,
                width,
                scripts,
            } = situation;
            [
                (*journey).to_owned(),
                format!("{language:?}"),
                format!("{scheme:?}"),
                format!("{width:?}"),
                format!("{scripts:?}"),
            ]
        })
        .collect();
    let factors: [&[&str]; 5] = [
        &[
            "student",
            "developer",
            "another_user",
            "administrator",
            "refused_user",
        ],
        &["English", "Korean"],
        &["Light", "Dark"],
        &["Desktop", "Phone"],
        &["On", "Off"],
    ];
    for (one, values) in factors.iter().enumerate() {
        for (other, others) in factors.iter().enumerate().skip(one + 1) {
            for (value, with) in values
                .iter()
                .flat_map(|value| others.iter().map(move |with| (value, with)))
            {
                assert!(
                    rows.iter()
                        .any(|row| row[one] == *value && row[other] == *with),
                    "no journey has {value} and {with}"
                );
            }
        }
    }
}

/// A school, and the browser of a user.
struct Visit {
    harness: Harness,
    browser: Browser,
    display: Display,
}

impl Visit {
    async fn begin(situation: Situation) -> Self {
        let (width, height) = match situation.width {
            Width::Desktop => (1280, 800),
            Width::Phone => (390, 844),
        };
        let display = Display {
            language: match situation.language {
                Language::English => "en",
                Language::Korean => "ko",
            },
            is_dark: matches!(situation.scheme, Scheme::Dark),
            width,
            height,
        };
        let browser = Browser::with_display(display).await;
        browser
            .disable_scripts(matches!(situation.scripts, Scripts::Off))
            .await;
        Self {
            harness: Harness::new().await,
            browser,
            display,
        }
    }

    /// Signs the user in, at the page that a visitor without a session gets.
    async fn enter(&self, email: &str) {
        self.browser.go(&self.harness.console("/")).await;
        self.expect("main form #password").await;
        self.harness.sign_in(&self.browser, email).await;
        self.expect("main .head h1").await;
    }

    /// Waits for the page with this element and examines it.
    async fn expect(&self, selector: &str) {
        self.browser.wait_for(selector).await;
        examine_structure(&self.browser, self.display, selector).await;
        // A page in the other colour scheme has another ground.
        let ground = "return getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3 < 128";
        assert_eq!(
            self.browser.run(ground, json!([])).await,
            self.display.is_dark,
            "{selector} is in the wrong colours"
        );
    }

    /// Clicks on it and waits for the page with the other element.
    async fn follow(&self, selector: &str, next: &str) {
        self.browser.click(selector).await;
        self.expect(next).await;
    }

    /// Clicks on a button and waits for the page with this notice.
    async fn decide(&self, button: &str, notice: &str) {
        self.browser.click(button).await;
        let done = format!("done={notice}");
        self.browser.wait_for_address(&done).await;
        self.expect("main .notice[role=status]").await;
    }

    /// Opens a page by the menu.
    async fn menu(&self, path: &str, next: &str) {
        let link = format!("a[href='/console{path}']");
        let is_phone = self.display.width < 600;
        let tab = format!(".tabbar > {link}");
        let link = if !is_phone {
            format!(".side {link}")
        } else if self.browser.has(&tab).await {
            tab
        } else {
            self.browser.click(".menu > summary").await;
            format!(".everything {link}")
        };
        self.follow(&link, next).await;
    }

    async fn sign_out(&self) {
        let is_phone = self.display.width < 600;
        if is_phone {
            self.browser.click(".menu > summary").await;
        }
        let menu = if is_phone { ".everything" } else { ".side" };
        self.follow(
            &format!("{menu} form[action$='/sign-out'] button"),
            "main form #password",
        )
        .await;
    }

    /// Number of elements that match.
    async fn count(&self, selector: &str) -> u64 {
        let script = "return document.querySelectorAll(arguments[0]).length";
        self.browser
            .run(script, json!([selector]))
            .await
            .as_u64()
            .unwrap()
    }

    /// Copies a new secret from its page, which a refresh does not show again. A second refresh
    /// makes no second record either.
    async fn keep_secret(&self) -> String {
        self.expect("#secret").await;
        let secret = self.browser.text("#secret").await;
        self.browser.refresh().await;
        self.browser.wait_for_address("done=shown-before").await;
        self.expect("main .notice[role=status]").await;
        self.browser.refresh().await;
        let page = self
            .browser
            .run("return document.documentElement.outerHTML", json!([]))
            .await;
        assert!(!page.as_str().unwrap().contains(&secret));
        secret
    }

    async fn end(self) {
        self.browser.close().await;
    }
}

//! Invalid options are refused when the service is built.

use std::sync::Arc;

use lyceum::directory::Directory;
use lyceum::domain::InvalidValue;
use lyceum::http::ConfigError;
use lyceum::store::memory::MemoryStore;

use crate::school_fixtures;

#[tokio::test]
async fn an_option_that_cannot_work_is_refused() {
    let zone = school_fixtures::builder()
        .await
        .time_zone("Asia/Atlantis")
        .build();
    assert!(
        matches!(zone.unwrap_err(), ConfigError::UnknownTimeZone(name) if name == "Asia/Atlantis")
    );
}

#[tokio::test]
async fn bounds_that_no_school_has_are_refused() {
    let directory = || Directory::builder(Arc::new(MemoryStore::new()));
    #[expect(clippy::reversed_empty_ranges, reason = "the mistake under test")]
    let reversed = 4..=1;
    for (builder, what) in [
        (
            directory().grades(0..=3),
            "grades must be a whole number from 1 to 12",
        ),
        (
            directory().grades(1..=13),
            "grades must be a whole number from 1 to 12",
        ),
        (
            directory().classes(reversed),
            "classes must not be above the other",
        ),
        (
            directory().seat_numbers(1..=100),
            "numbers must be a whole number from 1 to 99",
        ),
    ] {
        let error = builder.open().await.unwrap_err();
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        assert_eq!(cause, Some(format!("each end of the {what}")));
    }
}

#[tokio::test]
async fn a_public_url_is_an_address_without_query_or_fragment() {
    for url in [
        "",
        "/v1",
        "school.example",
        "ftp://school.example",
        "https://",
        "https:///v1",
        "https://a.example/?x",
        "https://a.example/#x",
        "https://a.example/ä",
        "https://a.example/\r\nx",
    ] {
        assert!(
            matches!(
                school_fixtures::builder().await.public_url(url).build(),
                Err(ConfigError::PublicUrl(_))
            ),
            "{url:?}"
        );
    }
    let message = ConfigError::PublicUrl(InvalidValue::new("must be an absolute URL")).to_string();
    assert_eq!(message, "the public URL must be an absolute URL");
}

//! Options that cannot work are refused when the service is built.

use lyceum::domain::Invalid;
use lyceum::http::data_api::ConfigError;

use crate::school;

#[tokio::test]
async fn an_option_that_cannot_work_is_refused() {
    let zone = school::builder().await.time_zone("Asia/Atlantis").build();
    assert_eq!(zone.unwrap_err(), ConfigError::UnknownTimeZone("Asia/Atlantis".to_owned()));
    for grades in [0..=3, 1..=13] {
        assert!(matches!(school::builder().await.grades(grades).build(), Err(ConfigError::Grades(_))));
    }
    #[expect(clippy::reversed_empty_ranges, reason = "this is the mistake")]
    let reversed = 4..=1;
    assert!(matches!(school::builder().await.classes(reversed).build(), Err(ConfigError::Classes(_))));
    assert!(matches!(school::builder().await.numbers(1..=100).build(), Err(ConfigError::Numbers(_))));
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
        assert!(matches!(school::builder().await.public_url(url).build(), Err(ConfigError::PublicUrl(_))), "{url:?}");
    }
    let message = ConfigError::PublicUrl(Invalid::new("must be an absolute URL")).to_string();
    assert_eq!(message, "the public URL must be an absolute URL");
}

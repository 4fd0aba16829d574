//! Secrets behind the digests in `version_1.sql`, and the time at which it was written. They give
//! access to nothing else.

use lyceum::domain::Timestamp;

pub const ISSUER: &str = "https://auth.school.example";
pub const MASTER_KEY: [u8; 32] = *b"the master key of version 1 data";
pub const START: Timestamp = Timestamp::from_seconds(1_767_225_600);
pub const NOW: Timestamp = Timestamp::from_seconds(1_767_225_800);

pub const EMAIL: &str = "kim.haneul@school.example";
pub const PASSWORD: &str = "correct horse battery staple";

pub const APPLICATION: &str = "7a0786b1-27a9-47b2-8ad8-ed51528891fd";
pub const CLIENT: &str = "55df6735-a95e-464d-a29e-3127983e206b";
pub const CLIENT_SECRET: &str = "37xomLtH2qssdkVEhKJmt9u0hTesspOF9PqfAvuMA20";
pub const PUBLIC_CLIENT: &str = "2eea1aa2-0da3-4c3b-aa99-e750c33ee0b1";
pub const OLD_CLIENT: &str = "5190ce93-24e5-44b6-8afd-c75714712565";
pub const CALLBACK: &str = "https://app.example/callback";
/// RFC 7636, appendix B.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// Valid key with every scope.
pub const API_KEY: &str = "01010101-0101-4101-8101-010101010101";
/// Revoked key.
pub const REVOKED_API_KEY: &str = "02020202-0202-4202-8202-020202020202";

pub const SIGNING_KEY: &str = "Yyi9yeGV3Sr4pP3COmJdE3R1MequuSuExoX-Gjn_UX4";
pub const LIVE_GRANT: &str = "a99ffe3f-8457-4622-8230-aa1908fe7be8";
pub const REFRESH_TOKEN: &str =
    "Aamf_j-EV0YigjCqGQj-e-gAAAACzSSb6x2b50KM57KJUJKeqsNoriaP0qUeFwXbMRtmz44";
/// The previous refresh token, rotated at the same time.
pub const PREVIOUS_REFRESH_TOKEN: &str =
    "Aamf_j-EV0YigjCqGQj-e-gAAAABSoH25zLxlVfY8SY5MuYF4L0Bt5MHeFZ3riUePhk9CA4";
pub const REVOKED_GRANT: &str = "52a3a875-37a0-456e-8824-f4bc9be98cb7";
pub const REVOKED_REFRESH_TOKEN: &str =
    "AVKjqHU3oEVuiCT0vJvpjLcAAAAA1wlF0qSMiAH4D4TVhRtRnAWvM4edxl7fN6fB8RiDH60";
/// Unredeemed code.
pub const CODE: &str = "ip4uMnqAaE_-N595wM2brcezlwH9zriJzuBCwCr4XCM";
pub const SESSION_AT_CONSENT: &str = "rOrng1XcX98q5_sPMiLZg7zTr-JTitEeBEmn6aR2Uwk";
pub const SESSION_AT_LOGIN: &str = "dKqvplT2oF7tCS3oXS7ldpkbRITSazCbQOvAOMnYWh8";

//! Layers of the crate, and the layers that each may import.

/// Layers, each with the layers that it may import. The longest matching prefix of a file's module
/// path determines its layer.
const LAYERS: &[(&str, &[&str])] = &[
    ("domain", &["domain"]),
    ("crypto", &["domain", "crypto"]),
    ("metrics", &["metrics"]),
    ("oauth", &["domain", "oauth"]),
    ("store", &["domain", "store"]),
    ("store::memory", &["domain", "store", "store::memory"]),
    ("store::sql", &["domain", "metrics", "store", "store::sql"]),
    (
        "store::redis",
        &["domain", "metrics", "store", "store::redis"],
    ),
    ("clock", &["domain", "clock"]),
    ("single_flight", &["single_flight"]),
    ("circuit_breaker", &["domain", "clock", "circuit_breaker"]),
    ("catch_panic", &["catch_panic"]),
    ("thread_pool", &["thread_pool"]),
    (
        "directory",
        &[
            "domain",
            "crypto",
            "clock",
            "single_flight",
            "metrics",
            "circuit_breaker",
            "catch_panic",
            "store",
            "thread_pool",
            "directory",
        ],
    ),
    ("import", &["domain", "store", "directory", "import"]),
    (
        "school_year",
        &["domain", "store", "directory", "import", "school_year"],
    ),
    (
        "neis",
        &[
            "domain",
            "clock",
            "catch_panic",
            "metrics",
            "store",
            "directory",
            "neis",
        ],
    ),
    (
        "http",
        &[
            "clock",
            "directory",
            "neis",
            "single_flight",
            "catch_panic",
            "domain",
            "import",
            "school_year",
            "crypto",
            "metrics",
            "oauth",
            "store",
            "thread_pool",
            "http",
        ],
    ),
    (
        "http::data_api",
        &[
            "clock",
            "directory",
            "single_flight",
            "circuit_breaker",
            "catch_panic",
            "domain",
            "crypto",
            "metrics",
            "store",
            "thread_pool",
            "http",
            "http::data_api",
        ],
    ),
    (
        "http::login",
        &[
            "clock",
            "directory",
            "single_flight",
            "catch_panic",
            "domain",
            "crypto",
            "metrics",
            "store",
            "http",
            "http::login",
        ],
    ),
    (
        "http::management",
        &[
            "clock",
            "directory",
            "single_flight",
            "catch_panic",
            "domain",
            "import",
            "school_year",
            "crypto",
            "metrics",
            "store",
            "http",
            "http::login",
            "http::management",
        ],
    ),
    (
        "http::auth_server",
        &[
            "clock",
            "directory",
            "single_flight",
            "catch_panic",
            "domain",
            "crypto",
            "metrics",
            "oauth",
            "store",
            "thread_pool",
            "http",
            "http::login",
            "http::management",
            "http::auth_server",
        ],
    ),
    (
        "http::console",
        &[
            "clock",
            "directory",
            "single_flight",
            "catch_panic",
            "domain",
            "import",
            "school_year",
            "crypto",
            "metrics",
            "store",
            "http",
            "http::login",
            "http::management",
            "http::console",
        ],
    ),
    (
        "http::guard",
        &[
            "clock",
            "directory",
            "single_flight",
            "catch_panic",
            "domain",
            "crypto",
            "metrics",
            "store",
            "http",
            "http::guard",
        ],
    ),
    ("http::reference", &["http", "http::reference"]),
    ("doctor", &["domain", "crypto", "store", "http", "doctor"]),
    ("sample_data", &["directory", "domain", "sample_data"]),
    (
        "testing",
        &[
            "clock",
            "directory",
            "domain",
            "crypto",
            "oauth",
            "store",
            "store::memory",
            "http",
            "http::data_api",
            "http::auth_server",
            "sample_data",
            "testing",
        ],
    ),
];

pub fn layer_of(module: &str) -> Option<&'static (&'static str, &'static [&'static str])> {
    let inside = |layer: &str| {
        module == layer
            || module
                .strip_prefix(layer)
                .is_some_and(|rest| rest.starts_with("::"))
    };
    LAYERS
        .iter()
        .filter(|(layer, _)| inside(layer))
        .max_by_key(|(layer, _)| layer.len())
}

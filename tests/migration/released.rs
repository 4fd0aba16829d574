use sha2::{Digest, Sha256};

/// Migrations that are out in the world.
const RELEASED: &[(&str, &str, &str)] = &[(
    "sqlite/0001_initial.sql",
    include_str!("../../migrations/sqlite/0001_initial.sql"),
    "69f5418ce49e7094f4e9b662fa9202cf0863e59f6f4caec2e80cadf218a2ca65",
)];

/// A database that has been through a migration never runs it again. Whoever edits one makes new databases differ from old ones, which no
/// test on a fresh database sees. What must change goes into a migration of its own.
#[test]
fn a_released_migration_is_never_edited() {
    for (name, text, digest) in RELEASED {
        assert_eq!(format!("{:x}", Sha256::digest(text)), *digest, "migrations/{name} was edited");
    }
}

use sha2::{Digest, Sha256};

/// Released migration: its name, its text, and the digest of the text at its release.
macro_rules! released {
    ($name:literal, $digest:literal) => {
        (
            $name,
            include_str!(concat!("../../migrations/", $name)),
            $digest,
        )
    };
}

const RELEASED: &[(&str, &str, &str)] = &[
    released!(
        "sqlite/0001_initial.sql",
        "69f5418ce49e7094f4e9b662fa9202cf0863e59f6f4caec2e80cadf218a2ca65"
    ),
    released!(
        "sqlite/0002_sweep.sql",
        "88f9e9ea7f149fda60a79d20d7bb101c2b246fd598f216dae189ddd94028bb39"
    ),
    released!(
        "postgres/0001_initial.sql",
        "73d77e121f27d63087a8a7e5117899e9b182e8986251fd7fe317d849e78174f4"
    ),
    released!(
        "postgres/0002_sweep.sql",
        "8e2e157dc3bcbde31265c0d30d0a499f20338f922f3db9d714216eedcb0e8dbf"
    ),
    released!(
        "postgres/0003_management.sql",
        "53fc7859a6073bbac61813a4f25b7b31a08035c2a46fd0129f56a93f06d65b81"
    ),
    released!(
        "postgres/0004_consents.sql",
        "9f698edb67b251e783fc91aa499789c889a25bcb0c236c10d9a7edb16a044ce7"
    ),
    released!(
        "postgres/0005_signing_key_revocation.sql",
        "789214ac0bdaa974fa14c61a81796567c3f86a0cc73aebbfa6c6c5cea641550a"
    ),
    released!(
        "sqlite/0003_management.sql",
        "4512594a539a885c3f0909bd296c0c5b1c6b5f0d34b2b322a7cc4726a38b4475"
    ),
    released!(
        "sqlite/0004_consents.sql",
        "51a2cec2fb9479dec20c6c3aa2d386b1595d38c0f1a8abaaab35ec66369f7250"
    ),
    released!(
        "sqlite/0005_signing_key_revocation.sql",
        "0f1a31e60f28e11f2526229ca80822410ba83771878e1f1cc3a9a4c215f1344c"
    ),
    released!(
        "sqlite/0006_pkce_required.sql",
        "81d21b5b9d87b4ad66c49e15068bccabffab5fffc341c8598c118404dc46e34e"
    ),
    released!(
        "postgres/0006_pkce_required.sql",
        "f02df68b6233104fe17373377a076a2488312ff623bc6da20e3aa6305b10d9c0"
    ),
    released!(
        "sqlite/0007_api_keys.sql",
        "18709007c59f54cdb1646950d3575cdf0c5b4dee4fe23784b48bba962627062e"
    ),
    released!(
        "postgres/0007_api_keys.sql",
        "10a043fd8419f89f9ca84e5141aa002b6ef9063ee48191cf0530d2562741aff1"
    ),
    released!(
        "sqlite/0008_changes.sql",
        "cf5e7ebb4f9f81524369bb7bb5f40fe868d9403ad5a93d67dcd7791171a41f14"
    ),
    released!(
        "postgres/0008_changes.sql",
        "06449b7054ce1ec80baada92f160c63004dc00efe90f97d043c6e149d876530b"
    ),
    released!(
        "sqlite/0009_console.sql",
        "57d4502e085735fc45ec631d4e9903d4a7d94737a4e3f24c4eee91ec51692ab4"
    ),
    released!(
        "postgres/0009_console.sql",
        "d91be9856022225df374501d60ddd58c69d28ddd4b131be875e0f93b236bd72f"
    ),
];

/// A database never runs an applied migration again. Editing one makes new databases differ from
/// existing ones, which no test on a new database detects. Changes need a new migration.
#[test]
fn a_released_migration_is_never_edited() {
    for (name, text, digest) in RELEASED {
        assert_eq!(
            format!("{:x}", Sha256::digest(text)),
            *digest,
            "migrations/{name} was edited"
        );
    }
}

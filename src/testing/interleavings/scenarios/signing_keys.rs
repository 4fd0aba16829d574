//! Signing keys that are installed, revoked, resealed and deleted concurrently.

use super::super::operation::Operation::*;
use super::ScenarioGroup;

pub(super) fn signing_keys() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![
            ("no signing key", vec![]),
            (
                "a signing key",
                vec![InstallSigningKey {
                    sequence: 1,
                    key: 9,
                    at: 0,
                }],
            ),
            (
                "a superseded signing key",
                vec![
                    InstallSigningKey {
                        sequence: 1,
                        key: 9,
                        at: 0,
                    },
                    InstallSigningKey {
                        sequence: 2,
                        key: 8,
                        at: 5,
                    },
                ],
            ),
            (
                "a revoked signing key",
                vec![
                    InstallSigningKey {
                        sequence: 1,
                        key: 9,
                        at: 0,
                    },
                    RevokeSigningKey { key: 9, at: 3 },
                ],
            ),
        ],
        operations: vec![
            InstallSigningKey {
                sequence: 1,
                key: 1,
                at: 0,
            },
            InstallSigningKey {
                sequence: 1,
                key: 2,
                at: 0,
            },
            InstallSigningKey {
                sequence: 2,
                key: 3,
                at: 0,
            },
            RevokeSigningKey { key: 9, at: 6 },
            RevokeSigningKey { key: 9, at: 7 },
            RevokeSigningKey { key: 3, at: 6 },
            ResealSigningKey {
                key: 9,
                seen: 9,
                sealed: 1,
            },
            ResealSigningKey {
                key: 9,
                seen: 9,
                sealed: 2,
            },
            RemoveSigningKeys { until: 4 },
            RemoveSigningKeys { until: 5 },
            SigningKeys,
        ],
    }
}

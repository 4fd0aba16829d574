//! Forged tokens, all of which must be refused: threats 27 to 30 through the whole guard.

mod claims;
mod headers;
mod key_sets;
mod signatures;

use lyceum::http::guard::Guard;

use crate::fixtures::{invalid_token, present};

async fn refused(guard: &Guard, token: &str, what: &str) {
    assert_eq!(
        present(guard, token).await.verdict(),
        invalid_token(),
        "{what}: {token}"
    );
}

//! Session tokens for external login, where the user signs in on the host's own login page.
//!
//! The browser holds a cookie, the login page a login
//! token, and the browser that signs in receives a ticket. The store keeps only digests of tokens
//! derived from these, so a stolen database does not let an attacker continue a session.

use sha2::{Digest, Sha256};

use crate::domain::SessionToken;

/// The token given to the login page. It does not reveal the cookie, so neither the page nor a
/// reader of its URL can impersonate the browser.
pub(crate) fn login_token(cookie: &SessionToken) -> SessionToken {
    derived(b"lyceum external login", [cookie])
}

/// The token of a session from sign-in until the browser returns, derived from the login token and
/// the ticket.
pub(crate) fn signed_in_token(login: &SessionToken, ticket: &SessionToken) -> SessionToken {
    derived(b"lyceum external sign-in", [login, ticket])
}

/// Hashes the tokens. All have the same length, so the concatenation is unambiguous.
fn derived<const N: usize>(purpose: &[u8], tokens: [&SessionToken; N]) -> SessionToken {
    let mut digest = Sha256::new_with_prefix(purpose);
    for token in tokens {
        digest.update(token.expose());
    }
    SessionToken::from_random(digest.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_depends_on_all_its_inputs() {
        let [cookie, ticket, other] = [1, 2, 3].map(|byte| SessionToken::from_random([byte; 32]));
        let login = login_token(&cookie);
        let signed_in = signed_in_token(&login, &ticket);
        let rest = [
            login_token(&other),
            signed_in_token(&login, &other),
            signed_in_token(&login_token(&other), &ticket),
        ];
        let all: std::collections::BTreeSet<String> =
            [&cookie, &ticket, &other, &login, &signed_in]
                .into_iter()
                .chain(&rest)
                .map(|token| token.expose().to_owned())
                .collect();
        assert_eq!(all.len(), 8);
        assert_eq!(
            signed_in_token(&login_token(&cookie), &ticket).expose(),
            signed_in.expose()
        );
    }
}

use crate::domain::{InvalidValue, RedirectUri};
use crate::store::ApprovalLimits;

/// Limits on the records of one user, so that no user fills the store or slows it down for others.
///
/// Administrators may register any number of applications, scopes and clients, and ask for any number
/// of scopes. All other limits apply to them too. Existing records above a limit stay; new ones are refused until the number is
/// below it. Limits that [`AuthServerBuilder::user_limits`] does not change have their defaults:
///
/// ```
/// use lyceum::http::auth_server::UserLimits;
///
/// let limits = UserLimits { clients_per_user: 50, ..UserLimits::default() };
/// # assert_eq!(limits.applications_per_user, 20);
/// ```
///
/// [`AuthServerBuilder::user_limits`]: crate::http::auth_server::AuthServerBuilder::user_limits
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserLimits {
    /// Maximum number of applications of a user; 20 by default. With 0, only administrators
    /// register applications.
    pub applications_per_user: u32,
    /// Maximum number of scopes of an application; 100 by default.
    pub scopes_per_application: u32,
    /// Maximum number of clients of a user; 20 by default. With 0, only administrators register
    /// clients.
    pub clients_per_user: u32,
    /// Maximum number of a client's requests for scopes that wait for a decision; 10 by default. With
    /// 0, only clients of administrators ask.
    pub scope_requests_per_client: u32,
    /// Maximum number of redirect URIs of a client; 20 by default, at least 1.
    pub redirect_uris_per_client: u32,
    /// Maximum total length of a client's redirect URIs in bytes; 8,192 by default, at least 1. All
    /// of them are read at each sign-in.
    pub redirect_uri_bytes_per_client: u32,
    /// Maximum number of live grants of a user for one client; 20 by default, at least 1. A further
    /// one is never refused: it revokes the least recently used one.
    pub grants_per_user_and_client: u32,
    /// Maximum number of remembered consents of a user; 200 by default, at least 1. A further one
    /// is never refused: it replaces the least recently used one, and the user is asked again for
    /// that client.
    pub consents_per_user: u32,
}

impl Default for UserLimits {
    fn default() -> Self {
        Self {
            applications_per_user: 20,
            scopes_per_application: 100,
            clients_per_user: 20,
            scope_requests_per_client: 10,
            redirect_uris_per_client: 20,
            redirect_uri_bytes_per_client: 8 * 1024,
            grants_per_user_and_client: 20,
            consents_per_user: 200,
        }
    }
}

impl UserLimits {
    /// Refuses limits that would prevent all sign-ins.
    pub(crate) fn check(&self) -> Result<(), InvalidValue> {
        let at_least_one = [
            self.redirect_uris_per_client,
            self.redirect_uri_bytes_per_client,
            self.grants_per_user_and_client,
            self.consents_per_user,
        ];
        if at_least_one.contains(&0) {
            return Err(InvalidValue::new(
                "must be at least 1 for redirect URIs, their bytes, grants and consents",
            ));
        }
        Ok(())
    }

    /// The limits that apply to an approval.
    pub(crate) const fn approval_limits(&self) -> ApprovalLimits {
        ApprovalLimits {
            grants_per_client: self.grants_per_user_and_client,
            consents: self.consents_per_user,
        }
    }

    /// Whether a client may replace its redirect URIs by these. Above a limit, the number and
    /// length may only stay or shrink.
    pub(crate) fn allows_redirect_uris(&self, old: &[RedirectUri], new: &[RedirectUri]) -> bool {
        let bytes = |uris: &[RedirectUri]| uris.iter().map(|uri| uri.as_str().len()).sum::<usize>();
        let within = |old: usize, new: usize, limit: u32| new <= limit as usize || new <= old;
        within(old.len(), new.len(), self.redirect_uris_per_client)
            && within(bytes(old), bytes(new), self.redirect_uri_bytes_per_client)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uris(count: usize, length: usize) -> Vec<RedirectUri> {
        (0..count)
            .map(|number| {
                format!("{:a<length$}", format!("https://a.example/{number}"))
                    .parse()
                    .unwrap()
            })
            .collect()
    }

    #[test]
    fn redirect_uris_are_counted_by_number_and_by_bytes() {
        let limits = UserLimits {
            redirect_uris_per_client: 3,
            redirect_uri_bytes_per_client: 100,
            ..UserLimits::default()
        };
        let allowed = |new: Vec<RedirectUri>| limits.allows_redirect_uris(&[], &new);
        assert!(allowed(uris(3, 30)) && allowed(uris(2, 50)) && allowed(Vec::new()));
        assert!(!allowed(uris(4, 20)), "one too many");
        assert!(!allowed(uris(2, 51)), "two bytes too many");
    }

    #[test]
    fn a_client_from_before_the_limits_keeps_what_it_has_and_may_have_less() {
        let limits = UserLimits {
            redirect_uris_per_client: 1,
            redirect_uri_bytes_per_client: 30,
            ..UserLimits::default()
        };
        let old = uris(3, 40);
        assert!(
            limits.allows_redirect_uris(&old, &old)
                && limits.allows_redirect_uris(&old, &uris(2, 40))
        );
        assert!(
            !limits.allows_redirect_uris(&old, &uris(4, 30))
                && !limits.allows_redirect_uris(&old, &uris(3, 41))
        );
    }

    #[test]
    fn limits_that_would_prevent_every_sign_in_are_refused() {
        assert!(UserLimits::default().check().is_ok());
        assert!(
            UserLimits {
                applications_per_user: 0,
                clients_per_user: 0,
                ..UserLimits::default()
            }
            .check()
            .is_ok()
        );
        assert!(
            UserLimits {
                grants_per_user_and_client: 0,
                ..UserLimits::default()
            }
            .check()
            .is_err()
        );
        assert!(
            UserLimits {
                redirect_uris_per_client: 0,
                ..UserLimits::default()
            }
            .check()
            .is_err()
        );
    }
}

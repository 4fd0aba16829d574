use crate::domain::{Invalid, RedirectUri};
use crate::store::ApprovalCaps;

/// How much one user may register and keep, so that nobody fills the store or slows it down for the others.
///
/// Administrators register as many applications, scopes and clients as they want. Everything else holds for them too. Who has more than a cap
/// when it is set keeps it, and gets nothing new until there is room. Whatever [`AuthServerBuilder::caps`] does not change has its default:
///
/// ```
/// use lyceum::http::auth_server::Caps;
///
/// let caps = Caps { clients_per_user: 50, ..Caps::default() };
/// # assert_eq!(caps.applications_per_user, 20);
/// ```
///
/// [`AuthServerBuilder::caps`]: crate::http::auth_server::AuthServerBuilder::caps
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// How many applications a user may own; 20 by default. With 0, only administrators register applications.
    pub applications_per_user: u32,
    /// How many scopes an application may define; 100 by default.
    pub scopes_per_application: u32,
    /// How many clients a user may own; 20 by default. With 0, only administrators register clients.
    pub clients_per_user: u32,
    /// How many redirect URIs a client may have; 20 by default, and at least 1.
    pub redirect_uris_per_client: u32,
    /// How many bytes the redirect URIs of a client may have together; 8,192 by default, and at least 1. All of them are read at each
    /// sign-in.
    pub redirect_uri_bytes_per_client: u32,
    /// How many sign-ins of a user at one client may be in use at once; 20 by default, and at least 1. One more is never refused: it ends
    /// the one whose tokens were used longest ago.
    pub grants_per_user_and_client: u32,
    /// For how many clients it is remembered what a user allowed; 200 by default, and at least 1. One more is never refused: the one that
    /// was used longest ago is forgotten, so that the user is asked again.
    pub consents_per_user: u32,
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            applications_per_user: 20,
            scopes_per_application: 100,
            clients_per_user: 20,
            redirect_uris_per_client: 20,
            redirect_uri_bytes_per_client: 8 * 1024,
            grants_per_user_and_client: 20,
            consents_per_user: 200,
        }
    }
}

impl Caps {
    /// Refuses caps under which nobody could sign in.
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        let at_least_one =
            [self.redirect_uris_per_client, self.redirect_uri_bytes_per_client, self.grants_per_user_and_client, self.consents_per_user];
        if at_least_one.contains(&0) {
            return Err(Invalid::new("must be at least 1 for redirect URIs, their bytes, grants and consents"));
        }
        Ok(())
    }

    /// What an approval leaves.
    pub(crate) const fn of_approvals(&self) -> ApprovalCaps {
        ApprovalCaps { grants_per_client: self.grants_per_user_and_client, consents: self.consents_per_user }
    }

    /// Whether a client that has these redirect URIs may have those instead. What does not grow may stay, however much it is.
    pub(crate) fn allow_redirect_uris(&self, old: &[RedirectUri], new: &[RedirectUri]) -> bool {
        let bytes = |uris: &[RedirectUri]| uris.iter().map(|uri| uri.as_str().len()).sum::<usize>();
        let within = |old: usize, new: usize, cap: u32| new <= cap as usize || new <= old;
        within(old.len(), new.len(), self.redirect_uris_per_client) && within(bytes(old), bytes(new), self.redirect_uri_bytes_per_client)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uris(count: usize, length: usize) -> Vec<RedirectUri> {
        (0..count).map(|number| format!("{:a<length$}", format!("https://a.example/{number}")).parse().unwrap()).collect()
    }

    #[test]
    fn redirect_uris_are_counted_by_number_and_by_bytes() {
        let caps = Caps { redirect_uris_per_client: 3, redirect_uri_bytes_per_client: 100, ..Caps::default() };
        let allowed = |new: Vec<RedirectUri>| caps.allow_redirect_uris(&[], &new);
        assert!(allowed(uris(3, 30)) && allowed(uris(2, 50)) && allowed(Vec::new()));
        assert!(!allowed(uris(4, 20)), "one too many");
        assert!(!allowed(uris(2, 51)), "two bytes too many");
    }

    #[test]
    fn a_client_from_before_the_caps_keeps_what_it_has_and_may_have_less() {
        let caps = Caps { redirect_uris_per_client: 1, redirect_uri_bytes_per_client: 30, ..Caps::default() };
        let old = uris(3, 40);
        assert!(caps.allow_redirect_uris(&old, &old) && caps.allow_redirect_uris(&old, &uris(2, 40)));
        assert!(!caps.allow_redirect_uris(&old, &uris(4, 30)) && !caps.allow_redirect_uris(&old, &uris(3, 41)));
    }

    #[test]
    fn caps_under_which_nobody_could_sign_in_are_refused() {
        assert!(Caps::default().check().is_ok());
        assert!(Caps { applications_per_user: 0, clients_per_user: 0, ..Caps::default() }.check().is_ok());
        assert!(Caps { grants_per_user_and_client: 0, ..Caps::default() }.check().is_err());
        assert!(Caps { redirect_uris_per_client: 0, ..Caps::default() }.check().is_err());
    }
}

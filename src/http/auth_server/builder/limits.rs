use super::AuthServerBuilder;
use crate::domain::Quota;
use crate::http::login::LoginLimits;
use crate::http::management::UserLimits;

/// Limits on requests, attempts and records.
impl AuthServerBuilder {
    /// Limits failed login attempts. By default 10 for an account from one address, 100 for an
    /// account from all addresses, and 50 from one address; each is replenished within 15 minutes.
    /// The limit for an account from all addresses does not apply to networks from which its owner
    /// has signed in, on this node and since it started.
    ///
    /// The address is the [`ClientAddress`](crate::http::ClientAddress) of the request, which
    /// `http::serve` sets to the peer address of the connection. Behind a proxy that is the address
    /// of the proxy: wrap the service in [`TrustedProxies`](crate::http::TrustedProxies), or one
    /// user's failed attempts lock out everyone. A school whose users share one address needs a
    /// larger limit per address. Requests without an address are not limited by it.
    #[must_use]
    pub fn login_limits(mut self, limits: LoginLimits) -> Self {
        self.login_limits = Some(limits);
        self
    }

    /// Limits the authorization requests that open a session (`GET /v1/oauth/authorize`) from one
    /// address; by default 1,000 at once, then one every 0.6 seconds. Each session is stored for
    /// the [`session_lifetime`](Self::session_lifetime), so this bounds the rows that one address
    /// can add to the store.
    ///
    /// A client that uses up the limit blocks all sign-ins from its address. Where a school shares
    /// one address behind NAT, raise the limit beyond the reach of a single script; where users
    /// have separate addresses, lower it. The address is determined as in
    /// [`login_limits`](Self::login_limits). Requests without an address are not limited.
    #[must_use]
    pub fn authorize_limit(mut self, per_address: Quota) -> Self {
        self.authorize_limit = Some(per_address);
        self
    }

    /// Limits the requests of a client to the token, revocation and introspection endpoints; by
    /// default 6,000 a minute, all at once if need be. Further requests receive 429 with
    /// `Retry-After` and spend neither a code nor a refresh token.
    ///
    /// For a client with a secret, only requests that authenticate by it count. A client without a
    /// secret has this limit for each network of callers (an IPv4 address or an IPv6 /64, with four
    /// times as much for the /56 around it and eight times for the /48), since its id is public;
    /// callers that share an address share the limit. Each node counts by itself.
    #[must_use]
    pub fn client_limit(mut self, per_client: Quota) -> Self {
        self.client_limit = Some(per_client);
        self
    }

    /// Limits the requests to the token, revocation and introspection endpoints that fail before a
    /// client has authenticated, for each network of callers as in
    /// [`client_limit`](Self::client_limit); by default 300 a minute. Further failing requests
    /// receive 429 with `Retry-After`; requests that authenticate are not affected. The address is
    /// determined as in [`login_limits`](Self::login_limits). Requests without an address are not
    /// limited.
    #[must_use]
    pub fn failed_client_limit(mut self, per_network: Quota) -> Self {
        self.failed_client_limit = Some(per_network);
        self
    }

    /// Limits the API keys of a user, administrators included; 20 by default. Each key has its own
    /// rate limit, so this bounds the requests of one user. Expired keys count until they are
    /// deleted or swept, because they can be renewed. Deleted keys count for a day, because a
    /// replacement starts with an unused limit. Existing keys above the limit stay.
    #[must_use]
    pub fn api_keys_per_owner(mut self, at_most: u32) -> Self {
        self.api_keys_per_owner = Some(at_most);
        self
    }

    /// Limits the applications, scopes, clients, redirect URIs, grants and consents of a user: see
    /// [`UserLimits`].
    #[must_use]
    pub fn user_limits(mut self, user_limits: UserLimits) -> Self {
        self.user_limits = user_limits;
        self
    }

    /// Limits the changes that a user makes through the JSON API and the console together; by
    /// default 120 at once, then one every half second. Further changes receive 429 with
    /// `Retry-After`. Administrators are limited too. Changes that remove access are not counted:
    /// revoking a grant or an API key, removing an older secret, and changes of users to their own
    /// account. Each node counts by itself.
    #[must_use]
    pub fn management_limit(mut self, per_user: Quota) -> Self {
        self.management_limit = Some(per_user);
        self
    }
}

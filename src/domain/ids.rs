use std::fmt;
use std::num::NonZeroI64;
use std::str::FromStr;

use uuid::Uuid;

use crate::domain::InvalidValue;

macro_rules! integer_id {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(NonZeroI64);

        impl $name {
            /// Creates the id from a number.
            ///
            /// # Errors
            /// If the number is not positive.
            pub const fn new(number: i64) -> Result<Self, InvalidValue> {
                match NonZeroI64::new(number) {
                    Some(number) if number.get() > 0 => Ok(Self(number)),
                    _ => Err(InvalidValue::new("must be a whole number above 0")),
                }
            }

            /// The number, always positive.
            pub const fn get(self) -> i64 {
                self.0.get()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

integer_id!(
    /// The id of a student.
    StudentId,
    /// The id of a club.
    ClubId,
    /// The id of a project.
    ProjectId,
    /// The number of a record in the audit trail.
    AuditId,
);

macro_rules! uuid_id {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Uuid);

        impl $name {
            /// A new id from 128 random bits (RFC 9562 version 4).
            pub fn from_random(bits: [u8; 16]) -> Self {
                Self(uuid::Builder::from_random_bytes(bits).into_uuid())
            }

            /// The 16 bytes of the id.
            pub fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl FromStr for $name {
            type Err = InvalidValue;

            fn from_str(text: &str) -> Result<Self, InvalidValue> {
                parse_uuid(text).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }
    )+};
}

uuid_id!(
    /// The id of a built-in account.
    AccountId,
    /// The id of an API key; the key itself is [`ApiKeySecret`](crate::domain::ApiKeySecret).
    ApiKeyId,
    /// The id of a calendar feed.
    CalendarFeedId,
    /// The id of an OAuth client, its `client_id` (RFC 6749 §2.2).
    ClientId,
    /// The id of a grant: one authorization by one user for one client.
    GrantId,
    /// The id of a scope's definition. Protocol messages name the scope by
    /// [`Scope`](crate::domain::Scope) instead.
    ScopeId,
    /// The id of a user's console session. The browser proves it with a
    /// [`UserSessionToken`](crate::domain::UserSessionToken).
    UserSessionId,
);

/// The id of an application that defines scopes: a UUID, or `service` for the scopes of this
/// service itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ApplicationId {
    /// This service, which defines the default scopes such as `service:self_read`.
    Service,
    /// A registered application.
    Registered(Uuid),
}

impl ApplicationId {
    /// A new id from 128 random bits (RFC 9562 version 4).
    pub fn from_random(bits: [u8; 16]) -> Self {
        Self::Registered(uuid::Builder::from_random_bytes(bits).into_uuid())
    }
}

impl FromStr for ApplicationId {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        if text == "service" {
            Ok(Self::Service)
        } else {
            parse_uuid(text).map(Self::Registered)
        }
    }
}

impl fmt::Display for ApplicationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Service => f.write_str("service"),
            Self::Registered(id) => id.hyphenated().fmt(f),
        }
    }
}

/// Accepts only the lower-case hyphenated form. An id has one spelling, so ids can be compared as
/// text.
fn parse_uuid(text: &str) -> Result<Uuid, InvalidValue> {
    const INVALID: InvalidValue = InvalidValue::new("must be a UUID in lower case with hyphens");
    if text.len() != 36 || text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Err(INVALID);
    }
    Uuid::try_parse(text).map_err(|_| INVALID)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_id_is_above_zero() {
        assert!(StudentId::new(1).is_ok());
        assert!(StudentId::new(0).is_err());
        assert!(StudentId::new(-1).is_err());
    }

    #[test]
    fn a_unique_id_has_one_spelling() {
        let id = ClientId::from_random([0xAB; 16]).to_string();
        assert_eq!(id.parse::<ClientId>().unwrap().to_string(), id);
        for text in [
            id.to_uppercase(),
            id.replace('-', ""),
            format!("{{{id}}}"),
            format!("urn:uuid:{id}"),
            format!(" {id}"),
            String::new(),
        ] {
            assert!(text.parse::<ClientId>().is_err(), "{text:?} was accepted");
        }
    }

    #[test]
    fn the_service_has_an_application_id_of_its_own() {
        assert_eq!(
            "service".parse::<ApplicationId>().unwrap(),
            ApplicationId::Service
        );
        assert_eq!(ApplicationId::Service.to_string(), "service");
        assert!("Service".parse::<ApplicationId>().is_err());
    }
}

/// Declares the reasons for which a service refuses requests: the one table of their words,
/// statuses, conditions, rules and messages.
///
/// A row is a public reason: its word, its status and the condition that the OpenAPI description
/// names. Below it stand the refusals that clients see as this reason, each with its internal
/// rule, the constructor of the error, the message, and after `at` the parameter at fault. A
/// refusal with several rules, separated by `|`, has a constructor that takes the rule first.
///
/// The error type has `from_row(status, word, rule, message)` and, if a row uses `at`,
/// `with_parameter`.
macro_rules! error_reasons {
    (
        $(#[$meta:meta])*
        $reasons:ident for $error:ident {
            $($reason:ident = $word:literal, $status:ident, $condition:literal {
                $($rule:ident $(| $other:ident)* $name:ident($($arg:ident: $type:ty),*) $message:literal $(at $parameter:expr)?;)*
            })+
        }
    ) => {
        $crate::domain::string_enum! {
            $(#[$meta])*
            #[non_exhaustive]
            $reasons { $(#[doc = concat!("Answered to: ", $condition, ".")] $reason = $word),+ }
        }

        impl $reasons {
            /// The status of the response.
            pub const fn status(self) -> http::StatusCode {
                match self { $(Self::$reason => http::StatusCode::$status),+ }
            }

            /// When a request is refused for this reason, as the OpenAPI description has it.
            pub const fn condition(self) -> &'static str {
                match self { $(Self::$reason => $condition),+ }
            }

            /// The rules of the audit log that share this reason in responses.
            pub const fn rules(self) -> &'static [$crate::http::audit::RefusalRule] {
                match self { $(Self::$reason => &[$($crate::http::audit::RefusalRule::$rule $(, $crate::http::audit::RefusalRule::$other)*),*]),+ }
            }
        }

        impl $error {
            $($(
                $crate::http::error_reasons::constructor! {
                    [$rule $($other)*] $reasons::$reason $name($($arg: $type),*) $message $(at $parameter)?
                }
            )*)+
        }
    };
}

/// The constructor of a refusal, with its rule as the first parameter if it has several.
macro_rules! constructor {
    ([$rule:ident] $reasons:ident::$reason:ident $name:ident($($arg:ident: $type:ty),*) $message:literal $(at $parameter:expr)?) => {
        pub(crate) fn $name($($arg: $type),*) -> Self {
            Self::from_row(
                $reasons::$reason.status(),
                $reasons::$reason.as_str(),
                $crate::http::audit::RefusalRule::$rule,
                $crate::http::error_reasons::message!($message $(, $arg)*),
            )
            $(.with_parameter($parameter))?
        }
    };
    ([$($rules:ident)+] $reasons:ident::$reason:ident $name:ident() $message:literal) => {
        pub(crate) fn $name(rule: $crate::http::audit::RefusalRule) -> Self {
            let rules = [$($crate::http::audit::RefusalRule::$rules),+];
            debug_assert!(rules.contains(&rule), "{rule} is not in the row");
            let (status, word) = ($reasons::$reason.status(), $reasons::$reason.as_str());
            Self::from_row(status, word, rule, std::borrow::Cow::Borrowed($message))
        }
    };
}

/// The message of a row: a constant, unless it names an argument of the constructor.
macro_rules! message {
    ($message:literal) => {
        std::borrow::Cow::Borrowed($message)
    };
    ($message:literal, $($arg:ident),+) => {
        std::borrow::Cow::Owned(format!($message))
    };
}

pub(crate) use {constructor, error_reasons, message};

/// Declares the error reasons of a service as one table. Generates the enum of reasons and, for
/// each refusal, a constructor of the error type.
///
/// ```text
/// Reason = "wire_name", STATUS, "condition in the OpenAPI description" {
///     Rule constructor(argument: Type) "Message with {argument}." at "parameter";
///     RuleA | RuleB other_constructor() "Message.";
/// }
/// ```
///
/// Clients see the reason. Each refusal in the braces is reported as this reason, and has its rule
/// for the audit log, its constructor, its message, and after `at` the parameter at fault. The
/// constructor of a refusal with several rules takes the rule as its argument.
///
/// The error type provides `from_row(status, reason, rule, message)` and, if a row uses `at`,
/// `with_parameter`.
macro_rules! error_reasons {
    (
        $(#[$meta:meta])*
        $reasons:ident for $error:ident {
            $($reason:ident = $wire_name:literal, $status:ident, $condition:literal {
                $($rule:ident $(| $other:ident)* $name:ident($($arg:ident: $type:ty),*) $message:literal $(at $parameter:expr)?;)*
            })+
        }
    ) => {
        $crate::domain::string_enum! {
            $(#[$meta])*
            #[non_exhaustive]
            $reasons { $(#[doc = concat!("Condition: ", $condition, ".")] $reason = $wire_name),+ }
        }

        impl $reasons {
            /// The status of the response.
            pub const fn status(self) -> http::StatusCode {
                match self { $(Self::$reason => http::StatusCode::$status),+ }
            }

            /// The condition for this reason, as in the OpenAPI description.
            pub const fn condition(self) -> &'static str {
                match self { $(Self::$reason => $condition),+ }
            }

            /// The audit log's rules of the refusals in this table that responses report as this
            /// reason.
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
            let (status, reason) = ($reasons::$reason.status(), $reasons::$reason.as_str());
            Self::from_row(status, reason, rule, std::borrow::Cow::Borrowed($message))
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

/// Declares integer types with a lowest and a highest value.
macro_rules! bounded_int {
    ($($(#[$meta:meta])* $name:ident($repr:ty) in $low:literal..=$high:literal),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name($repr);

        impl $name {
            /// Creates the value from a number.
            ///
            /// # Errors
            #[doc = concat!("When the number is not from ", $low, " to ", $high, ".")]
            pub fn new(number: i64) -> Result<Self, $crate::domain::InvalidValue> {
                match <$repr>::try_from(number) {
                    Ok(number @ $low..=$high) => Ok(Self(number)),
                    _ => Err($crate::domain::InvalidValue::new(concat!("must be a whole number from ", $low, " to ", $high))),
                }
            }

            /// The number.
            pub const fn get(self) -> $repr {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

pub(crate) use bounded_int;

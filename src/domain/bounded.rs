/// Makes the types of whole numbers that have a lowest and a highest value.
macro_rules! bounded {
    ($($(#[$meta:meta])* $name:ident($repr:ty) in $low:literal..=$high:literal),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name($repr);

        impl $name {
            /// The value from its number.
            ///
            /// # Errors
            #[doc = concat!("When the number is not from ", $low, " to ", $high, ".")]
            pub fn new(number: i64) -> Result<Self, $crate::domain::Invalid> {
                match <$repr>::try_from(number) {
                    Ok(number @ $low..=$high) => Ok(Self(number)),
                    _ => Err($crate::domain::Invalid::new(concat!("must be a whole number from ", $low, " to ", $high))),
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

pub(crate) use bounded;

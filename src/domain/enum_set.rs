/// Declares a set of values of a `string_enum!`. Its text form is the names separated by single
/// spaces.
macro_rules! enum_set {
    ($(#[$meta:meta])* $name:ident of $word:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name(u8);

        impl $name {
            /// All values.
            pub fn all() -> Self {
                $word::ALL.iter().copied().collect()
            }

            /// Whether the set contains the value.
            pub const fn contains(self, word: $word) -> bool {
                self.0 & (1 << word as u8) != 0
            }

            /// Whether every value of this set is in `others`.
            pub const fn is_subset(self, others: Self) -> bool {
                self.0 & !others.0 == 0
            }

            /// Whether the set is empty.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The values of both sets.
            #[must_use]
            pub const fn union(self, others: Self) -> Self {
                Self(self.0 | others.0)
            }

            /// The values that are in both sets.
            #[must_use]
            pub const fn intersection(self, others: Self) -> Self {
                Self(self.0 & others.0)
            }

            /// The values that are not in `others`.
            #[must_use]
            pub const fn difference(self, others: Self) -> Self {
                Self(self.0 & !others.0)
            }

            /// The values in order of declaration.
            pub fn iter(self) -> impl Iterator<Item = $word> {
                $word::ALL.iter().copied().filter(move |word| self.contains(*word))
            }

            /// Parses names separated by single spaces; the empty text is the empty set.
            ///
            /// # Errors
            /// If a part is not a known name.
            pub fn parse(text: &str) -> Result<Self, $crate::domain::InvalidValue> {
                if text.is_empty() { Ok(Self::default()) } else { text.split(' ').map(str::parse).collect() }
            }
        }

        impl FromIterator<$word> for $name {
            fn from_iter<I: IntoIterator<Item = $word>>(words: I) -> Self {
                Self(words.into_iter().fold(0, |bits, word| bits | 1 << word as u8))
            }
        }

        /// Formats as the names separated by single spaces.
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let names: Vec<_> = self.iter().map($word::as_str).collect();
                f.write_str(&names.join(" "))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_set().entries(self.iter()).finish()
            }
        }
    };
}

pub(crate) use enum_set;

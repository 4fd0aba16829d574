/// Makes a set of a vocabulary's values, which is read and printed as their names separated by single spaces.
macro_rules! word_set {
    ($(#[$meta:meta])* $name:ident of $word:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name(u8);

        impl $name {
            /// Every value there is.
            pub fn all() -> Self {
                $word::ALL.iter().copied().collect()
            }

            /// Whether the value is one of these.
            pub const fn contains(self, word: $word) -> bool {
                self.0 & (1 << word as u8) != 0
            }

            /// Whether every one of these is one of the others.
            pub const fn is_subset(self, others: Self) -> bool {
                self.0 & !others.0 == 0
            }

            /// Whether there are none.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The values, in the order of their declaration.
            pub fn iter(self) -> impl Iterator<Item = $word> {
                $word::ALL.iter().copied().filter(move |word| self.contains(*word))
            }

            /// Reads names separated by single spaces; the empty text is the empty set.
            ///
            /// # Errors
            /// When a part is not such a name.
            pub fn parse(text: &str) -> Result<Self, $crate::domain::Invalid> {
                if text.is_empty() { Ok(Self::default()) } else { text.split(' ').map(str::parse).collect() }
            }
        }

        impl FromIterator<$word> for $name {
            fn from_iter<I: IntoIterator<Item = $word>>(words: I) -> Self {
                Self(words.into_iter().fold(0, |bits, word| bits | 1 << word as u8))
            }
        }

        /// The names separated by single spaces.
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

pub(crate) use word_set;

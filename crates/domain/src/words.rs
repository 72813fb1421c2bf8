//! Enums with a word for each variant, in the API and in the store.

/// Declares such an enum. It is also an enum in JSON, with the words in snake case. A `plain` one is not; it has a list
/// of all its variants instead.
macro_rules! words {
    (plain $(#[$meta:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $(#[$meta])*
        pub enum $name { $($(#[$variant_doc])* $variant),* }

        $crate::words::words! { @impl $name { $($variant = $word),* } }

        impl $name {
            /// All variants, in the order of their words.
            pub const ALL: &[Self] = &[$(Self::$variant),*];
        }
    };
    (@impl $name:ident { $($variant:ident = $word:literal),* }) => {
        impl $name {
            /// All words.
            pub const WORDS: &[&str] = &[$($word),*];

            /// Returns the word in the API and the store.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Returns the variant with this word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        $(#[$doc])*
        pub enum $name { $($(#[$variant_doc])* $variant),* }

        $crate::words::words! { @impl $name { $($variant = $word),* } }
    };
}

pub(crate) use words;

//! Enums with a word for each variant, in the API and in the store.

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        $(#[$doc])*
        pub enum $name { $($(#[$variant_doc])* $variant),* }

        impl $name {
            /// All words.
            pub const WORDS: &[&str] = &[$($word),*];

            /// Returns the word in the API and the store.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Returns the variant with this word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

pub(crate) use words;

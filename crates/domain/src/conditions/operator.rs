//! The operators.

macro_rules! operators {
    ($($(#[$doc:meta])* $variant:ident = $word:literal),* $(,)?) => {
        /// An operator of a leaf.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Operator { $($(#[$doc])* $variant),* }

        impl Operator {
            /// All words.
            pub const WORDS: &[&str] = &[$($word),*];

            /// All operators.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The operator in the grammar.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// The operator with this word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

operators! {
    /// Equal.
    Eq = "eq",
    /// Not equal, or without a value.
    Ne = "ne",
    /// Equal to one of a list.
    In = "in",
    /// Equal to none of a list, or without a value.
    NotIn = "not_in",
    /// Contains this text.
    Contains = "contains",
    /// Begins with this text.
    StartsWith = "starts_with",
    /// Greater.
    Gt = "gt",
    /// Greater or equal.
    Gte = "gte",
    /// Less.
    Lt = "lt",
    /// Less or equal.
    Lte = "lte",
    /// Between two values, both included.
    Between = "between",
    /// Has a value.
    Exists = "exists",
    /// Has no value.
    NotExists = "not_exists",
    /// The list has this element.
    Has = "has",
    /// The list does not have this element.
    HasNot = "has_not",
    /// Earlier.
    Before = "before",
    /// Later.
    After = "after",
    /// At most this long ago.
    WithinLast = "within_last",
}

impl Operator {
    /// Whether it is the opposite of another operator.
    pub(super) fn is_negative(self) -> bool {
        matches!(self, Self::Ne | Self::NotIn | Self::NotExists | Self::HasNot)
    }

    pub(super) fn is_unary(self) -> bool {
        matches!(self, Self::Exists | Self::NotExists)
    }
}

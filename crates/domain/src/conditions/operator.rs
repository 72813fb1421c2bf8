//! The operators.

use crate::words::words;

words! {
    plain
    /// An operator of a leaf.
    Operator {
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

//! The types of fields, and the operators of each type.

use super::operator::Operator::{self, *};
use crate::fields::FieldKind;

/// The type of a field's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind<'v> {
    Text,
    Email,
    Phone,
    Url,
    /// One word of a fixed list.
    Word(&'static [&'static str]),
    /// One of the options of a field.
    Choice(&'v [String]),
    /// Several options of a field.
    List(&'v [String]),
    Number,
    Boolean,
    Date,
    Datetime,
    /// An ID with this prefix.
    Id(&'static str),
    Tags,
    /// Only its presence can be tested.
    Presence,
    /// The type of the condition's value.
    Any,
}

impl<'v> Kind<'v> {
    pub(super) fn of_field(kind: FieldKind, options: &'v [String]) -> Self {
        match kind {
            FieldKind::Text => Self::Text,
            FieldKind::Number => Self::Number,
            FieldKind::Boolean => Self::Boolean,
            FieldKind::Date => Self::Date,
            FieldKind::Datetime => Self::Datetime,
            FieldKind::Email => Self::Email,
            FieldKind::Phone => Self::Phone,
            FieldKind::Url => Self::Url,
            FieldKind::Select => Self::Choice(options),
            FieldKind::MultiSelect => Self::List(options),
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Email => "email",
            Self::Phone => "phone",
            Self::Url => "url",
            Self::Word(_) => "word",
            Self::Choice(_) => "select",
            Self::List(_) => "multi_select",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Date => "date",
            Self::Datetime => "datetime",
            Self::Id(_) => "id",
            Self::Tags => "tags",
            Self::Presence => "presence",
            Self::Any => "any",
        }
    }

    pub(super) fn operators(self) -> &'static [Operator] {
        match self {
            Self::Text | Self::Email | Self::Phone | Self::Url => {
                &[Eq, Ne, In, NotIn, Contains, StartsWith, Exists, NotExists]
            }
            Self::Word(_) | Self::Choice(_) | Self::Id(_) => &[Eq, Ne, In, NotIn, Exists, NotExists],
            Self::List(_) | Self::Tags => &[Has, HasNot, In, NotIn, Exists, NotExists],
            Self::Number => &[Eq, Ne, In, NotIn, Gt, Gte, Lt, Lte, Between, Exists, NotExists],
            Self::Boolean => &[Eq, Ne, Exists, NotExists],
            Self::Date | Self::Datetime => {
                &[Eq, Ne, In, NotIn, Gt, Gte, Lt, Lte, Between, Before, After, WithinLast, Exists, NotExists]
            }
            Self::Presence => &[Exists, NotExists],
            Self::Any => Operator::ALL,
        }
    }
}

//! Types of fields, and rules for their values.

use serde::{Deserialize, Serialize};

macro_rules! field_kinds {
    ($($variant:ident = $word:literal),* $(,)?) => {
        /// Type of the values of a field.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FieldType))]
        #[serde(rename_all = "snake_case")]
        pub enum FieldKind {
            $(#[doc = concat!("`", $word, "`")] $variant,)*
        }

        impl FieldKind {
            /// The words of all types.
            pub const WORDS: &[&str] = &[$($word),*];

            /// Returns the word in the API and the store.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Returns the type with this word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

field_kinds! {
    Text = "text", Number = "number", Boolean = "boolean", Date = "date", Datetime = "datetime",
    Email = "email", Phone = "phone", Url = "url", Select = "select", MultiSelect = "multi_select",
}

impl FieldKind {
    /// Whether values are chosen from options.
    pub fn has_options(self) -> bool {
        matches!(self, Self::Select | Self::MultiSelect)
    }

    /// Whether values have an order, so filters can compare them.
    pub fn has_order(self) -> bool {
        matches!(self, Self::Number | Self::Date | Self::Datetime)
    }

    /// The types that a bot field can have.
    pub const OF_BOT_FIELDS: [&str; 5] = ["text", "number", "boolean", "date", "datetime"];
}

/// Rules for values, in addition to the type.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FieldValidation))]
pub struct Rules {
    /// Minimum of a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Maximum of a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Maximum number of characters of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// Regular expression that must match some part of a text; use `^` and `$` to match the whole text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
}

//! Types of fields, and rules for their values.

use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// Type of the values of a field.
    #[cfg_attr(feature = "openapi", schema(as = FieldType))]
    FieldKind {
        /// `text`
        Text = "text",
        /// `number`
        Number = "number",
        /// `boolean`
        Boolean = "boolean",
        /// `date`
        Date = "date",
        /// `datetime`
        Datetime = "datetime",
        /// `email`
        Email = "email",
        /// `phone`
        Phone = "phone",
        /// `url`
        Url = "url",
        /// `select`
        Select = "select",
        /// `multi_select`
        MultiSelect = "multi_select",
    }
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

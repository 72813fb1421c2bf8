//! What a custom field is.

use serde::{Deserialize, Serialize};

use crate::conditions::{Operand, Place, Question, Selection};
use crate::contacts::MatchPattern;
use crate::ids::{FieldId, TypedId};
use crate::patch::Patch;
use crate::text::{fold, is_key};
use crate::time::Timestamp;

macro_rules! field_kinds {
    ($($variant:ident = $word:literal),* $(,)?) => {
        /// The type of a field's values.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FieldType))]
        #[serde(rename_all = "snake_case")]
        pub enum FieldKind {
            $(#[doc = concat!("`", $word, "`")] $variant,)*
        }

        impl FieldKind {
            /// The words of all types.
            pub const WORDS: &[&str] = &[$($word),*];

            /// The word in the API and the store.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// The type with this word.
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

    /// Whether values have an order in which filters can compare them.
    pub fn has_order(self) -> bool {
        matches!(self, Self::Number | Self::Date | Self::Datetime)
    }

    /// The types that a bot field may have.
    pub const OF_BOT_FIELDS: [&str; 5] = ["text", "number", "boolean", "date", "datetime"];
}

/// What values must satisfy beyond their type.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FieldValidation))]
pub struct Rules {
    /// The smallest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The largest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// The most characters of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// A regular expression that a text must match somewhere; anchor it with `^` and `$`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
}

/// An attribute that a workspace defines for its contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomField {
    /// Its id.
    pub id: FieldId,
    /// `^[a-z][a-z0-9_]{0,35}$`; unique in the workspace, never changed.
    pub key: String,
    /// What people call it; 1 to 100 characters.
    pub name: String,
    /// The type of its values; never changed.
    pub kind: FieldKind,
    /// What `select` and `multi_select` choose from.
    pub options: Vec<String>,
    /// What values must satisfy.
    pub rules: Rules,
    /// Options that are being taken off contacts: contacts may still carry them in the store, and nothing shows them.
    pub retired: Vec<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

/// How a request names a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldRef<I> {
    /// By its id.
    Id(I),
    /// By its key.
    Key(String),
}

impl<I: TypedId> FieldRef<I> {
    /// Reads an id or a key; anything else names no field.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().map(Self::Id).ok().or_else(|| is_key(text).then(|| Self::Key(text.to_owned())))
    }
}

/// A custom field to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCustomField {
    /// From the name when absent.
    pub key: Option<String>,
    /// 1 to 100 characters.
    pub name: String,
    /// The type of its values.
    pub kind: FieldKind,
    /// What to choose from.
    pub options: Vec<String>,
    /// What values must satisfy.
    pub rules: Rules,
}

/// A merging update of a custom field; key and type never change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CustomFieldPatch {
    /// 1 to 100 characters.
    pub name: Option<String>,
    /// What to choose from.
    pub options: Option<Vec<String>>,
    /// What values must satisfy; values already given stay.
    pub rules: Patch<Rules>,
}

/// An attribute that a workspace defines for its contacts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CustomField))]
pub struct CustomFieldView {
    /// The id.
    pub id: FieldId,
    /// The name in `custom_fields` of contacts; never changed.
    pub key: String,
    /// What people call it.
    pub name: String,
    /// The type of its values; never changed.
    #[serde(rename = "type")]
    pub kind: FieldKind,
    /// What `select` and `multi_select` choose from.
    pub options: Vec<String>,
    /// What values must satisfy beyond their type.
    pub validation: Rules,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl From<&CustomField> for CustomFieldView {
    fn from(it: &CustomField) -> Self {
        Self {
            id: it.id,
            key: it.key.clone(),
            name: it.name.clone(),
            kind: it.kind,
            options: it.options.clone(),
            validation: it.rules.clone(),
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}

impl CustomField {
    /// Who has a value, while options are being taken off contacts: whoever has one of the others.
    pub(crate) fn presence(&self) -> Option<Selection> {
        let others = || self.options.iter().map(|option| Operand::Text(fold(option))).collect();
        let place = Place::Custom(self.id, self.kind);
        (!self.retired.is_empty()).then(|| Selection::Holds(place, Question::OneOf(others())))
    }

    /// What a filter that asks whether there is a value means while options are being taken off contacts; `None` for
    /// other filters, and where no option is.
    pub fn presence_matching(&self, pattern: &MatchPattern) -> Option<Selection> {
        match pattern {
            MatchPattern::Any => self.presence(),
            MatchPattern::Not(inner) => Some(Selection::Not(Box::new(self.presence_matching(inner)?))),
            _ => None,
        }
    }

    /// Checks a value (never `null`) and brings it to its normal form.
    ///
    /// # Errors
    /// What is wrong with it, and what would be right.
    pub fn check(&self, value: &serde_json::Value) -> Result<super::FieldValue, super::InvalidValue> {
        super::check_value(self.kind, &self.options, &self.rules, value)
    }

    /// How a filter `custom_fields.KEY=text` recognises this field's values.
    ///
    /// # Errors
    /// The text is no value of the field's type.
    pub fn match_pattern(&self, text: &str) -> Result<MatchPattern, super::InvalidValue> {
        self.compare_pattern(super::Comparison::Equal, text)
    }

    /// How a filter `custom_fields.KEY[gte]=text` recognises this field's values.
    ///
    /// # Errors
    /// The text is no value of the field's type, or its values have no order.
    pub fn compare_pattern(
        &self,
        comparison: super::Comparison,
        text: &str,
    ) -> Result<MatchPattern, super::InvalidValue> {
        super::values::match_pattern(self.kind, &self.options, comparison, text)
    }
}

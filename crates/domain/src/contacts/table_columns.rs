//! The columns of a table of contacts: the target and the format of each.

use serde::{Deserialize, Serialize};
use tidings_tables::{ColumnKind, CustomField as TableField, Format, Options, Target};

use super::{Attribute, WrongCell};
use crate::fields::{CustomField, FieldKind};

/// The reading of a column in an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadColumn {
    /// The target; [`Target::Skip`] if the column is not imported.
    #[serde(with = "target_text")]
    pub target: Target,
    /// The format of its cells.
    #[serde(with = "format_text")]
    pub format: Format,
}

impl ReadColumn {
    /// A column that is not imported.
    pub const SKIPPED: Self = Self { target: Target::Skip, format: Format::Text };
}

mod target_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tidings_tables::Target;

    pub(super) fn serialize<S: Serializer>(target: &Target, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(target)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Target, D::Error> {
        let text = String::deserialize(from)?;
        Target::parse(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is not a target of columns")))
    }
}

mod format_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tidings_tables::Format;

    pub(super) fn serialize<S: Serializer>(format: &Format, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(format)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Format, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// The target of a column, with its field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Column {
    /// An attribute.
    Attribute(Attribute),
    /// The first and the last name.
    FullName,
    /// The status.
    Status,
    /// Whether the contact is subscribed.
    Subscribed,
    /// Tags.
    Tags,
    /// A custom field.
    Field(Box<CustomField>),
    /// Nothing.
    Skipped,
}

impl Column {
    pub(super) fn of(target: &Target, fields: &[CustomField]) -> Result<Self, String> {
        Ok(match target {
            Target::ExternalId => Self::Attribute(Attribute::ExternalId),
            Target::Email => Self::Attribute(Attribute::Email),
            Target::Phone => Self::Attribute(Attribute::Phone),
            Target::FirstName => Self::Attribute(Attribute::FirstName),
            Target::LastName => Self::Attribute(Attribute::LastName),
            Target::FullName => Self::FullName,
            Target::Locale => Self::Attribute(Attribute::Locale),
            Target::TimeZone => Self::Attribute(Attribute::TimeZone),
            Target::AvatarUrl => Self::Attribute(Attribute::AvatarUrl),
            Target::Tags => Self::Tags,
            Target::Subscribed => Self::Subscribed,
            Target::Status => Self::Status,
            Target::CustomField(key) => {
                let field = fields.iter().find(|field| field.key.as_str() == key);
                let field = field.ok_or_else(|| format!("no custom field has the key `{key}`"))?;
                Self::Field(Box::new(field.clone()))
            }
            Target::Skip => Self::Skipped,
        })
    }

    /// Whether a wrong cell can be skipped. Skipping an identifier, status or subscription could change another contact
    /// or a consent.
    pub(super) fn may_be_skipped(&self) -> bool {
        match self {
            Self::Attribute(attribute) => !IDENTIFIERS.contains(attribute),
            Self::Status | Self::Subscribed => false,
            Self::FullName | Self::Tags | Self::Field(_) | Self::Skipped => true,
        }
    }

    /// Whether the pointer of a violation is about what the column sets.
    pub(super) fn is_at(&self, pointer: &str) -> bool {
        let path = pointer.trim_start_matches('/');
        match self {
            Self::Attribute(attribute) => path == attribute.as_str(),
            Self::FullName => [Attribute::FirstName, Attribute::LastName].iter().any(|it| it.as_str() == path),
            Self::Status => path == "status",
            Self::Subscribed => path == "subscribed",
            Self::Tags => path.split('/').next() == Some("tags"),
            Self::Field(field) => path.strip_prefix("custom_fields/") == Some(field.key.as_str()),
            Self::Skipped => false,
        }
    }
}

pub(super) const IDENTIFIERS: [Attribute; 3] = [Attribute::ExternalId, Attribute::Email, Attribute::Phone];

#[derive(Debug, Clone, PartialEq)]
pub(super) struct TableColumn {
    pub(super) heading: String,
    pub(super) column: Column,
    pub(super) format: Format,
    pub(super) options: Options,
}

impl TableColumn {
    pub(super) fn of(heading: &str, read: &ReadColumn, fields: &[CustomField]) -> Result<Self, WrongCell> {
        let column = Column::of(&read.target, fields).map_err(|it| WrongCell::new(heading, "unknown_column", it))?;
        let options = match &column {
            Column::Field(field) => Options::new(field.options.iter().cloned()),
            Column::Status => Options::new(["active", "blocked"]),
            Column::Attribute(_) | Column::FullName | Column::Subscribed | Column::Tags | Column::Skipped => {
                Options::default()
            }
        };
        Ok(Self { heading: heading.to_owned(), column, format: read.format, options })
    }
}

/// The field in the form for the mapping of headings.
pub(crate) fn table_field(field: &CustomField) -> TableField {
    let kind = match field.kind {
        FieldKind::Text | FieldKind::Email | FieldKind::Url => ColumnKind::Text,
        FieldKind::Number => ColumnKind::Number,
        FieldKind::Boolean => ColumnKind::YesNo { is_inverted: false },
        FieldKind::Date => ColumnKind::Date,
        FieldKind::Datetime => ColumnKind::DateTime,
        FieldKind::Phone => ColumnKind::Phone,
        FieldKind::Select => ColumnKind::Choice,
        FieldKind::MultiSelect => ColumnKind::Choices,
    };
    TableField { key: field.key.to_string(), name: field.name.clone(), kind, options: field.options.clone() }
}

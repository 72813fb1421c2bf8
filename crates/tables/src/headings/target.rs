//! Targets of columns: attributes of contacts and custom fields.

use std::fmt;

use crate::kinds::ColumnKind;
use crate::names::NameOrder;
use crate::options::Options;

/// The target of a column. Its text form is the name in exports and in the API.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// `external_id`
    ExternalId,
    /// `email`
    Email,
    /// `phone`
    Phone,
    /// `first_name`
    FirstName,
    /// `last_name`
    LastName,
    /// `name`: a full name, which is split.
    FullName,
    /// `locale`
    Locale,
    /// `time_zone`
    TimeZone,
    /// `avatar_url`
    AvatarUrl,
    /// `tags`
    Tags,
    /// `subscribed`
    Subscribed,
    /// `status`: `active` or `blocked`.
    Status,
    /// `custom_fields.KEY`
    CustomField(String),
    /// `-`: the column is skipped.
    Skip,
}

/// A custom field of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomField {
    /// The key.
    pub key: String,
    /// The name that users see.
    pub name: String,
    /// The kind of its values.
    pub kind: ColumnKind,
    /// The options of a select field.
    pub options: Vec<String>,
}

impl Target {
    /// All targets but custom fields.
    pub const PLAIN: [Self; 13] = [
        Self::ExternalId,
        Self::Email,
        Self::Phone,
        Self::FirstName,
        Self::LastName,
        Self::FullName,
        Self::Locale,
        Self::TimeZone,
        Self::AvatarUrl,
        Self::Tags,
        Self::Subscribed,
        Self::Status,
        Self::Skip,
    ];

    /// The target with this text form.
    pub fn parse(text: &str) -> Option<Self> {
        let key = text.strip_prefix("custom_fields.").filter(|key| !key.is_empty());
        let plain = || Self::PLAIN.into_iter().find(|it| it.to_string() == text);
        key.map(|key| Self::CustomField(key.to_owned())).or_else(plain)
    }

    /// The kind of the column's values, and the options. `is_inverted` is the flag in [`super::Match::Proposed`].
    /// `None` for a skipped column or a custom field that does not exist.
    pub fn kind(&self, fields: &[CustomField], is_inverted: bool) -> Option<(ColumnKind, Options)> {
        let plain = |kind| Some((kind, Options::default()));
        match self {
            Self::ExternalId => plain(ColumnKind::Id),
            Self::Email | Self::FirstName | Self::LastName | Self::AvatarUrl => plain(ColumnKind::Text),
            Self::Phone => plain(ColumnKind::Phone),
            Self::FullName => plain(ColumnKind::FullName { order: NameOrder::FirstLast }),
            Self::Locale => plain(ColumnKind::Locale),
            Self::TimeZone => plain(ColumnKind::TimeZone),
            Self::Tags => plain(ColumnKind::List),
            Self::Subscribed => plain(ColumnKind::YesNo { is_inverted }),
            Self::Status => Some((ColumnKind::Choice, Options::new(["active", "blocked"]))),
            Self::CustomField(key) => {
                let field = fields.iter().find(|it| it.key == *key)?;
                Some((field.kind, Options::new(field.options.iter().cloned())))
            }
            Self::Skip => None,
        }
    }

    /// Whether a heading that is exactly the name of the target names it. `name` has other meanings as well, and a
    /// heading `-` skips nothing.
    pub(super) fn is_exact_heading(&self) -> bool {
        !matches!(self, Self::FullName | Self::Skip)
    }

    pub(super) fn exists(&self, fields: &[CustomField]) -> bool {
        if let Self::CustomField(key) = self { fields.iter().any(|it| it.key == *key) } else { true }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::ExternalId => "external_id",
            Self::Email => "email",
            Self::Phone => "phone",
            Self::FirstName => "first_name",
            Self::LastName => "last_name",
            Self::FullName => "name",
            Self::Locale => "locale",
            Self::TimeZone => "time_zone",
            Self::AvatarUrl => "avatar_url",
            Self::Tags => "tags",
            Self::Subscribed => "subscribed",
            Self::Status => "status",
            Self::CustomField(key) => return write!(out, "custom_fields.{key}"),
            Self::Skip => "-",
        })
    }
}

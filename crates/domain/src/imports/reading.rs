//! The parameters of a table, and the reading that follows from them.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use tidings_tables::{Country, Delimiter, Dialect, Format, TextEncoding};

use crate::contacts::{OnError, ReadColumn};

/// The parameters of a table. Missing parameters are detected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// The encoding.
    pub encoding: Option<TextEncoding>,
    /// The delimiter.
    pub delimiter: Option<Delimiter>,
    /// Headings and their targets; `-` skips a column.
    pub columns: Vec<(String, String)>,
    /// Headings and the formats of their cells.
    pub formats: Vec<(String, Format)>,
    /// The country of phone numbers without a country code.
    pub country: Option<Country>,
}

/// The reading of a table: all that is needed to read its rows again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The encoding; `None` for ASCII.
    pub encoding: Option<String>,
    /// The delimiter: `,`, `;`, `tab` or `|`.
    pub delimiter: String,
    /// The columns, in the order of the headings. Empty for an import of a release before readings were stored.
    pub columns: Vec<ReadColumn>,
    /// The time zone of times without a zone.
    pub time_zone: String,
    /// Action for cells that do not fit their columns.
    pub on_error: OnError,
}

impl Reading {
    /// The encoding and the delimiter.
    pub fn dialect(&self) -> Dialect {
        let encoding = self.encoding.as_deref().and_then(|name| name.parse().ok());
        let delimiter = self.delimiter.parse().unwrap_or(Delimiter::Comma);
        Dialect { encoding, delimiter, has_sep_line: false }
    }

    /// The time zone of times without a zone.
    pub fn zone(&self) -> Tz {
        self.time_zone.parse().unwrap_or(Tz::UTC)
    }
}

impl Default for Reading {
    fn default() -> Self {
        let delimiter = Delimiter::Comma.to_string();
        let time_zone = Tz::UTC.name().to_owned();
        Self { encoding: None, delimiter, columns: Vec::new(), time_zone, on_error: OnError::RejectRow }
    }
}

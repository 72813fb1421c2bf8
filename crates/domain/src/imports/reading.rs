//! Parameters of a table, and the settings for reading it.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use tidings_tables::{Country, Delimiter, Dialect, Format, TextEncoding};

use crate::contacts::{OnError, ReadColumn};

/// The parameters of a table. Missing ones are detected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// The encoding.
    pub encoding: Option<TextEncoding>,
    /// The delimiter.
    pub delimiter: Option<Delimiter>,
    /// Targets of columns, by heading; `-` skips a column.
    pub columns: Vec<(String, String)>,
    /// Formats of columns, by heading.
    pub formats: Vec<(String, Format)>,
    /// The country of phone numbers without a country code.
    pub country: Option<Country>,
}

/// The settings for reading the rows of a table again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The encoding; `None` for ASCII.
    pub encoding: Option<String>,
    /// The delimiter: `,`, `;`, `tab` or `|`.
    pub delimiter: String,
    /// The columns, in the order of the headings. Empty for imports of releases that did not store them.
    pub columns: Vec<ReadColumn>,
    /// The time zone of times without a zone.
    pub time_zone: String,
    /// Action for cells that do not fit their columns.
    pub on_error: OnError,
    /// Headings of columns that have cells and are not imported, shortened. Empty for imports of earlier releases.
    #[serde(default)]
    pub ignored: Vec<String>,
}

impl Reading {
    /// Returns the encoding and the delimiter.
    pub fn dialect(&self) -> Dialect {
        let encoding = self.encoding.as_deref().and_then(|name| name.parse().ok());
        let delimiter = self.delimiter.parse().unwrap_or(Delimiter::Comma);
        Dialect { encoding, delimiter, has_sep_line: false }
    }

    /// Returns the time zone of times without a zone.
    pub fn zone(&self) -> Tz {
        self.time_zone.parse().unwrap_or(Tz::UTC)
    }
}

impl Default for Reading {
    fn default() -> Self {
        let delimiter = Delimiter::Comma.to_string();
        let time_zone = Tz::UTC.name().to_owned();
        let on_error = OnError::RejectRow;
        Self { encoding: None, delimiter, columns: Vec::new(), time_zone, on_error, ignored: Vec::new() }
    }
}

//! The options of single commands.

use std::path::PathBuf;

use clap::Args;
use tidings_domain::contacts::{ContactKey, OnError};
use tidings_domain::tables::{Delimiter, TextEncoding};

use super::values::{contact_key, on_error};

/// The options of an import.
#[derive(Debug, Args)]
pub(crate) struct ImportOptions {
    /// The table, as a spreadsheet writes it; - reads standard input. Its first row contains the headings
    pub(crate) file: PathBuf,
    /// The ID of the workspace, or its name if the name is unique
    #[arg(long)]
    pub(crate) workspace: String,
    /// Map a column with another name, such as "E-Mail=email"; "Notes=-" skips a column, "#3=-" the third one if it has no
    /// heading. Can be repeated
    #[arg(long = "column", value_name = "COLUMN=FIELD")]
    pub(crate) columns: Vec<String>,
    /// Format of the cells of a column, such as "Since=date:dd.mm.yyyy", if they fit several. Can be repeated
    #[arg(long = "format", value_name = "COLUMN=FORMAT")]
    pub(crate) formats: Vec<String>,
    /// Encoding of the table, such as utf-8 or windows-1252; detected if absent
    #[arg(long)]
    pub(crate) encoding: Option<TextEncoding>,
    /// Delimiter of the table: , ; tab or |; detected if absent
    #[arg(long)]
    pub(crate) delimiter: Option<Delimiter>,
    /// Check the table and print the formats and the wrong cells; nothing is imported
    #[arg(long)]
    pub(crate) check: bool,
    /// Action for a cell that does not fit its column: skip_cell or reject_row
    #[arg(long, default_value = "skip_cell", value_parser = on_error)]
    pub(crate) on_error: OnError,
    /// The identifier to find contacts by: external_id, email or phone; if absent, all three in this order
    #[arg(long, value_parser = contact_key)]
    pub(crate) key: Option<ContactKey>,
    /// The file for rejected lines and their errors, to correct and import again; next to the table if absent
    #[arg(long)]
    pub(crate) rejected: Option<PathBuf>,
}

/// The options of a migration.
#[derive(Debug, Args)]
pub(crate) struct MigrateOptions {
    /// Change nothing; print each migration with its locks, its effect on writers and its statements
    #[arg(long)]
    pub(crate) plan: bool,
    /// PostgreSQL only. Skip migrations that remove what the previous release uses. A later run without this option
    /// applies them
    #[arg(long, conflicts_with = "plan")]
    pub(crate) before_rollout: bool,
}

/// The options of `listen`.
#[derive(Debug, Args)]
pub(crate) struct ListenOptions {
    /// The port on 127.0.0.1
    #[arg(long, default_value_t = 9000)]
    pub(crate) port: u16,
    /// A file with the secret of the webhook (whsec_…); if absent, TIDINGS_LISTEN_SECRET is used
    #[arg(long)]
    pub(crate) secret_file: Option<PathBuf>,
    /// Forward the events of the workspace to this URL, such as http://127.0.0.1:3000/hooks, as a webhook would send them;
    /// if no secret is set, one is generated
    #[arg(long, value_name = "URL", conflicts_with = "port")]
    pub(crate) forward_to: Option<reqwest::Url>,
    /// The URL of the server, such as http://127.0.0.1:8080; if absent, the address in the settings
    #[arg(long, requires = "forward_to")]
    pub(crate) url: Option<String>,
    /// A file with an API key of the workspace (tdg_…); if absent, TIDINGS_API_KEY or the key of the first start is used
    #[arg(long, requires = "forward_to")]
    pub(crate) key_file: Option<PathBuf>,
    /// Only events of these types, such as contact.created,message.received
    #[arg(long, requires = "forward_to")]
    pub(crate) types: Option<String>,
    /// Start after this position of the feed; if absent, after the last event
    #[arg(long, value_name = "POSITION", requires = "forward_to", value_parser = clap::value_parser!(i64).range(0..))]
    pub(crate) after: Option<i64>,
}

/// The options of `mail-in`.
#[derive(Debug, Args)]
pub(crate) struct MailInOptions {
    /// The inbound URL of the channel, such as https://tidings.example.com/inbound/…
    #[arg(long)]
    pub(crate) url: reqwest::Url,
    /// A file with the secret for inbound mail of the channel (whsec_…)
    #[arg(long)]
    pub(crate) secret_file: PathBuf,
}

/// The options of `demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoOptions {
    /// The URL of the server, such as http://127.0.0.1:8080; if absent, the address in the settings
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// Keep the workspace of the example; otherwise it is erased at the end
    #[arg(long)]
    pub(crate) keep: bool,
}

//! The command line. No secret is ever an argument: arguments show in the list of processes.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use tidings_domain::access::{Plan, Role as MemberRole, Scope};
use tidings_domain::contacts::{ContactKey, Email};
use tidings_domain::ids::{JobId, KeyId};
use tidings_domain::platform::MAX_OVERLAP;
use tidings_domain::text::characters::{is_blank, trim};
use tidings_domain::time::IsoDuration;

/// Contacts, conversations, flows and webhooks, as a service of your own.
#[derive(Debug, Parser)]
#[command(name = "tidings", version, propagate_version = true)]
#[command(after_help = "Settings: `tidings settings` prints them all. Exit codes: 0 done, 1 failed, 2 wrong usage.")]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print JSON of the API's shapes, one object, to standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the API and run what falls due
    Serve {
        /// What this process does; api and engine alone need PostgreSQL
        #[arg(long, value_enum, default_value_t = Role::All)]
        role: Role,
    },
    /// Bring the database's schema up to date
    Migrate(MigrateOptions),
    /// Check settings, storage, keys, clock and ports, and say what to do
    Doctor,
    /// Print all settings with their defaults, each with what it does
    Settings,
    /// Make and list workspaces
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    /// Make people who sign in, and set their passwords
    #[command(subcommand)]
    User(UserCommand),
    /// Make, list, rotate and revoke API keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Replace the master key
    #[command(subcommand)]
    Secrets(SecretsCommand),
    /// Copy the database to a file, while it serves
    Backup {
        /// Where to; nothing may be there yet
        file: PathBuf,
    },
    /// Make the database from a copy, in an empty data folder; it holds what it would send
    Restore {
        /// What `backup` made
        file: PathBuf,
        /// Only look whether it could be restored
        #[arg(long)]
        check: bool,
    },
    /// Hold everything that is sent by channels and webhooks, or let it go
    #[command(subcommand)]
    Outbound(OutboundCommand),
    /// Look at jobs that were put aside, have them done again, or let them go
    #[command(subcommand)]
    Jobs(JobsCommand),
    /// Take over what other systems have
    #[command(subcommand)]
    Import(ImportCommand),
    /// Receive webhooks on this machine, verify their signatures and print them
    Listen(ListenOptions),
    /// Play a whole story against the running server, in a workspace of its own
    Demo(DemoOptions),
    /// Print the OpenAPI document
    Openapi,
}

/// What a serving process does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Role {
    /// Both.
    All,
    /// Answers requests.
    Api,
    /// Runs what falls due.
    Engine,
}

impl Role {
    /// Its word.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Api => "api",
            Self::Engine => "engine",
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceCommand {
    /// Make a workspace with a sandbox channel
    Create {
        /// What people call it; 1 to 100 characters
        #[arg(long, value_parser = name)]
        name: String,
        /// What it pays for: starter, pro or business
        #[arg(long, default_value = "starter", value_parser = plan)]
        plan: Plan,
    },
    /// List all workspaces
    List,
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Make a person with a place in a workspace. The password is read from standard input; where
    /// that is a terminal or empty, one is made and shown this once
    Create {
        /// The address to sign in with
        #[arg(long, value_parser = email)]
        email: Email,
        /// The workspace's id, or its name if no other has it
        #[arg(long)]
        workspace: String,
        /// What they are there: owner, admin, member or viewer
        #[arg(long, value_parser = member_role)]
        role: MemberRole,
        /// What people call them; the address, when absent
        #[arg(long, value_parser = name)]
        name: Option<String>,
        /// They run the service: they make workspaces and decide on plans
        #[arg(long)]
        operator: bool,
    },
    /// Set a person's password, read or made as for create; all their sessions end
    Password {
        /// The address that they sign in with
        #[arg(long, value_parser = email)]
        email: Email,
    },
    /// Make a link by which a person sets another password: good once, for an hour
    ResetLink {
        /// The address that they sign in with
        #[arg(long, value_parser = email)]
        email: Email,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Make a key; it is shown this once
    Create {
        /// The workspace's id, or its name if no other has it
        #[arg(long)]
        workspace: String,
        /// What the key may do: read, write or full
        #[arg(long, value_parser = scope)]
        scope: Scope,
        /// What people call it; 1 to 100 characters
        #[arg(long, value_parser = name)]
        name: String,
    },
    /// List the keys of a workspace
    List {
        /// The workspace's id, or its name if no other has it
        #[arg(long)]
        workspace: String,
    },
    /// Replace a key by one of the same name and scope; it is shown this once
    Rotate {
        /// The workspace's id, or its name if no other has it
        #[arg(long)]
        workspace: String,
        /// How long the old key goes on: PT0S to P7D
        #[arg(long, default_value = "P1D", value_parser = overlap)]
        overlap: IsoDuration,
        /// The key's id, such as key_01h455vb4pex5vsknk084sn02q
        id: KeyId,
    },
    /// Revoke a key; every server refuses it within five seconds
    Revoke {
        /// The workspace's id, or its name if no other has it
        #[arg(long)]
        workspace: String,
        /// The key's id, such as key_01h455vb4pex5vsknk084sn02q
        id: KeyId,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum SecretsCommand {
    /// Seal by secrets.master_key what secrets.previous_keys have sealed, while servers run; it may be
    /// interrupted and run again, and says when the previous keys may go
    Reseal,
}

#[derive(Debug, Subcommand)]
pub(crate) enum OutboundCommand {
    /// Hold it: messages and deliveries wait and burn no attempts, whichever process runs
    Hold {
        /// Why, for other operators; 1 to 200 characters
        #[arg(long, default_value = "an operator holds it", value_parser = reason)]
        reason: String,
    },
    /// Let it go; workspaces that hold what they send go on doing so
    Send,
    /// Say what is held
    Show,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportCommand {
    /// Create contacts from a table (CSV, UTF-8), and update those that are there
    Contacts(ImportOptions),
}

/// A table, and what its columns are.
#[derive(Debug, Args)]
pub(crate) struct ImportOptions {
    /// The table; its first line names the columns as an export does: external_id, email, tags, custom_fields.KEY
    pub(crate) file: PathBuf,
    /// The workspace's id, or its name if no other has it
    #[arg(long)]
    pub(crate) workspace: String,
    /// What a column is that has another name, as "E-Mail=email"; "Notes=-" passes one over. May be repeated
    #[arg(long = "column", value_name = "COLUMN=FIELD")]
    pub(crate) columns: Vec<String>,
    /// The one identifier by which lines name their contacts: external_id, email or phone; by their rank when absent
    #[arg(long, value_parser = contact_key)]
    pub(crate) key: Option<ContactKey>,
    /// Where rejected lines go, with what is wrong with them, to be mended and imported again; beside the table when absent
    #[arg(long)]
    pub(crate) rejected: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum JobsCommand {
    /// List those that were put aside, in all workspaces
    List,
    /// Have one done again
    Retry {
        /// Its id, `job_…`
        job: JobId,
    },
    /// Let one go: it is never done
    Drop {
        /// Its id, `job_…`
        job: JobId,
    },
}

/// How far, or whether at all.
#[derive(Debug, Args)]
pub(crate) struct MigrateOptions {
    /// Change nothing; print what would be done, statement by statement, and who would wait for it
    #[arg(long)]
    pub(crate) plan: bool,
    /// Leave what processes of the release before go by, until the next call. PostgreSQL only
    #[arg(long, conflicts_with = "plan")]
    pub(crate) before_rollout: bool,
}

/// Where to receive, and with which secret.
#[derive(Debug, Args)]
pub(crate) struct ListenOptions {
    /// The port on 127.0.0.1
    #[arg(long, default_value_t = 9000)]
    pub(crate) port: u16,
    /// A file that holds the webhook's secret (whsec_…); without it, TIDINGS_LISTEN_SECRET is used
    #[arg(long)]
    pub(crate) secret_file: Option<PathBuf>,
    /// Pass the workspace's events on to this address, such as http://127.0.0.1:3000/hooks, as a webhook would send them;
    /// a secret is made where none is given
    #[arg(long, value_name = "URL", conflicts_with = "port")]
    pub(crate) forward_to: Option<reqwest::Url>,
    /// Where the server answers, such as http://127.0.0.1:8080; the address of the settings by default
    #[arg(long, requires = "forward_to")]
    pub(crate) url: Option<String>,
    /// A file that holds a key of the workspace (tdg_…); without it, TIDINGS_API_KEY is used, or the first start's key
    #[arg(long, requires = "forward_to")]
    pub(crate) key_file: Option<PathBuf>,
    /// Only events of these kinds, such as contact.created,message.received
    #[arg(long, requires = "forward_to")]
    pub(crate) types: Option<String>,
    /// Begin behind this position of the feed; behind the last event by default
    #[arg(long, value_name = "POSITION", requires = "forward_to", value_parser = clap::value_parser!(i64).range(0..))]
    pub(crate) after: Option<i64>,
}

/// Which server.
#[derive(Debug, Args)]
pub(crate) struct DemoOptions {
    /// Where the server answers, such as http://127.0.0.1:8080; the address of the settings by default
    #[arg(long)]
    pub(crate) url: Option<String>,
}

fn name(text: &str) -> Result<String, String> {
    let text = trim(text);
    let fits = !is_blank(text) && (1..=100).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits {
        Ok(text.to_owned())
    } else {
        Err("expected 1 to 100 characters, none of them a control character".into())
    }
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    let fits = (1..=200).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits {
        Ok(text.to_owned())
    } else {
        Err("expected 1 to 200 characters, none of them a control character".into())
    }
}

fn plan(word: &str) -> Result<Plan, String> {
    Plan::parse(word).ok_or_else(|| "expected starter, pro or business".to_owned())
}

fn email(text: &str) -> Result<Email, String> {
    text.parse::<Email>().map_err(|error| error.to_string())
}

fn member_role(word: &str) -> Result<MemberRole, String> {
    MemberRole::parse(word).ok_or_else(|| "expected owner, admin, member or viewer".to_owned())
}

fn overlap(text: &str) -> Result<IsoDuration, String> {
    let read = text.parse::<IsoDuration>().map_err(|error| error.to_string())?;
    if read.get() <= MAX_OVERLAP { Ok(read) } else { Err("expected at most P7D".to_owned()) }
}

fn contact_key(text: &str) -> Result<ContactKey, String> {
    ContactKey::parse(text).ok_or_else(|| format!("expected one of {}", ContactKey::WORDS.join(", ")))
}

fn scope(word: &str) -> Result<Scope, String> {
    Scope::parse(word).ok_or_else(|| "expected read, write or full".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn wrong_usage_is_told_before_anything_is_done() {
        for line in [
            "tidings",
            "tidings serve --role everything",
            "tidings workspace create",
            "tidings workspace create --name  ",
            "tidings workspace create --name A --plan gold",
            "tidings key create --workspace W --name N",
            "tidings key create --workspace W --name N --scope admin",
            "tidings key revoke --workspace W tag_01h455vb4pex5vsknk084sn02q",
            "tidings key rotate --workspace W --overlap P8D key_01h455vb4pex5vsknk084sn02q",
            "tidings user create --email nobody --workspace W --role owner",
            "tidings user create --email ada@example.com --workspace W --role king",
            "tidings user create --email ada@example.com --workspace W --role owner --password x",
            "tidings listen --port 70000",
            "tidings migrate --plan --before-rollout",
            "tidings backup",
            "tidings outbound",
            "tidings jobs retry key_01h455vb4pex5vsknk084sn02q",
            "tidings outbound hold --reason  ",
        ] {
            let error = Cli::try_parse_from(line.split(' ')).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }
}

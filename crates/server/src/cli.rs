//! The command line. No secret is ever an argument: arguments show in the list of processes.

mod options;
#[cfg(test)]
mod tests;
mod values;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use tidings_domain::access::{Plan, Role as MemberRole, Scope};
use tidings_domain::contacts::Email;
use tidings_domain::ids::{JobId, KeyId};
use tidings_domain::time::IsoDuration;

pub(crate) use options::{DemoOptions, ImportOptions, ListenOptions, MailInOptions, MigrateOptions};
use values::{email, member_role, name, overlap, plan, reason, scope};

/// The version and the commit, `unknown` if the program was not built for release.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("TIDINGS_COMMIT"), ")");

/// A self-hosted service for contacts, conversations, flows and webhooks.
#[derive(Debug, Parser)]
#[command(name = "tidings", version = VERSION, propagate_version = true)]
#[command(
    after_help = "Run `tidings settings` to print all settings. Exit codes: 0 success, 1 failure, 2 wrong usage."
)]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Machine-readable output: print one JSON object, as in the API
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the API and run due jobs
    Serve {
        /// The work of this process; `api` or `engine` alone require PostgreSQL
        #[arg(long, value_enum, default_value_t = Role::All)]
        role: Role,
    },
    /// Apply pending migrations to the database
    Migrate(MigrateOptions),
    /// Check settings, storage, keys, clock and ports, and print how to fix problems
    Doctor,
    /// Print all settings with their defaults and descriptions
    Settings,
    /// Create, list, delete, restore and export workspaces
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    /// Create users and set their passwords
    #[command(subcommand)]
    User(UserCommand),
    /// Create, list, rotate and revoke API keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Encrypt stored values with a new master key
    #[command(subcommand)]
    Secrets(SecretsCommand),
    /// Back up the SQLite database to a file; the server may be running
    Backup {
        /// The file to create; it must not exist
        file: PathBuf,
    },
    /// Restore the SQLite database from a backup into an empty data folder, and pause outbound sending
    Restore {
        /// The file that `backup` created
        file: PathBuf,
        /// Only check whether the file can be restored
        #[arg(long)]
        check: bool,
    },
    /// Pause or resume everything that channels and webhooks send
    #[command(subcommand)]
    Outbound(OutboundCommand),
    /// List, retry or discard dead-lettered jobs
    #[command(subcommand)]
    Jobs(JobsCommand),
    /// Import data from other systems
    #[command(subcommand)]
    Import(ImportCommand),
    /// Receive webhooks on this machine, verify their signatures and print them
    Listen(ListenOptions),
    /// Post a mail from standard input to an email channel; exits with 75 if the mail server must try again later, and
    /// with 65 if it must return the mail
    MailIn(MailInOptions),
    /// Run a complete example against the running server, in a workspace of its own
    Demo(DemoOptions),
    /// Print the OpenAPI document
    Openapi,
}

/// The role of a serving process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Role {
    /// Answer requests and run due jobs.
    All,
    /// Answer requests.
    Api,
    /// Run due jobs.
    Engine,
}

impl Role {
    /// Returns the name of the role.
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
    /// Create a workspace with a sandbox channel
    Create {
        /// The name, 1 to 100 characters
        #[arg(long, value_parser = name)]
        name: String,
        /// The plan: starter, pro or business
        #[arg(long, default_value = "starter", value_parser = plan)]
        plan: Plan,
    },
    /// List all workspaces, deleted workspaces included
    List,
    /// Delete a workspace with its sandbox; it can be restored for retention.deleted_workspaces days
    Delete {
        /// The ID of the workspace, or its name if the name is unique
        workspace: String,
        /// The name of the workspace, repeated to confirm the deletion
        #[arg(long, value_parser = name)]
        name: String,
        /// Only show what would be deleted
        #[arg(long, conflicts_with = "now")]
        dry_run: bool,
        /// Erase all data at once; the workspace cannot be restored
        #[arg(long)]
        now: bool,
    },
    /// Restore a deleted workspace with its sandbox
    Restore {
        /// The ID of the workspace, or its name if the name is unique
        workspace: String,
        /// Pause outbound sending, so that messages that fell due meanwhile wait
        #[arg(long)]
        hold: bool,
    },
    /// Write all data of a workspace, without secrets, to a .tar.gz file of JSON lines
    Export {
        /// The ID of the workspace, or its name if the name is unique
        workspace: String,
        /// The file to create; it must not exist
        #[arg(long)]
        output: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Create a user who is a member of a workspace. The password is read from standard input. If that
    /// is a terminal or empty, a password is generated and shown once
    Create {
        /// The email address to sign in with
        #[arg(long, value_parser = email)]
        email: Email,
        /// The ID of the workspace, or its name if the name is unique
        #[arg(long)]
        workspace: String,
        /// The role in the workspace: owner, admin, member or viewer
        #[arg(long, value_parser = member_role)]
        role: MemberRole,
        /// The display name; the email address if absent
        #[arg(long, value_parser = name)]
        name: Option<String>,
        /// Make the user an operator, who creates workspaces and sets plans
        #[arg(long)]
        operator: bool,
    },
    /// Set the password of a user, and end all sessions of the user. The password is read or generated as for `create`
    Password {
        /// The email address that the user signs in with
        #[arg(long, value_parser = email)]
        email: Email,
    },
    /// Create a link to reset the password of a user; it works once, within an hour
    ResetLink {
        /// The email address that the user signs in with
        #[arg(long, value_parser = email)]
        email: Email,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Create a key; it is shown once
    Create {
        /// The ID of the workspace, or its name if the name is unique
        #[arg(long)]
        workspace: String,
        /// The scope of the key: read, write or full
        #[arg(long, value_parser = scope)]
        scope: Scope,
        /// The name, 1 to 100 characters
        #[arg(long, value_parser = name)]
        name: String,
    },
    /// List the keys of a workspace
    List {
        /// The ID of the workspace, or its name if the name is unique
        #[arg(long)]
        workspace: String,
    },
    /// Replace a key with a new key of the same name and scope; it is shown once
    Rotate {
        /// The ID of the workspace, or its name if the name is unique
        #[arg(long)]
        workspace: String,
        /// The time that the old key stays valid: PT0S to P7D
        #[arg(long, default_value = "P1D", value_parser = overlap)]
        overlap: IsoDuration,
        /// The ID of the key, such as key_01h455vb4pex5vsknk084sn02q
        id: KeyId,
    },
    /// Revoke a key; all servers reject it within five seconds
    Revoke {
        /// The ID of the workspace, or its name if the name is unique
        #[arg(long)]
        workspace: String,
        /// The ID of the key, such as key_01h455vb4pex5vsknk084sn02q
        id: KeyId,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum SecretsCommand {
    /// Encrypt all values of secrets.previous_keys again, with secrets.master_key. Servers may be running.
    /// Run it again if it is interrupted. It reports when the previous keys can be removed
    Reseal,
}

#[derive(Debug, Subcommand)]
pub(crate) enum OutboundCommand {
    /// Pause outbound sending in all processes. Messages and deliveries wait, and use no attempts
    Hold {
        /// The reason, for other operators; 1 to 200 characters
        #[arg(long, default_value = "paused by an operator", value_parser = reason)]
        reason: String,
        /// The database is a restored copy: also fetch no messages of contacts, because the original may still run
        #[arg(long)]
        restored: bool,
    },
    /// Resume outbound sending; workspaces that paused their own sending stay paused
    Send,
    /// Show whether sending is paused
    Show,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportCommand {
    /// Create contacts from a table (CSV), and update existing contacts
    Contacts(ImportOptions),
}

#[derive(Debug, Subcommand)]
pub(crate) enum JobsCommand {
    /// List the dead-lettered jobs of all workspaces
    List,
    /// Retry a dead-lettered job
    Retry {
        /// The ID of the job, `job_…`
        job: JobId,
    },
    /// Discard a dead-lettered job; it is not run again
    Drop {
        /// The ID of the job, `job_…`
        job: JobId,
    },
}

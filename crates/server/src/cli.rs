//! The command line. No secret is ever an argument: arguments show in the list of processes.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use tidings_domain::access::{Plan, Scope};
use tidings_domain::ids::KeyId;

use crate::commands;
use crate::failure::Failure;

/// Contacts, conversations, flows and webhooks, as a service of your own.
#[derive(Debug, Parser)]
#[command(name = "tidings", version, propagate_version = true)]
#[command(after_help = "Settings: config/default.toml lists them all. Exit codes: 0 done, 1 failed, 2 wrong usage.")]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print JSON of the API's shapes, one object, to standard output
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API and run what falls due
    Serve {
        /// What this process does; api and engine alone need PostgreSQL
        #[arg(long, value_enum, default_value_t = Role::All)]
        role: Role,
    },
    /// Bring the database's schema up to date
    Migrate,
    /// Make and list workspaces
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    /// Make, list and revoke API keys
    #[command(subcommand)]
    Key(KeyCommand),
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
enum WorkspaceCommand {
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
enum KeyCommand {
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
    /// Revoke a key; every server refuses it within five seconds
    Revoke {
        /// The workspace's id, or its name if no other has it
        #[arg(long)]
        workspace: String,
        /// The key's id, such as key_01h455vb4pex5vsknk084sn02q
        id: KeyId,
    },
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
}

/// Which server.
#[derive(Debug, Args)]
pub(crate) struct DemoOptions {
    /// Where the server answers, such as http://127.0.0.1:8080; the address of the settings by default
    #[arg(long)]
    pub(crate) url: Option<String>,
}

impl Cli {
    /// Does what was asked.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn run(self) -> Result<(), Failure> {
        let json = self.json;
        match self.command {
            Command::Serve { role } => commands::serve(role, json),
            Command::Migrate => commands::migrate(json),
            Command::Workspace(WorkspaceCommand::Create { name, plan }) => commands::create_workspace(name, plan, json),
            Command::Workspace(WorkspaceCommand::List) => commands::list_workspaces(json),
            Command::Key(KeyCommand::Create { workspace, scope, name }) => {
                commands::create_key(&workspace, scope, name, json)
            }
            Command::Key(KeyCommand::List { workspace }) => commands::list_keys(&workspace, json),
            Command::Key(KeyCommand::Revoke { workspace, id }) => commands::revoke_key(&workspace, id, json),
            Command::Listen(options) => commands::listen(&options, json),
            Command::Demo(options) => commands::demo(options, json),
            Command::Openapi => commands::openapi(),
        }
    }
}

fn name(text: &str) -> Result<String, String> {
    let text = text.trim();
    let fits = (1..=100).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits {
        Ok(text.to_owned())
    } else {
        Err("expected 1 to 100 characters, none of them a control character".into())
    }
}

fn plan(word: &str) -> Result<Plan, String> {
    Plan::parse(word).ok_or_else(|| "expected starter, pro or business".to_owned())
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
            "tidings listen --port 70000",
        ] {
            let error = Cli::try_parse_from(line.split(' ')).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }
}

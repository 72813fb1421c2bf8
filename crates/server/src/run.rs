//! The dispatch of the command line.

use crate::cli::{
    Cli, Command, ImportCommand, JobsCommand, KeyCommand, OutboundCommand, SecretsCommand, UserCommand,
    WorkspaceCommand,
};
use crate::commands::{self, When};
use crate::failure::Failure;

impl Cli {
    /// Runs the command.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn run(self) -> Result<(), Failure> {
        let json = self.json;
        match self.command {
            Command::Serve { role } => commands::serve(role, json),
            Command::Migrate(options) => commands::migrate(&options, json),
            Command::Doctor => commands::doctor(json),
            Command::Workspace(WorkspaceCommand::Create { name, plan }) => commands::create_workspace(name, plan, json),
            Command::Workspace(WorkspaceCommand::List) => commands::list_workspaces(json),
            Command::Workspace(WorkspaceCommand::Delete { workspace, name, dry_run, now }) => {
                commands::delete_workspace(&workspace, name, When::of(dry_run, now), json)
            }
            Command::Workspace(WorkspaceCommand::Restore { workspace, hold }) => {
                commands::restore_workspace(&workspace, hold, json)
            }
            Command::Workspace(WorkspaceCommand::Export { workspace, output }) => {
                commands::export_workspace(&workspace, &output, json)
            }
            Command::Key(KeyCommand::Create { workspace, scope, name }) => {
                commands::create_key(&workspace, scope, name, json)
            }
            Command::Key(KeyCommand::List { workspace }) => commands::list_keys(&workspace, json),
            Command::User(UserCommand::Create { email, workspace, role, name, operator }) => {
                let name = name.unwrap_or_else(|| email.to_string().chars().take(100).collect());
                commands::create_user(commands::UserOptions { email, workspace, role, name, operator }, json)
            }
            Command::User(UserCommand::Password { email }) => commands::set_password(&email, json),
            Command::User(UserCommand::ResetLink { email }) => commands::make_reset_link(&email, json),
            Command::Key(KeyCommand::Rotate { workspace, overlap, id }) => {
                commands::rotate_key(&workspace, id, overlap.get(), json)
            }
            Command::Key(KeyCommand::Revoke { workspace, id }) => commands::revoke_key(&workspace, id, json),
            Command::Secrets(SecretsCommand::Reseal) => commands::reseal(json),
            Command::Backup { file } => commands::backup(&file, json),
            Command::Restore { file, check } => commands::restore(&file, check, json),
            Command::Outbound(OutboundCommand::Hold { reason, restored }) => {
                commands::hold_outbound(&reason, restored, json)
            }
            Command::Outbound(OutboundCommand::Send) => commands::send_outbound(json),
            Command::Outbound(OutboundCommand::Show) => commands::show_outbound(json),
            Command::Jobs(JobsCommand::List) => commands::list_dead_jobs(json),
            Command::Jobs(JobsCommand::Retry { job }) => commands::retry_job(job, json),
            Command::Jobs(JobsCommand::Drop { job }) => commands::drop_job(job),
            Command::Import(ImportCommand::Contacts(options)) => commands::import_contacts(&options, json),
            Command::Listen(options) => commands::listen(&options, json),
            Command::MailIn(options) => commands::mail_in(&options),
            Command::Demo(options) => commands::demo(options, json),
            Command::Openapi => commands::openapi(),
            Command::Settings => commands::print_settings(json),
        }
    }
}

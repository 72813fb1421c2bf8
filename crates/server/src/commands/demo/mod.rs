//! `tidings demo`: a complete scenario against the running server, in a new workspace.
//!
//! The command simulates the other parties: a contact, the provider of the channel, and the receiver of the webhooks.
//! It survives restarts of the server: requests are retried with the same idempotency key until they succeed.

mod api;
mod mock_services;
mod story;

use std::net::SocketAddr;
use std::time::Duration;

use serde::Serialize;
use tidings_domain::access::{Access, NewKey, NewWorkspace, Plan, Scope};

use super::workspace_deletion::erase;
use super::{absolute_path, block_on, opened};
use crate::cli::DemoOptions;
use crate::failure::Failure;
use crate::output::{print_json, print_line};
use crate::settings::Settings;
use api::{Api, Server};
use mock_services::MockServices;
use story::Story;

/// The time limit of a step, including restarts of the server.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

/// The result of the demo.
#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    /// The workspace of the demo.
    pub(crate) workspace_id: String,
    /// The steps, in order.
    pub(crate) steps: Vec<String>,
    /// The number of messages to the contact, without repetitions.
    pub(crate) messages: usize,
    /// The number of verified events at the receiver.
    pub(crate) events: usize,
    /// The number of events that came more than once, which at-least-once delivery allows.
    pub(crate) repeated: usize,
}

/// Returns the URL of a server with this address on this machine.
pub(crate) fn base_url(address: SocketAddr) -> String {
    match (address.ip().is_unspecified(), address.is_ipv4()) {
        (false, _) => format!("http://{address}"),
        (true, true) => format!("http://127.0.0.1:{}", address.port()),
        (true, false) => format!("http://[::1]:{}", address.port()),
    }
}

/// Describes the database. The URL of PostgreSQL is omitted, because it can contain a password.
fn database(settings: &Settings) -> String {
    match settings.sqlite_file.as_deref() {
        Some(file) => absolute_path(file).display().to_string(),
        None => "the PostgreSQL database of storage.url".to_owned(),
    }
}

/// Runs the demo and prints each step.
pub(crate) fn demo(options: DemoOptions, json: bool) -> Result<(), Failure> {
    // A provider that is already installed is the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let settings = Settings::load()?;
    let base = options.url.unwrap_or_else(|| base_url(settings.address));
    block_on(async move {
        // Before anything is created in the database.
        let server = Server::reach(base).await?;
        let tidings = opened().await?.tidings;
        let service = &tidings.access;
        let workspace = service.create_workspace(NewWorkspace { name: "Demo".to_owned(), plan: Plan::Pro }).await?;
        let key = NewKey { name: "demo".to_owned(), scope: Scope::Full, expires_at: None };
        let key = service.create_key(&Access::system(workspace.id), key).await?.text;
        let services = MockServices::listen()?;
        let api = Api::new(server, key, database(&settings));
        let mut story = Story::new(api, services, json);
        story.say(&format!("created the workspace {}", workspace.id));
        let played = story.play().await;
        if !options.keep {
            erase(&tidings, &workspace).await?;
            story.say("erased the workspace");
        }
        let mut outcome = played?;
        outcome.steps = story.steps();
        outcome.workspace_id = workspace.id.to_string();
        if json {
            print_json(&outcome);
        } else {
            print_line(&format!(
                "\nThe demo succeeded: {} messages reached the contact, each once; {} events arrived and were \
                 verified, and none is missing.",
                outcome.messages, outcome.events
            ));
        }
        Ok(())
    })
}

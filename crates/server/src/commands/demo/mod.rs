//! `tidings demo`: a whole story against the running server, in a workspace of its own.
//!
//! The command plays the world outside: a contact who writes, the provider that carries the messages,
//! and the receiver of the webhooks. It lives through restarts of the server: what it asks for is asked
//! again, under the same idempotency key, until it is answered.

mod api;
mod outside;
mod story;

use std::net::SocketAddr;
use std::time::Duration;

use serde::Serialize;
use tidings_domain::access::{Access, NewKey, NewWorkspace, Plan, Scope};

use super::workspace_deletion::erase;
use super::{block_on, opened, whole};
use crate::cli::DemoOptions;
use crate::failure::Failure;
use crate::output::{print_json, print_line};
use crate::settings::Settings;
use api::{Api, Server};
use outside::Outside;
use story::Story;

/// For how long a step is waited for, restarts of the server included.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

/// What the story came to.
#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    /// The workspace in which it was played.
    pub(crate) workspace_id: String,
    /// The steps, in order.
    pub(crate) steps: Vec<String>,
    /// How many messages reached the contact, each once.
    pub(crate) messages: usize,
    /// How many events reached the receiver, verified.
    pub(crate) events: usize,
    /// How many of them came more than once, which a promise of at least once allows.
    pub(crate) repeated: usize,
}

/// Where a server with this address answers on this machine.
pub(crate) fn base_url(address: SocketAddr) -> String {
    match (address.ip().is_unspecified(), address.is_ipv4()) {
        (false, _) => format!("http://{address}"),
        (true, true) => format!("http://127.0.0.1:{}", address.port()),
        (true, false) => format!("http://[::1]:{}", address.port()),
    }
}

/// The database in which the story's workspace is made, in words; an address of PostgreSQL may hold a password.
fn database(settings: &Settings) -> String {
    match settings.sqlite_file.as_deref() {
        Some(file) => whole(file).display().to_string(),
        None => "the PostgreSQL database of storage.url".to_owned(),
    }
}

/// Plays the story and prints each step.
pub(crate) fn demo(options: DemoOptions, json: bool) -> Result<(), Failure> {
    // Where one is there already, it is the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let settings = Settings::load()?;
    let base = options.url.unwrap_or_else(|| base_url(settings.address));
    block_on(async move {
        // Before anything is made in the database.
        let server = Server::reach(base).await?;
        let tidings = opened().await?.tidings;
        let service = &tidings.access;
        let workspace = service.create_workspace(NewWorkspace { name: "Demo".to_owned(), plan: Plan::Pro }).await?;
        let key = NewKey { name: "demo".to_owned(), scope: Scope::Full, expires_at: None };
        let key = service.create_key(&Access::system(workspace.id), key).await?.text;
        let outside = Outside::listen()?;
        let api = Api::new(server, key, database(&settings));
        let mut story = Story::new(api, outside, json);
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

//! The OpenAPI 3.1 document: what the handlers say about themselves, and what the table of routes
//! says about all of them.

mod answers;
mod common;
mod components;
mod envelopes;
mod examples;
mod open;
mod sharing;
mod visit;

use utoipa::OpenApi;
use utoipa::openapi::{Info, License, Server, Tag};

pub(crate) use envelopes::envelope_name;

use crate::routes::Operations;

/// The document that `/openapi.json` serves.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = Operations::openapi();
    let mut info = Info::new("Tidings", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "Manages contacts and automates conversations with them. Send an API key, or the access token of a person, as `Authorization: Bearer …`."
            .to_owned(),
    );
    let mut license = License::new("MIT OR Apache-2.0");
    license.identifier = Some("MIT OR Apache-2.0".to_owned());
    info.license = Some(license);
    document.info = info;
    document.servers = Some(vec![Server::new("/")]);
    document.tags = Some(TAGS.iter().map(|(name, description)| tag(name, description)).collect());
    components::add(&mut document);
    envelopes::add(&mut document);
    common::complete(&mut document);
    answers::name_rows(&mut document);
    answers::require_what_comes(&mut document);
    open::say_what_is_open(&mut document);
    examples::add(&mut document);
    sharing::name_parameters(&mut document);
    document
}

const TAGS: [(&str, &str); 20] = [
    ("Contacts", "The people whom a workspace talks to."),
    ("Tags", "Labels on contacts."),
    ("Custom fields", "Attributes that a workspace defines for its contacts."),
    ("Bot fields", "Values of the workspace itself."),
    ("Jobs", "Work that is not done yet, and what was put aside."),
    ("Secrets", "Values that only the HTTP requests of flows use."),
    ("Conversations", "What was said with a contact on a channel."),
    ("Saved replies", "Texts that people who answer use again and again."),
    ("Channels", "Ways to reach contacts, and what comes in on them."),
    ("Flows", "Automation graphs and the runs through them."),
    ("Broadcasts", "One message to many contacts, rendered for each."),
    ("Segments", "Conditions with a name, which choose contacts."),
    ("Sequences", "Timed series of steps and the contacts in them."),
    ("Webhooks", "Events for outside systems, and their deliveries."),
    ("Analytics", "What happened, in numbers."),
    ("Sandbox", "The clock of a sandbox, what its contacts say, and a fresh start."),
    ("Access", "What a credential opens."),
    ("Login", "People sign in, stay signed in and sign out."),
    ("Platform", "What people do about their workspaces; API keys open nothing of it."),
    ("Operations", "For operators and tools; no key is needed."),
];

fn tag(name: &str, description: &str) -> Tag {
    let mut tag = Tag::new(name);
    tag.description = Some(description.to_owned());
    tag
}

#[cfg(test)]
mod tests;

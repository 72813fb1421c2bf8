//! The OpenAPI 3.1 document, from the descriptions of the handlers and from the table of routes.

mod answers;
mod channels;
mod common;
mod components;
mod envelopes;
mod examples;
mod open;
pub(crate) mod parameter;
mod sharing;
mod titles;
mod variants;
mod visit;

use tidings_domain::channels::ChannelType;
use utoipa::OpenApi;
use utoipa::openapi::{Info, License, Server, Tag};

pub(crate) use envelopes::envelope_name;

use crate::routes::Operations;

/// Returns the document of `/openapi.json`, with the schemas of channels of these types.
pub fn openapi(channel_types: &[&'static ChannelType]) -> utoipa::openapi::OpenApi {
    let mut document = Operations::openapi();
    let mut info = Info::new("Tidings", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "Manage contacts, and automate conversations with them. Send an API key, or the access token of a user, as \
         `Authorization: Bearer …`."
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
    titles::complete(&mut document);
    variants::name_variants(&mut document);
    variants::type_definitions(&mut document);
    variants::name_generated_secrets(&mut document);
    common::complete(&mut document);
    answers::name_rows(&mut document);
    answers::require_what_comes(&mut document);
    open::say_what_is_open(&mut document);
    channels::separate_types(&mut document, channel_types);
    examples::add(&mut document);
    sharing::name_parameters(&mut document);
    document
}

const TAGS: [(&str, &str); 21] = [
    ("Contacts", "The people that a workspace communicates with."),
    ("Tags", "Labels on contacts."),
    ("Custom fields", "Attributes that a workspace defines for its contacts."),
    ("Bot fields", "Values of the workspace, for templates and conditions."),
    ("Jobs", "Queued, running and dead-lettered background jobs."),
    ("Secrets", "Encrypted values for the HTTP requests of flows."),
    ("Conversations", "Messages with a contact on a channel."),
    ("Saved replies", "Text templates for agents."),
    ("Files", "Pictures, recordings and documents of messages."),
    ("Channels", "Connections to messaging providers."),
    ("Flows", "Automation graphs, and their runs."),
    ("Broadcasts", "One message to many contacts, rendered for each."),
    ("Segments", "Named conditions that select contacts."),
    ("Sequences", "Timed series of steps, and the enrollments of contacts."),
    ("Webhooks", "Events for other systems, and their deliveries."),
    ("Analytics", "Counts of activity."),
    ("Sandbox", "The clock, incoming messages and reset of a sandbox."),
    ("Access", "The access of a credential."),
    ("Login", "Sign in, sign out, sessions and passwords."),
    ("Platform", "Workspaces, members, API keys and logs. Needs an access token; API keys do not work here."),
    ("Operations", "Probes and the API document. Needs no credential."),
];

fn tag(name: &str, description: &str) -> Tag {
    let mut tag = Tag::new(name);
    tag.description = Some(description.to_owned());
    tag
}

#[cfg(test)]
mod tests;

//! The shared schema of both databases. A test compares it with the migrations.

mod access;
mod automation;
mod bulk;
mod contact_data;
mod delivery;
mod messaging;
#[cfg(test)]
mod tests;
mod usage;
mod work;

pub use access::*;
pub use automation::*;
pub use bulk::*;
pub use contact_data::*;
pub use delivery::*;
pub use messaging::*;
pub use usage::*;
pub use work::*;

/// The declarations of all tables.
#[cfg(test)]
pub const SOURCE: &[&str] = &[
    include_str!("access.rs"),
    include_str!("automation.rs"),
    include_str!("bulk.rs"),
    include_str!("contact_data.rs"),
    include_str!("delivery.rs"),
    include_str!("messaging.rs"),
    include_str!("usage.rs"),
    include_str!("work.rs"),
];

// Pairs of tables that one query reads. For all pairs, the compiler would need a third more time for this crate.
diesel::allow_tables_to_appear_in_same_query!(api_keys, workspaces);
diesel::allow_tables_to_appear_in_same_query!(broadcast_recipients, broadcasts);
diesel::allow_tables_to_appear_in_same_query!(broadcast_recipients, contact_merges);
diesel::allow_tables_to_appear_in_same_query!(broadcast_recipients, contacts);
diesel::allow_tables_to_appear_in_same_query!(broadcasts, contact_merges);
diesel::allow_tables_to_appear_in_same_query!(broadcasts, contacts);
diesel::allow_tables_to_appear_in_same_query!(broadcasts, object_references);
diesel::allow_tables_to_appear_in_same_query!(channels, contact_identities);
diesel::allow_tables_to_appear_in_same_query!(channels, contacts);
diesel::allow_tables_to_appear_in_same_query!(channels, conversations);
diesel::allow_tables_to_appear_in_same_query!(channels, listener_revisions);
diesel::allow_tables_to_appear_in_same_query!(channels, messages);
diesel::allow_tables_to_appear_in_same_query!(contact_identities, contacts);
diesel::allow_tables_to_appear_in_same_query!(contact_identities, conversations);
diesel::allow_tables_to_appear_in_same_query!(contact_identities, listener_revisions);
diesel::allow_tables_to_appear_in_same_query!(contact_identities, messages);
diesel::allow_tables_to_appear_in_same_query!(contact_merges, contacts);
diesel::allow_tables_to_appear_in_same_query!(contact_tags, contacts);
diesel::allow_tables_to_appear_in_same_query!(contact_tags, conversations);
diesel::allow_tables_to_appear_in_same_query!(contact_tags, tags);
diesel::allow_tables_to_appear_in_same_query!(contact_values, contacts);
diesel::allow_tables_to_appear_in_same_query!(contact_values, custom_fields);
diesel::allow_tables_to_appear_in_same_query!(contacts, conversations);
diesel::allow_tables_to_appear_in_same_query!(contacts, listener_revisions);
diesel::allow_tables_to_appear_in_same_query!(contacts, messages);
diesel::allow_tables_to_appear_in_same_query!(contacts, tags);
diesel::allow_tables_to_appear_in_same_query!(conversations, listener_revisions);
diesel::allow_tables_to_appear_in_same_query!(conversations, messages);
diesel::allow_tables_to_appear_in_same_query!(deliveries, event_positions);
diesel::allow_tables_to_appear_in_same_query!(deliveries, events);
diesel::allow_tables_to_appear_in_same_query!(event_positions, events);
diesel::allow_tables_to_appear_in_same_query!(flow_runs, jobs);
diesel::allow_tables_to_appear_in_same_query!(flow_triggers, flows);
diesel::allow_tables_to_appear_in_same_query!(flow_versions, flows);
diesel::allow_tables_to_appear_in_same_query!(flow_versions, object_references);
diesel::allow_tables_to_appear_in_same_query!(flows, object_references);
diesel::allow_tables_to_appear_in_same_query!(invitations, refused_invitations);
diesel::allow_tables_to_appear_in_same_query!(listener_revisions, messages);
diesel::allow_tables_to_appear_in_same_query!(members, users);
diesel::allow_tables_to_appear_in_same_query!(members, workspaces);
diesel::allow_tables_to_appear_in_same_query!(object_references, sequences);
diesel::allow_tables_to_appear_in_same_query!(refresh_tokens, sessions);
diesel::allow_tables_to_appear_in_same_query!(sessions, users);

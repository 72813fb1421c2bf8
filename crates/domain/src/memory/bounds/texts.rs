//! The size of client-provided text in rows of all types, in bytes. IDs, numbers, times and fixed words do not count.

mod campaigns;
mod contacts;
mod flows;
mod people;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Debug, Write};
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::conditions::BoundCondition;
use crate::conversations::Attachment;
use crate::flows::NodeCount;
use crate::memory::State;
use crate::ports::{Change, ChangeSet, Row};

/// The size of a JSON value that is neither a text nor composed of other values.
const SCALAR: usize = 4;
/// The size of brackets around values.
const BRACKETS: usize = 2;

/// A value that may contain text.
pub(in crate::memory) trait Text {
    /// The size of the text in bytes. At most the length of the `Debug` output, except for text that this output hides.
    fn text(&self) -> usize;
}

/// Implements [`Text`] for rows. It counts the text of some fields and the `Debug` length of others. Naming each field
/// makes the compiler report a new one.
macro_rules! texts {
    ($($row:ident { text: $($text:ident),*; shown: $($shown:ident),*; beside: $($beside:ident),* })*) => { $(
        impl $crate::memory::bounds::texts::Text for $row {
            fn text(&self) -> usize {
                let Self { $($text,)* $($shown,)* $($beside: _,)* } = self;
                let parts: &[usize] = &[
                    $($crate::memory::bounds::texts::Text::text($text),)*
                    $($crate::memory::bounds::texts::shown($shown),)*
                ];
                parts.iter().sum()
            }
        }
    )* };
}
pub(in crate::memory) use texts;

/// Returns the length of the `Debug` output of a value.
pub(in crate::memory) fn shown(value: &impl Debug) -> usize {
    struct Length(usize);

    impl Write for Length {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.len();
            Ok(())
        }
    }

    let mut length = Length(0);
    match write!(length, "{value:?}") {
        Ok(()) | Err(fmt::Error) => length.0,
    }
}

impl Text for str {
    fn text(&self) -> usize {
        self.len()
    }
}

impl Text for String {
    fn text(&self) -> usize {
        self.len()
    }
}

impl Text for BoundCondition {
    fn text(&self) -> usize {
        self.source_json().text()
    }
}

impl Text for Attachment {
    fn text(&self) -> usize {
        self.url.text() + self.name.text() + self.mime_type.text()
    }
}

impl Text for Arc<[u8]> {
    fn text(&self) -> usize {
        self.len()
    }
}

impl Text for Arc<str> {
    fn text(&self) -> usize {
        self.len()
    }
}

/// Sealed values.
impl Text for Vec<u8> {
    fn text(&self) -> usize {
        self.len()
    }
}

impl<T: Text> Text for Option<T> {
    fn text(&self) -> usize {
        self.as_ref().map_or(0, T::text)
    }
}

impl<T: Text> Text for Vec<T> {
    fn text(&self) -> usize {
        self.iter().map(T::text).sum()
    }
}

impl<T: Text> Text for BTreeSet<T> {
    fn text(&self) -> usize {
        self.iter().map(T::text).sum()
    }
}

impl<T: Text> Text for BTreeMap<String, T> {
    fn text(&self) -> usize {
        self.iter().map(|(key, it)| key.len() + it.text()).sum()
    }
}

impl Text for Value {
    fn text(&self) -> usize {
        match self {
            Self::Null | Self::Bool(_) | Self::Number(_) => SCALAR,
            Self::String(text) => text.len(),
            Self::Array(values) => BRACKETS + values.text(),
            Self::Object(members) => members.text(),
        }
    }
}

impl Text for Map<String, Value> {
    fn text(&self) -> usize {
        BRACKETS + self.iter().map(|(name, it)| name.len() + it.text()).sum::<usize>()
    }
}

/// Returns an upper bound of the text in a change set.
pub(in crate::memory) fn written_by(set: &ChangeSet) -> usize {
    let hidden = set.changes.iter().map(|change| match change {
        Change::Insert(row) | Change::Update(row) => hidden_in(row),
        Change::Delete(_)
        | Change::Access(_)
        | Change::Account(_)
        | Change::Channel(_)
        | Change::Contact(_)
        | Change::Tag(_)
        | Change::Field(_)
        | Change::Reference(_)
        | Change::Conversation(_)
        | Change::Erasure(_)
        | Change::Merge(_)
        | Change::OptOut(_)
        | Change::Flow(_)
        | Change::Sequence(_)
        | Change::Broadcast(_)
        | Change::Import(_)
        | Change::Webhook(_)
        | Change::Analytics(_)
        | Change::Job(_)
        | Change::Sandbox(_)
        | Change::Audit(_) => 0,
    });
    shown(set) + hidden.sum::<usize>()
}

/// Returns the size of the text that the `Debug` output of a row hides.
fn hidden_in(row: &Row) -> usize {
    match row {
        Row::User(it) => it.text(),
        Row::Webhook(it) => it.headers.text(),
        Row::Workspace(_)
        | Row::Member(_)
        | Row::Channel(_)
        | Row::Contact(_)
        | Row::Conversation(_)
        | Row::Broadcast(_)
        | Row::BulkOperation(_)
        | Row::Import(_)
        | Row::Message(_)
        | Row::Flow(_)
        | Row::Run(_)
        | Row::Stored(_)
        | Row::Sequence(_)
        | Row::Enrollment(_)
        | Row::Delivery(_) => 0,
    }
}

fn of<K, T: Text>(rows: &BTreeMap<K, T>) -> usize {
    rows.values().map(T::text).sum()
}

impl State {
    /// The size of all text. Text that a key repeats is counted once.
    pub(in crate::memory) fn text(&self) -> usize {
        // Naming each field makes the compiler report a new one.
        let Self {
            workspaces,
            keys,
            channels,
            unparsed,
            contacts,
            identities,
            values,
            custom_events,
            opt_out_keys,
            references,
            messages,
            flows,
            versions,
            filled,
            triggers,
            awaited,
            runs,
            node_counts,
            bulk_operations,
            imports,
            import_tables,
            import_rejects,
            tables,
            broadcasts,
            sequences,
            enrollments,
            webhooks,
            events,
            deliveries,
            attempts,
            jobs,
            facts,
            counters,
            answers,
            audit,
            users,
            invitations,
            sessions,
            signing_keys,
            logins,
            usage,
            canary,
            hold,
            // These only consist of IDs, digests, numbers, times and fixed words. The health of a channel has a few
            // short texts of its provider.
            gone_channels: _,
            channel_health: _,
            provider_events: _,
            links: _,
            erasures: _,
            merges: _,
            opt_outs: _,
            conversations: _,
            schedules: _,
            flow_recipients: _,
            stored: _,
            sandboxes: _,
            leases: _,
            broadcast_recipients: _,
            broadcast_counts: _,
            segment_counts: _,
            segment_refreshes: _,
            positions: _,
            sequencer: _,
            unnumbered: _,
            counts: _,
            replays: _,
            members: _,
            refused_invitations: _,
            refresh_tokens: _,
            reply_times: _,
            written: _,
        } = self;
        let people = of(users) + of(invitations) + of(sessions) + of(signing_keys) + of(logins);
        let places = of(workspaces) + of(keys) + of(channels) + of(unparsed) + of(opt_out_keys);
        let places = places + canary.text() + hold.text();
        let addresses: usize = identities.values().flatten().map(|(identity, _)| identity.text()).sum();
        let contacts = of(contacts) + addresses + of(values) + of(custom_events) + of(messages);
        let lost: usize = references.values().flatten().map(|(name, _)| name.len()).sum();
        let vocabulary = tables.text() + lost;
        let read: usize = filled.values().map(|it| it.bytes).sum();
        let passed = node_counts.keys().map(|(_, (_, _, _, node, count))| node.len() + count.text());
        let flows = of(flows) + of(versions) + read + of(triggers) + of(awaited) + of(runs) + passed.sum::<usize>();
        let imports = of(imports) + of(import_tables) + of(import_rejects) + of(bulk_operations);
        let campaigns = of(broadcasts) + of(sequences) + of(enrollments);
        let webhooks = of(webhooks) + of(events) + of(deliveries) + of(attempts);
        let dimensions: usize = counters.keys().map(|(_, (_, _, dimension))| dimension.len()).sum();
        let rest = of(jobs) + of(facts) + dimensions + of(answers) + of(audit) + usage.text();
        people + places + contacts + vocabulary + flows + imports + campaigns + webhooks + rest
    }
}

impl Text for NodeCount {
    fn text(&self) -> usize {
        match self {
            Self::Left(exit, _) => exit.len(),
            Self::Entered | Self::Failed => 0,
        }
    }
}

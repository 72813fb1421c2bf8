//! How much a store in memory takes.

use std::fmt::{self, Write};

use super::State;
use crate::ports::{ChangeSet, StoreError, StoredBody};

/// How much a store in memory takes. What would make it larger than that is refused, and nothing of it is written; what
/// makes it smaller is always taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Rows of all kinds: objects, links, events, jobs, counters, idempotency records, requests.
    pub rows: usize,
    /// Bytes of text in contacts, messages, events, deliveries, flows, runs and idempotency records.
    pub bytes: usize,
}

impl Default for Bounds {
    /// A million rows, and 256 MiB.
    fn default() -> Self {
        Self { rows: 1_000_000, bytes: 256 << 20 }
    }
}

impl Bounds {
    /// Lets pass what `after` has become from `before` by writing `set`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where it is too much.
    pub(super) fn admit(self, before: &State, after: &mut State, written: usize) -> Result<(), StoreError> {
        let rows = after.rows();
        if rows > self.rows && rows > before.rows() {
            return Err(self.full());
        }
        // What was written is never less than what it holds; it is counted exactly only where that would be too much.
        after.written = before.written.saturating_add(written);
        if after.written > self.bytes {
            after.written = after.text();
            if after.written > self.bytes && after.written > before.text() {
                return Err(self.full());
            }
        }
        Ok(())
    }

    pub(super) fn full(self) -> StoreError {
        let Self { rows, bytes } = self;
        StoreError::Unavailable(format!("the store in memory is full: it takes {rows} rows and {bytes} bytes of text"))
    }
}

/// No less than the text in a set.
pub(super) fn written_by(set: &ChangeSet) -> usize {
    let mut length = Length(0);
    match write!(length, "{set:?}") {
        Ok(()) | Err(fmt::Error) => length.0,
    }
}

/// Counts what is written to it.
struct Length(usize);

impl Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

impl State {
    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        // Each field is named, so that none is forgotten.
        let Self {
            workspaces,
            keys,
            channels,
            gone_channels: _,
            contacts,
            identities,
            links,
            values,
            custom_events,
            erasures,
            merges,
            opt_out_keys,
            opt_outs,
            tags,
            fields,
            bot_fields,
            secrets,
            references,
            conversations,
            messages,
            flows,
            versions,
            triggers,
            awaited,
            schedules,
            flow_recipients,
            runs,
            node_counts,
            stored,
            sandboxes,
            leases,
            segments,
            bulk_operations,
            imports,
            import_tables,
            import_rejects,
            saved_replies,
            broadcasts,
            broadcast_recipients,
            broadcast_counts,
            sequences,
            enrollments,
            webhooks,
            events,
            positions,
            sequencer: _,
            unnumbered,
            deliveries,
            counts,
            replays,
            attempts,
            jobs,
            facts,
            counters,
            answers,
            users,
            members,
            invitations,
            sessions,
            refresh_tokens,
            signing_keys,
            logins,
            usage,
            audit,
            canary: _,
            hold: _,
            written: _,
        } = self;
        let places = workspaces.len() + keys.len() + channels.len() + stored.len() + leases.len();
        let places = places + sandboxes.len();
        let people = users.len() + members.len() + invitations.len() + sessions.len() + refresh_tokens.len();
        let contacts = contacts.len()
            + identities.len()
            + links.len()
            + values.len()
            + custom_events.len()
            + erasures.len()
            + merges.len()
            + opt_out_keys.len()
            + opt_outs.len();
        let vocabulary =
            tags.len() + fields.len() + bot_fields.len() + secrets.len() + references.len() + segments.len();
        let vocabulary = vocabulary + saved_replies.len();
        let imports = bulk_operations.len() + imports.len() + import_tables.len() + import_rejects.len();
        let broadcasts = broadcasts.len() + broadcast_recipients.len() + broadcast_counts.len();
        let talk = conversations.len() + messages.len() + sequences.len() + enrollments.len();
        let flows = flows.len() + versions.len() + triggers.len() + awaited.len() + runs.len() + node_counts.len();
        let scheduled = schedules.len() + flow_recipients.len();
        let events = events.len() + positions.len() + unnumbered.len() + facts.len() + counters.len();
        let webhooks = webhooks.len() + deliveries.len() + counts.len() + replays.len() + attempts.len();
        let rest = jobs.len() + answers.len() + signing_keys.len() + logins.len() + usage.len() + audit.len();
        places
            + imports
            + broadcasts
            + people
            + contacts
            + vocabulary
            + talk
            + flows
            + scheduled
            + events
            + webhooks
            + rest
    }

    /// How much text there is.
    fn text(&self) -> usize {
        let stored: i64 = self.stored_bytes().iter().map(|(_, bytes)| bytes.total()).sum();
        let answers = self.answers.values().map(|it| match &it.body {
            StoredBody::Plain(body) | StoredBody::Sealed(body) => body.len(),
        });
        usize::try_from(stored).unwrap_or(usize::MAX).saturating_add(answers.sum())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures::executor::block_on;

    use super::*;
    use crate::Tidings;
    use crate::access::{Access, NewWorkspace, Plan};
    use crate::contacts::{Contact, ContactRef, NewContact};
    use crate::error::Error;
    use crate::memory::MemoryStore;
    use crate::ports::Ports;

    struct Service {
        tidings: Tidings,
        access: Access,
        store: Arc<MemoryStore>,
    }

    fn service(bounds: Bounds) -> Service {
        let store = Arc::new(MemoryStore::bounded(bounds));
        let tidings = Tidings::new(Ports::of(store.clone()));
        let workspace = NewWorkspace { name: "Acme".to_owned(), plan: Plan::Pro };
        let workspace = block_on(tidings.access.create_workspace(workspace)).unwrap();
        Service { tidings, access: Access::system(workspace.id), store }
    }

    impl Service {
        fn contact(&self) -> Result<Contact, Error> {
            let new = NewContact { first_name: Some("A".repeat(200)), ..NewContact::default() };
            block_on(self.tidings.contacts.create(&self.access, new, None)).map(|done| done.value)
        }

        /// Fills the store, and returns the last contact that it took.
        fn fill(&self) -> Contact {
            let mut last = self.contact().unwrap();
            loop {
                let before = self.store.lock().rows();
                match self.contact() {
                    Ok(contact) => last = contact,
                    Err(Error::Store(StoreError::Unavailable(why))) => {
                        assert!(why.contains("the store in memory is full"), "{why}");
                        assert_eq!(self.store.lock().rows(), before, "nothing of it is written");
                        return last;
                    }
                    Err(other) => panic!("{other:?}"),
                }
            }
        }
    }

    #[test]
    fn a_store_that_has_its_rows_says_so_and_goes_on_reading() {
        let service = service(Bounds { rows: 100, ..Bounds::default() });
        let last = service.fill();
        assert!(service.store.lock().rows() <= 100);
        assert_eq!(block_on(service.tidings.contacts.get(&service.access, &ContactRef::Id(last.id))).unwrap(), last);
    }

    #[test]
    fn a_store_that_has_its_text_says_so_and_takes_less() {
        let service = service(Bounds { bytes: 20_000, ..Bounds::default() });
        let last = service.fill();
        assert!((15_000..=20_000).contains(&service.store.lock().text()), "{}", service.store.lock().text());
        let mut set = ChangeSet::new(service.access.workspace());
        let renamed = Contact { first_name: None, version: last.version + 1, ..last };
        set.change(crate::ports::Change::Update(crate::ports::Row::Contact(Box::new(renamed))));
        block_on(service.tidings.ports.ledger.commit(set)).unwrap();
        assert!(service.contact().is_err(), "an event about it needs more than that");
    }
}

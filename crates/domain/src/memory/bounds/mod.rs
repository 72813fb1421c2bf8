//! Size limits of an in-memory store.

pub(super) mod texts;

use super::State;
use crate::ports::StoreError;

/// Size limits of an in-memory store. A change set that would exceed them is rejected as a whole, unless it reduces the
/// size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Rows of all types: objects, links, events, jobs, counters, idempotency records, requests.
    pub rows: usize,
    /// Bytes of text in rows of all types: names and texts, JSON, tables of imports, sealed values. In addition,
    /// compiled flow definitions may use a quarter of this.
    pub bytes: usize,
}

impl Default for Bounds {
    /// One million rows, and 256 MiB.
    fn default() -> Self {
        Self { rows: 1_000_000, bytes: 256 << 20 }
    }
}

impl Bounds {
    /// Checks the state `after` a change set that wrote this many bytes.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if it exceeds the limits.
    pub(super) fn admit(self, before: &State, after: &mut State, written: usize) -> Result<(), StoreError> {
        let rows = after.rows();
        if rows > self.rows && rows > before.rows() {
            return Err(self.full());
        }
        // `written` is an upper bound of the stored text. The exact size is only computed if the bound exceeds the
        // limit.
        after.written = after.written.saturating_add(written);
        debug_assert!(after.written >= after.text(), "text that was not counted: {} bytes", after.text());
        if after.written > self.bytes {
            after.written = after.text();
            if after.written > self.bytes && after.written > before.text() {
                return Err(self.full());
            }
        }
        Ok(())
    }

    /// Checks the addition of this many rows and bytes of text.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if it exceeds the limits.
    pub(super) fn admit_more(self, state: &mut State, rows: usize, text: usize) -> Result<(), StoreError> {
        if rows > 0 && state.rows().saturating_add(rows) > self.rows {
            return Err(self.full());
        }
        if state.written.saturating_add(text) > self.bytes {
            state.written = state.text();
            if text > 0 && state.written.saturating_add(text) > self.bytes {
                return Err(self.full());
            }
        }
        state.add_written(text);
        Ok(())
    }

    /// Maximum size of cached flow definitions in bytes.
    pub(super) fn compiled(self) -> usize {
        self.bytes / 4
    }

    pub(super) fn full(self) -> StoreError {
        let Self { rows, bytes } = self;
        StoreError::Unavailable(format!(
            "the in-memory store is full: it stores at most {rows} rows and {bytes} bytes of text"
        ))
    }
}

impl State {
    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        // Naming each field makes the compiler report a new one.
        let Self {
            workspaces,
            keys,
            channels,
            gone_channels,
            channel_health,
            unparsed,
            provider_events,
            contacts,
            identities,
            links,
            values,
            custom_events,
            erasures,
            merges,
            opt_out_keys,
            opt_outs,
            references,
            conversations,
            messages,
            flows,
            versions,
            filled,
            triggers,
            awaited,
            schedules,
            flow_recipients,
            runs,
            node_counts,
            stored,
            sandboxes,
            leases,
            segment_counts,
            segment_refreshes,
            bulk_operations,
            imports,
            import_tables,
            import_rejects,
            tables,
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
            reply_times,
            answers,
            users,
            members,
            invitations,
            refused_invitations,
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
        let places = places + gone_channels.len() + channel_health.len() + sandboxes.len() + unparsed.len();
        let places = places + provider_events.len();
        let people = users.len() + members.len() + invitations.len() + sessions.len() + refresh_tokens.len();
        let people = people + refused_invitations.len();
        let contacts = contacts.len()
            + identities.len()
            + links.len()
            + values.len()
            + custom_events.len()
            + erasures.len()
            + merges.len()
            + opt_out_keys.len()
            + opt_outs.len();
        let vocabulary = references.len() + segment_counts.len() + segment_refreshes.len() + tables.len();
        let imports = bulk_operations.len() + imports.len() + import_tables.len() + import_rejects.len();
        let broadcasts = broadcasts.len() + broadcast_recipients.len() + broadcast_counts.len();
        let talk = conversations.len() + messages.len() + sequences.len() + enrollments.len();
        let flows = flows.len() + versions.len() + triggers.len() + awaited.len() + runs.len() + node_counts.len();
        let scheduled = schedules.len() + flow_recipients.len() + filled.len();
        let events =
            events.len() + positions.len() + unnumbered.len() + facts.len() + counters.len() + reply_times.len();
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

    /// Counts text that is stored in addition to a set's own: copies, or replacements of other text.
    pub(super) fn add_written(&mut self, text: usize) {
        self.written = self.written.saturating_add(text);
    }
}

#[cfg(test)]
mod kinds_tests;
#[cfg(test)]
mod tests;

//! Looks for those who opted out, and remembers them.

use std::collections::BTreeSet;

use super::{Mark, OptOut, OptOutChange};
use crate::access::Access;
use crate::catalog::Catalog;
use crate::contacts::Contact;
use crate::ids::{ChannelId, WorkspaceId};
use crate::ports::{Change, ChangeSet, Guard, Object, Ports, StoreError};
use crate::retry::AttemptError;

/// To what the sealed key of a workspace is bound.
pub fn seal_context(workspace: WorkspaceId) -> String {
    format!("opt-outs:{workspace}")
}

/// What of a workspace is remembered of those who opted out.
pub(crate) struct OptOuts<'a> {
    /// What it asks of the outside.
    pub(crate) ports: &'a Ports,
    /// For whom.
    pub(crate) access: &'a Access,
}

/// Those of the marks that were asked for under which somebody refused something.
#[derive(Debug)]
pub(crate) struct Found {
    /// The marks.
    pub(crate) marks: BTreeSet<Mark>,
    /// As of which revision of what is remembered.
    revision: i64,
}

impl OptOuts<'_> {
    /// The marks that are remembered. Where the workspace has no key nobody is, and nothing is read.
    pub(crate) async fn among(&self, marks: BTreeSet<Mark>) -> Result<Found, StoreError> {
        let catalog = self.ports.catalog.catalog(self.access.workspace()).await?;
        let mut found = Found { marks: BTreeSet::new(), revision: 0 };
        let Some(key) = self.key(&catalog)? else { return Ok(found) };
        let asked: Vec<_> = marks.into_iter().map(|mark| (self.digests(&key, &mark), mark)).collect();
        let digests: Vec<_> = asked.iter().flat_map(|(digests, _)| digests).copied().collect();
        let remembered = self.ports.opt_outs.among(self.access, &digests).await?;
        found.revision = remembered.revision;
        let is_known = |digests: &[[u8; 32]]| digests.iter().any(|digest| remembered.digests.contains(digest));
        found.marks = asked.into_iter().filter(|(digests, _)| is_known(digests)).map(|(_, mark)| mark).collect();
        Ok(found)
    }

    /// Looks under all names of a contact that is made, which begins with what is refused there.
    pub(crate) async fn silence_new(&self, contact: &mut Contact) -> Result<Found, StoreError> {
        let found = self.among(super::marks(contact)).await?;
        super::silence(contact, &found.marks);
        Ok(found)
    }

    /// Carries refusals along with identifiers that a contact loses or gets. Call it before the set writes the contact, so
    /// that another set which takes a lost identifier finds the refusal; afterwards, call [`Found::require`].
    pub(crate) async fn carry(
        &self,
        before: &Contact,
        after: &mut Contact,
        set: &mut ChangeSet,
    ) -> Result<Option<Found>, AttemptError> {
        let new = super::new_marks(before, after);
        let found = if new.is_empty() { None } else { Some(self.among(new).await?) };
        if let Some(found) = &found {
            super::silence(after, &found.marks);
        }
        self.remember(super::freed(before, after), set).await?;
        Ok(found)
    }

    /// Remembers these, in the set that takes them from their contact. Those on deleted channels are skipped.
    pub(crate) async fn remember(&self, marks: BTreeSet<Mark>, set: &mut ChangeSet) -> Result<(), AttemptError> {
        if marks.is_empty() {
            return Ok(());
        }
        let (catalog, key) = self.key_or_new().await?;
        let kept = |mark: &Mark| mark.channel().is_none_or(|channel| catalog.channel(channel).is_some());
        let marks: Vec<Mark> = marks.into_iter().filter(kept).collect();
        if marks.is_empty() {
            return Ok(());
        }
        let channels: BTreeSet<ChannelId> = marks.iter().filter_map(Mark::channel).collect();
        let channels = channels.into_iter().map(|channel| Guard::Live(Object::Channel(channel)));
        for guard in std::iter::once(Guard::Catalog(catalog.revision)).chain(channels) {
            if !set.guards.contains(&guard) {
                set.guard(guard);
            }
        }
        let opt_out = |mark: &Mark| OptOut { channel: mark.channel(), digest: self.digest(&key, mark) };
        let opt_outs = marks.iter().map(opt_out).collect();
        set.change(Change::OptOut(OptOutChange::Remember { opt_outs, at: self.ports.clock.now() }));
        Ok(())
    }

    /// Forgets these, in the set by which their contact wants to hear again.
    pub(crate) async fn lift(&self, marks: BTreeSet<Mark>, set: &mut ChangeSet) -> Result<(), AttemptError> {
        if marks.is_empty() {
            return Ok(());
        }
        let catalog = self.ports.catalog.catalog(self.access.workspace()).await?;
        let Some(key) = self.key(&catalog)? else {
            set.guard(Guard::Catalog(catalog.revision));
            return Ok(());
        };
        let digests = marks.iter().flat_map(|mark| self.digests(&key, mark)).collect();
        set.change(Change::OptOut(OptOutChange::Lift { digests }));
        Ok(())
    }

    fn digest(&self, key: &[u8], mark: &Mark) -> [u8; 32] {
        self.ports.secrets.keyed_digest(key, &mark.text())
    }

    /// The digests under which the mark may be stored.
    fn digests(&self, key: &[u8], mark: &Mark) -> Vec<[u8; 32]> {
        mark.texts().iter().map(|text| self.ports.secrets.keyed_digest(key, text)).collect()
    }

    fn key(&self, catalog: &Catalog) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(sealed) = &catalog.opt_out_key else { return Ok(None) };
        let workspace = self.access.workspace();
        match self.ports.sealer.open(sealed, &seal_context(workspace)) {
            Ok(key) => Ok(Some(key)),
            Err(_) => Err(StoreError::Corrupt(format!("the opt-out key of {workspace} cannot be decrypted"))),
        }
    }

    /// The key, made where there is none. That is a commit of its own: who makes a contact meanwhile learns that there are
    /// opt-outs before the first is remembered.
    async fn key_or_new(&self) -> Result<(std::sync::Arc<Catalog>, Vec<u8>), AttemptError> {
        let workspace = self.access.workspace();
        let catalog = self.ports.catalog.catalog(workspace).await?;
        if let Some(key) = self.key(&catalog)? {
            return Ok((catalog, key));
        }
        let sealed = self.ports.sealer.seal(&self.ports.secrets.digest_key(), &seal_context(workspace));
        let mut set = ChangeSet::new(workspace);
        set.change(Change::OptOut(OptOutChange::MakeKey { sealed, at: self.ports.clock.now() }));
        self.ports.ledger.commit(set).await?;
        let catalog = self.ports.catalog.catalog(workspace).await?;
        let key = self.key(&catalog)?.ok_or(AttemptError::Retry)?;
        Ok((catalog, key))
    }
}

impl Found {
    /// Makes the set fail if another set has remembered a refusal since. Call it when the contact is in the set. What the
    /// set itself remembers raises the revision, too.
    ///
    /// A guard on the catalog is not enough for a workspace without a key: PostgreSQL reads it before it writes the contact,
    /// and another set can make the key and remember the first refusal in between.
    pub(crate) fn require(&self, set: &mut ChangeSet) {
        let own = set.changes.iter().filter(|change| is_remembered(change)).count();
        let revision = self.revision + i64::try_from(own).unwrap_or(i64::MAX);
        set.change(Change::OptOut(OptOutChange::Require { revision }));
    }
}

/// Whether a change remembers refusals.
pub(crate) fn is_remembered(change: &Change) -> bool {
    matches!(change, Change::OptOut(OptOutChange::Remember { .. }))
}

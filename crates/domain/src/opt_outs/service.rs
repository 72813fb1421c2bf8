use std::collections::BTreeSet;

use super::{Mark, OptOut, OptOutChange};
use crate::access::Access;
use crate::catalog::Catalog;
use crate::contacts::Contact;
use crate::ids::{ChannelId, WorkspaceId};
use crate::ports::{Change, ChangeSet, Guard, Object, Ports, StoreError};
use crate::retry::AttemptError;

/// Returns the context that the sealed key of a workspace is bound to.
pub fn seal_context(workspace: WorkspaceId) -> String {
    format!("opt-outs:{workspace}")
}

/// The remembered opt-outs of a workspace.
pub(crate) struct OptOuts<'a> {
    /// The ports.
    pub(crate) ports: &'a Ports,
    /// The caller.
    pub(crate) access: &'a Access,
}

/// The requested marks that have a remembered opt-out.
#[derive(Debug)]
pub(crate) struct MatchedOptOuts {
    /// The marks.
    pub(crate) marks: BTreeSet<Mark>,
    /// The revision of the opt-outs at the time of reading.
    revision: i64,
}

impl OptOuts<'_> {
    /// Returns the marks that are remembered. Without a key the workspace has none, and nothing is read.
    pub(crate) async fn among(&self, marks: BTreeSet<Mark>) -> Result<MatchedOptOuts, StoreError> {
        let catalog = self.ports.catalog.catalog(self.access.workspace()).await?;
        let mut found = MatchedOptOuts { marks: BTreeSet::new(), revision: 0 };
        let Some(key) = self.key(&catalog)? else { return Ok(found) };
        let asked: Vec<_> = marks.into_iter().map(|mark| (self.digests(&key, &mark), mark)).collect();
        let digests: Vec<_> = asked.iter().flat_map(|(digests, _)| digests).copied().collect();
        let remembered = self.ports.opt_outs.among(self.access, &digests).await?;
        found.revision = remembered.revision;
        let is_known = |digests: &[[u8; 32]]| digests.iter().any(|digest| remembered.digests.contains(digest));
        found.marks = asked.into_iter().filter(|(digests, _)| is_known(digests)).map(|(_, mark)| mark).collect();
        Ok(found)
    }

    /// Opts a new contact out according to remembered opt-outs of all its identifiers.
    pub(crate) async fn silence_new(&self, contact: &mut Contact) -> Result<MatchedOptOuts, StoreError> {
        let found = self.among(super::marks(contact)).await?;
        super::silence(contact, &found.marks);
        Ok(found)
    }

    /// Applies opt-outs of added identifiers, and remembers opt-outs of lost ones. Call it before the set writes the
    /// contact, so a set that takes a lost identifier finds the opt-out; then call [`MatchedOptOuts::require`].
    pub(crate) async fn carry(
        &self,
        before: &Contact,
        after: &mut Contact,
        set: &mut ChangeSet,
    ) -> Result<Option<MatchedOptOuts>, AttemptError> {
        let new = super::new_marks(before, after);
        let found = if new.is_empty() { None } else { Some(self.among(new).await?) };
        if let Some(found) = &found {
            super::silence(after, &found.marks);
        }
        self.remember(super::freed(before, after), set).await?;
        Ok(found)
    }

    /// Remembers opt-outs, in the set that removes them from their contact. Skips those on deleted channels.
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

    /// Deletes opt-outs, in the set that opts their contact in again.
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

    /// Returns all digests that may be stored for the mark.
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

    /// Returns the key. A missing one is created in a separate commit, so concurrent creations of contacts detect that
    /// there may be opt-outs before the first is remembered.
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

impl MatchedOptOuts {
    /// Makes the set fail if another set has remembered an opt-out since. Call it after adding the contact. Opt-outs of
    /// this set increase the revision, too.
    ///
    /// A guard on the catalog is not enough without a key: PostgreSQL reads the catalog before it writes the contact,
    /// and another set can create the key and remember an opt-out in between.
    pub(crate) fn require(&self, set: &mut ChangeSet) {
        let own = set.changes.iter().filter(|change| is_remembered(change)).count();
        let revision = self.revision + i64::try_from(own).unwrap_or(i64::MAX);
        set.change(Change::OptOut(OptOutChange::Require { revision }));
    }
}

/// Whether a change remembers opt-outs.
pub(crate) fn is_remembered(change: &Change) -> bool {
    matches!(change, Change::OptOut(OptOutChange::Remember { .. }))
}

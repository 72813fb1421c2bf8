//! References from drafts to the secrets and files that they name; they prevent the deletion of those objects.

use std::collections::BTreeSet;

use serde_json::Value;

use super::FlowService;
use super::analyse::{named_files, named_secrets, needs_note};
use crate::access::Access;
use crate::conversations::existing_files;
use crate::ids::FlowId;
use crate::list_filter::ListFilter;
use crate::pagination::PageRequest;
use crate::ports::{Change, ChangeSet, Guard, Object, Ports, ReferenceChange, StoreError};
use crate::references::{Referent, Referrer};
use crate::secrets::Secret;

/// Number of drafts per page; each may be long.
const AT_ONCE: u32 = 20;

impl FlowService {
    /// Adds the draft's references to secrets and files if the draft names some or did so before.
    pub(super) async fn note_draft(
        &self,
        access: &Access,
        flow: FlowId,
        (before, after): (Option<&Value>, &Value),
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let names = named_secrets(after);
        let secrets = match names.is_empty() {
            true => Vec::new(),
            false => self.ports.workspace_secrets.all(access).await?,
        };
        if needs_note(after) || before.is_some_and(needs_note) {
            set.change(named_by_draft(&self.ports, access, (flow, after), (&names, &secrets)).await?);
        }
        Ok(())
    }

    /// Returns the existing files of the published versions of a flow. A live run may use an earlier version, and an
    /// earlier version can be restored.
    pub(super) async fn earlier_files(&self, access: &Access, flow: FlowId) -> Result<Vec<Referent>, StoreError> {
        let named = self.ports.references.targets(access, Referrer::Flow(flow)).await?;
        let files = named.into_iter().filter_map(|target| match target {
            Referent::Media(media) => Some(media),
            Referent::Tag(_)
            | Referent::Field(_)
            | Referent::BotField(_)
            | Referent::Secret(_)
            | Referent::Flow(_)
            | Referent::Sequence(_)
            | Referent::Channel(_)
            | Referent::Segment(_) => None,
        });
        let files = existing_files(&self.ports, access, files.collect()).await?;
        Ok(files.into_iter().map(|it| Referent::Media(it.id)).collect())
    }
}

async fn named_by_draft(
    ports: &Ports,
    access: &Access,
    (flow, definition): (FlowId, &Value),
    (names, secrets): (&BTreeSet<String>, &[Secret]),
) -> Result<Change, StoreError> {
    let named = secrets.iter().filter(|secret| names.contains(&secret.name));
    let mut targets: Vec<Referent> = named.map(|secret| Referent::Secret(secret.id)).collect();
    let files = existing_files(ports, access, named_files(definition)).await?;
    targets.extend(files.into_iter().map(|it| Referent::Media(it.id)));
    Ok(Change::Reference(ReferenceChange::Put { owner: Referrer::FlowDraft(flow), targets }))
}

/// Adds the references of existing drafts that name a secret which this change set creates.
pub(crate) async fn note_drafts_that_name(
    ports: &Ports,
    access: &Access,
    secret: &Secret,
    set: &mut ChangeSet,
) -> Result<(), StoreError> {
    let mut secrets = None;
    let mut page = PageRequest { limit: AT_ONCE, ..PageRequest::default() };
    loop {
        let flows = ports.flows.list(access, &ListFilter::default(), page).await?;
        for flow in flows.items {
            let names = named_secrets(&flow.definition);
            if !names.contains(&secret.name) {
                continue;
            }
            if secrets.is_none() {
                let mut all = ports.workspace_secrets.all(access).await?;
                all.push(secret.clone());
                secrets = Some(all);
            }
            set.guard(Guard::Version(Object::Flow(flow.id), flow.version));
            let all = secrets.as_deref().unwrap_or_default();
            set.change(named_by_draft(ports, access, (flow.id, &flow.definition), (&names, all)).await?);
        }
        match flows.next {
            Some(next) => page.after = Some(next),
            None => return Ok(()),
        }
    }
}

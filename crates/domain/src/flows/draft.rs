//! References from drafts to the secrets that they name; they prevent the deletion of those secrets.

use std::collections::BTreeSet;

use serde_json::Value;

use super::FlowService;
use super::analyse::named_secrets;
use crate::access::Access;
use crate::ids::FlowId;
use crate::list_filter::ListFilter;
use crate::pagination::PageRequest;
use crate::ports::{Change, ChangeSet, Guard, Object, Ports, ReferenceChange, StoreError};
use crate::references::{Referent, Referrer};
use crate::secrets::Secret;

/// Number of drafts per page; each may be long.
const AT_ONCE: u32 = 20;

impl FlowService {
    /// Adds the draft's references to secrets if the draft names secrets or did so before.
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
        if !names.is_empty() || before.is_some_and(|before| !named_secrets(before).is_empty()) {
            set.change(named_by_draft(flow, &names, &secrets));
        }
        Ok(())
    }
}

fn named_by_draft(flow: FlowId, names: &BTreeSet<String>, secrets: &[Secret]) -> Change {
    let named = secrets.iter().filter(|secret| names.contains(&secret.name));
    let targets = named.map(|secret| Referent::Secret(secret.id)).collect();
    Change::Reference(ReferenceChange::Put { owner: Referrer::FlowDraft(flow), targets })
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
            set.change(named_by_draft(flow.id, &names, secrets.as_deref().unwrap_or_default()));
        }
        match flows.next {
            Some(next) => page.after = Some(next),
            None => return Ok(()),
        }
    }
}

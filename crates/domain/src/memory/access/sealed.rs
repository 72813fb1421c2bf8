//! Sealed values and the canary.

use std::ops::Bound;

use async_trait::async_trait;

use crate::access::SigningKey;
use crate::channels;
use crate::ids::{WebhookId, WorkspaceId};
use crate::memory::bounds::texts::Text;
use crate::memory::{MemoryStore, State};
use crate::opt_outs;
use crate::ports::{
    IdempotencyRecord, PlainHeaders, SealedKind, SealedPlace, SealedRow, SealedStore, SealedValue, StoreError,
    StoredBody,
};
use crate::secrets;
use crate::webhooks::{self, HeaderValue, SealedHeaders};

impl State {
    /// The sealed values of a row with their contexts; empty if the row was deleted.
    fn sealed_of(&mut self, place: &SealedPlace) -> Vec<(String, &mut Vec<u8>)> {
        match place {
            SealedPlace::Webhook(ws, id) => self.webhooks.get_mut(&(*ws, *id)).map_or_else(Vec::new, |it| {
                let older = it.older_secrets.iter_mut().map(|older| &mut older.sealed);
                let secrets = std::iter::once(&mut it.secret).chain(older);
                let secrets = secrets.map(|sealed| (webhooks::secret_context(*id), sealed));
                let headers = it.headers.iter_mut().filter_map(|(name, value)| match value {
                    HeaderValue::Sealed { sealed, .. } => Some((webhooks::header_context(*id, name), sealed)),
                    HeaderValue::Plain(_) => None,
                });
                secrets.chain(headers).collect()
            }),
            SealedPlace::Channel(ws, id) if self.gone_channels.contains(&(*ws, *id)) => Vec::new(),
            SealedPlace::Channel(ws, id) => {
                let endpoint = self.channels.get_mut(&(*ws, *id)).and_then(|it| it.endpoint.as_mut());
                endpoint.map_or_else(Vec::new, |it| {
                    let token = (channels::token_context(*id), &mut it.inbound_token);
                    vec![(channels::secret_context(*id), &mut it.secrets), token]
                })
            }
            SealedPlace::Secret(ws, id) => {
                let secret = self.tables.secrets.get_mut(&(*ws, *id));
                secret.map(|it| (secrets::secret_context(*id), &mut it.sealed)).into_iter().collect()
            }
            SealedPlace::SigningKey(id) => {
                let key = self.signing_keys.get_mut(id);
                key.map(|it| (SigningKey::seal_context(*id), &mut it.sealed)).into_iter().collect()
            }
            SealedPlace::Answer(ws, method, route, key) => {
                let answer = self.answers.get_mut(&(*ws, (method.clone(), route.clone(), key.clone())));
                match answer.map(|it| &mut it.body) {
                    Some(StoredBody::Sealed(body)) => vec![(IdempotencyRecord::seal_context(*ws, route, key), body)],
                    Some(StoredBody::Plain(_) | StoredBody::Gzip(_) | StoredBody::Object(_)) | None => Vec::new(),
                }
            }
            SealedPlace::OptOutKey(ws) => {
                let key = self.opt_out_keys.get_mut(ws);
                key.map(|it| (opt_outs::seal_context(*ws), &mut it.sealed)).into_iter().collect()
            }
        }
    }

    fn places(&self, kind: SealedKind) -> Vec<SealedPlace> {
        match kind {
            SealedKind::Webhooks => self.webhooks.keys().map(|(ws, id)| SealedPlace::Webhook(*ws, *id)).collect(),
            SealedKind::Channels => self.channels.keys().map(|(ws, id)| SealedPlace::Channel(*ws, *id)).collect(),
            SealedKind::Secrets => self.tables.secrets.keys().map(|(ws, id)| SealedPlace::Secret(*ws, *id)).collect(),
            SealedKind::SigningKeys => self.signing_keys.keys().map(|id| SealedPlace::SigningKey(*id)).collect(),
            SealedKind::OptOutKeys => self.opt_out_keys.keys().map(|ws| SealedPlace::OptOutKey(*ws)).collect(),
            SealedKind::Answers => self
                .answers
                .keys()
                .map(|(ws, (method, route, key))| SealedPlace::Answer(*ws, method.clone(), route.clone(), key.clone()))
                .collect(),
        }
    }
}

#[async_trait]
impl SealedStore for MemoryStore {
    async fn canary(&self) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.lock().canary.clone())
    }

    async fn put_canary(&self, before: Option<Vec<u8>>, sealed: Vec<u8>) -> Result<bool, StoreError> {
        let mut state = self.lock();
        let holds = state.canary == before;
        if holds {
            self.bounds.admit_more(&mut state, 0, sealed.len())?;
            state.canary = Some(sealed);
        }
        Ok(holds)
    }

    async fn sealed(
        &self,
        kind: SealedKind,
        after: Option<SealedPlace>,
        limit: u32,
    ) -> Result<Vec<SealedRow>, StoreError> {
        let mut state = self.lock();
        let places: std::collections::BTreeSet<_> = state.places(kind).into_iter().collect();
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let mut rows = Vec::new();
        for place in places.range((start, Bound::Unbounded)) {
            let values = state.sealed_of(place).into_iter();
            let values: Vec<_> =
                values.map(|(context, sealed)| SealedValue { context, sealed: sealed.clone() }).collect();
            if !values.is_empty() && rows.len() < limit as usize {
                rows.push(SealedRow { place: place.clone(), values });
            }
        }
        Ok(rows)
    }

    async fn replace_sealed(&self, rows: Vec<(SealedRow, Vec<Vec<u8>>)>) -> Result<u64, StoreError> {
        let mut state = self.lock();
        let mut written = 0;
        for (row, after) in rows {
            let present = state.sealed_of(&row.place);
            let is_same = present.iter().map(|(_, sealed)| &**sealed).eq(row.values.iter().map(|it| &it.sealed));
            if is_same {
                let sealed: usize = after.iter().map(Vec::len).sum();
                present.into_iter().zip(after).for_each(|((_, place), sealed)| *place = sealed);
                state.add_written(sealed);
                written += 1;
            }
        }
        Ok(written)
    }

    async fn plain_headers(
        &self,
        after: Option<(WorkspaceId, WebhookId)>,
        limit: u32,
    ) -> Result<Vec<PlainHeaders>, StoreError> {
        let state = self.lock();
        let behind = state.webhooks.range((after.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded));
        let waiting = behind.filter(|(_, webhook)| webhook.headers.has_plain());
        let read = |((workspace, id), it): (&(WorkspaceId, WebhookId), &webhooks::Webhook)| PlainHeaders {
            workspace: *workspace,
            webhook: *id,
            headers: it.headers.clone(),
        };
        Ok(waiting.map(read).take(limit as usize).collect())
    }

    async fn replace_headers(&self, webhooks: Vec<(PlainHeaders, SealedHeaders)>) -> Result<u64, StoreError> {
        let mut state = self.lock();
        let mut written = 0;
        for (before, after) in webhooks {
            let found = state.webhooks.get_mut(&(before.workspace, before.webhook));
            if let Some(webhook) = found.filter(|webhook| webhook.headers == before.headers) {
                let sealed = after.text();
                webhook.headers = after;
                state.add_written(sealed);
                written += 1;
            }
        }
        Ok(written)
    }
}

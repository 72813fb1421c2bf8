//! Requests of providers that the connector does not understand.

use super::InboundService;
use crate::access::Access;
use crate::channels::{Channel, ChannelChange, StoredSecrets, UnparsedRequest, secret_context, token_context};
use crate::error::Error;
use crate::ids::{TypedId, UnparsedRequestId};
use crate::ports::{Change, ChangeSet, StoreError};
use crate::read::Refusal;
use crate::retry::commit_new;

impl InboundService {
    /// Keeps a verified request that the connector did not understand, without the secrets of the channel.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn keep_unparsed(
        &self,
        access: &Access,
        channel: &Channel,
        body: &[u8],
        refusal: &Refusal,
    ) -> Result<(), Error> {
        let id = UnparsedRequestId::from_uuid(self.ports.ids.next());
        let (now, secrets) = (self.ports.clock.now(), self.secrets_of(channel)?);
        let request = UnparsedRequest::new(id, channel.id, now, (body, refusal), &secrets);
        let mut set = ChangeSet::new(access.workspace());
        set.change(Change::Channel(ChannelChange::KeepUnparsed(Box::new(request))));
        Ok(commit_new(&*self.ports.ledger, set).await?)
    }

    /// Returns the secrets of a channel, including the token of its inbound address.
    fn secrets_of(&self, channel: &Channel) -> Result<Vec<String>, StoreError> {
        let Some(endpoint) = &channel.endpoint else { return Ok(Vec::new()) };
        let open = |sealed: &[u8], context: String| {
            let text = self.ports.sealer.open(sealed, &context).ok().and_then(|text| String::from_utf8(text).ok());
            text.ok_or_else(|| StoreError::Corrupt(format!("{context} cannot be decrypted")))
        };
        let secrets = open(&endpoint.secrets, secret_context(channel.id))?;
        let mut secrets = StoredSecrets::read(&secrets).texts();
        secrets.push(open(&endpoint.inbound_token, token_context(channel.id))?);
        Ok(secrets)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex};

    use futures::executor::block_on;
    use uuid::Uuid;

    use super::*;
    use crate::channels::{Endpoint, write_secrets};
    use crate::conversations::OptOutWords;
    use crate::ids::WorkspaceId;
    use crate::memory::PlainSealer;
    use crate::ports::{MockLedger, Ports, Sealer};
    use crate::testing::a_channel;

    #[test]
    fn keeps_a_request_without_the_secrets_of_its_channel() {
        let channel = a_channel();
        let secrets = BTreeMap::from([("bot_token".to_owned(), "110201543:AAHdq".to_owned())]);
        let endpoint = Endpoint {
            config: serde_json::Map::new(),
            secret_hints: BTreeMap::new(),
            secrets: PlainSealer.seal(write_secrets(&secrets).as_bytes(), &secret_context(channel.id)),
            inbound_token: PlainSealer.seal(b"2Yxq0PqLkZ0m8mF9", &token_context(channel.id)),
            inbound_digest: [7; 32],
        };
        let channel = Channel { endpoint: Some(endpoint), ..channel };
        let committed = Arc::new(Mutex::new(Vec::new()));
        let (mut ledger, kept) = (MockLedger::new(), committed.clone());
        ledger.expect_commit().returning(move |set| {
            kept.lock().unwrap().push(set);
            Ok(())
        });
        let ports = Ports { ledger: Arc::new(ledger), sealer: Arc::new(PlainSealer), ..Ports::mocked() };
        let inbound = InboundService { ports: Arc::new(ports), words: OptOutWords::default() };
        let access = Access::system(WorkspaceId::from_uuid(Uuid::from_u128(0xAA)));
        let refusal = Refusal::Malformed { detail: "the body has no `update_id`".to_owned() };
        let body = b"to /inbound/2Yxq0PqLkZ0m8mF9 by 110201543:AAHdq";
        block_on(inbound.keep_unparsed(&access, &channel, body, &refusal)).unwrap();

        let sets = committed.lock().unwrap();
        let [set] = sets.as_slice() else { panic!("expected one commit") };
        let [Change::Channel(ChannelChange::KeepUnparsed(request))] = set.changes.as_slice() else {
            panic!("expected one change")
        };
        assert_eq!((set.workspace, request.channel), (access.workspace(), channel.id));
        assert_eq!((request.reason.as_str(), request.size), ("the body has no `update_id`", body.len() as i64));
        assert_eq!(request.body, "to /inbound/[redacted] by [redacted]");
        assert!(set.events.is_empty() && set.jobs.is_empty());
    }
}

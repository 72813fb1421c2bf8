//! Rotating the secret with which the server and a provider sign their requests.

use std::time::Duration;

use secrecy::ExposeSecret;

use super::{ChannelService, CreatedChannel, secret_context};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::channels::model::PlainSecrets;
use crate::channels::secrets::{SIGNING_SECRET, secret_hints};
use crate::channels::stored_secrets::StoredSecrets;
use crate::error::Error;
use crate::ids::ChannelId;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook, record_of};
use crate::ports::{Change, ChangeSet, Row};
use crate::retry::{AttemptError, retry_on_conflict};

impl ChannelService {
    /// Replaces the signing secret of a channel. The server signs with the new one at once. For `overlap`, it also
    /// accepts requests of the provider that are signed with the replaced one.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`] for a type without a signing secret,
    /// [`Error::Store`].
    pub async fn rotate_secret(
        &self,
        access: &Access,
        channel: ChannelId,
        overlap: Duration,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, CreatedChannel>,
    ) -> Result<Done<CreatedChannel>, Error> {
        let secret = self.ports.secrets.webhook_secret();
        retry_on_conflict(|| async {
            let before = self.get(access, channel).await?;
            expected.check(before.version)?;
            let channel_type = self.ports.connectors.channel_type(before.kind);
            let mut after = before.clone();
            let Some(endpoint) = after.endpoint.as_mut().filter(|_| channel_type.is_some_and(|it| it.signing_secret))
            else {
                let why = "channels of this type have no signing secret; replace their `secrets` with PATCH";
                return Err(Error::invalid("", "no_signing_secret", why).into());
            };
            let mut secrets = StoredSecrets::read(&self.open_text(&endpoint.secrets, &secret_context(channel))?);
            let new = PlainSecrets::from([(SIGNING_SECRET.to_owned(), secret.expose_secret().to_owned())]);
            secrets.replace(&[], &new, (self.ports.clock.now(), overlap));
            endpoint.secret_hints = secret_hints(&secrets.current);
            endpoint.secrets = self.ports.sealer.seal(secrets.write().as_bytes(), &secret_context(channel));
            after.touch(self.ports.clock.now());
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Update(Row::Channel(after.clone())));
            self.ports.add_audit(AuditDraft::changed(AuditAction::ChannelUpdated, &before, &after), access, &mut set);
            let (secret, generated) = (Some(secret.clone()), Vec::new());
            let done = Done::changed(CreatedChannel { channel: after, secret, generated });
            set.idempotency = record_of(idempotency, &done);
            self.ports.ledger.commit(set).await?;
            Ok::<_, AttemptError>(done)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use async_trait::async_trait;
    use futures::executor::block_on;

    use super::*;
    use crate::Tidings;
    use crate::channels::{
        Channel, ChannelKind, ChannelType, Connector, Connectors, InboundRule, NewChannel, Outbound, Receipt, SANDBOX,
        SendOutcome,
    };
    use crate::memory::{FixedClock, MemoryStore};
    use crate::ports::{Clock, Ports};
    use crate::testing::new_workspace;
    use crate::time::Timestamp;

    const HOUR: Duration = Duration::from_secs(3_600);
    const SIGNED: ChannelType = ChannelType {
        kind: ChannelKind::Http,
        inbound: Some(InboundRule {
            media_types: &[],
            challenge: "Webhook-Signature",
            receipt: Receipt::MessageId,
            max_body: InboundRule::BATCH_BODY,
            max_requests: 1_200,
        }),
        signing_secret: true,
        in_sandbox: false,
        ..SANDBOX
    };

    struct Provider;

    #[async_trait]
    impl Connector for Provider {
        fn channel_type(&self) -> &'static ChannelType {
            &SIGNED
        }

        async fn send(&self, _: Outbound) -> SendOutcome {
            SendOutcome::Accepted { provider_message_id: None }
        }
    }

    fn stored(channel: &Channel) -> StoredSecrets {
        let sealed = channel.endpoint.as_ref().unwrap().secrets.clone();
        StoredSecrets::read(&String::from_utf8(sealed).unwrap())
    }

    #[test]
    fn the_replaced_secret_is_valid_until_the_overlap_ends() {
        let clock = Arc::new(FixedClock::default());
        let connectors = Connectors::one(Arc::new(Provider));
        let ports = Ports { clock: clock.clone(), connectors, ..Ports::of(Arc::new(MemoryStore::new())) };
        let tidings = Tidings::new(ports);
        let access = new_workspace(&tidings.ports);
        let channels = &tidings.channels;
        let made = block_on(channels.create(&access, NewChannel::new(ChannelKind::Http, "Ours"), None)).unwrap().value;
        let old = made.secret.unwrap().expose_secret().to_owned();
        let (any, id) = (ExpectedVersion::Any, made.channel.id);
        let rotate = |overlap| {
            let done = block_on(channels.rotate_secret(&access, id, overlap, &any, None));
            let CreatedChannel { channel, secret, .. } = done.unwrap().value;
            (channel, secret.unwrap().expose_secret().to_owned())
        };
        let (channel, new) = rotate(HOUR);
        assert_ne!(new, old);
        let secrets = stored(&channel);
        assert_eq!(secrets.current[SIGNING_SECRET], new);
        let earlier = |secrets: &StoredSecrets, at: Timestamp| -> Vec<String> {
            secrets.earlier(at).into_iter().filter_map(|mut it| it.remove(SIGNING_SECRET)).collect()
        };
        let now = clock.now();
        assert_eq!(earlier(&secrets, now), [old]);
        assert!(earlier(&secrets, now.plus(HOUR)).is_empty());
        let (channel, _) = rotate(Duration::ZERO);
        assert!(earlier(&stored(&channel), now).is_empty(), "both earlier secrets end at once");
    }

    #[test]
    fn a_sandbox_channel_has_no_signing_secret() {
        let tidings = Tidings::new(Ports::of(Arc::new(MemoryStore::new())));
        let access = new_workspace(&tidings.ports);
        let channel = block_on(tidings.ports.channels.default_channel(&access)).unwrap().unwrap().id;
        let any = ExpectedVersion::Any;
        let refused = block_on(tidings.channels.rotate_secret(&access, channel, HOUR, &any, None));
        let Err(Error::Invalid(wrong)) = refused else { panic!("it was rotated") };
        assert_eq!(wrong[0].code, "no_signing_secret");
    }
}

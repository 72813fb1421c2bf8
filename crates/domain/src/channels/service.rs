mod commands;
mod configure;
mod queries;
mod registration;
mod rotate;
mod switch;

use std::sync::Arc;
use std::time::Duration;

pub use commands::{ChannelPatch, CheckedChannel, CreatedChannel, NewChannel, TestedChannel};
use registration::rejected_secret;
use secrecy::{ExposeSecret, SecretString};

use super::channel_type::{ChannelType, ConfigField, Shape};
use super::check::{check_job, first_check, first_poll, last_sent, release_waiting};
use super::health::ChannelHealth;
use super::secrets::{ECHO_SECRET, SIGNING_SECRET, secret_hints, write_secrets};
use super::{
    Channel, ChannelHealthView, ChannelStatus, ChannelView, DefaultChannelView, Endpoint, MAX_CHANNELS, MessagePreview,
    NamedChannel, TemplateCopies,
};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::conversations::{Content, link_files};
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::{ChannelId, TypedId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::ports::{Change, ChangeSet, ChannelChange, Counted, Guard, Object, Ports, Row, StoreError};
use crate::references::{Deletion, Referent, in_use};
use crate::retry::{AttemptError, commit_outcome, retry_on_conflict};
use crate::trial::TrialView;

/// Returns the context that a channel's sealed secrets are bound to.
pub fn secret_context(channel: ChannelId) -> String {
    format!("channel-secret:{channel}")
}

/// Returns the context that a channel's sealed inbound token is bound to.
pub fn token_context(channel: ChannelId) -> String {
    format!("channel-inbound-token:{channel}")
}

/// Use cases of channels.
#[derive(Clone)]
pub struct ChannelService {
    /// Ports of the service.
    pub ports: Arc<Ports>,
    /// Public URL of the server without a path; empty if it is unknown. Providers call channels below it.
    pub public_url: String,
    /// The copies of templates.
    pub(crate) templates: Arc<TemplateCopies>,
}

impl ChannelService {
    /// Stamps the health of a channel after a message of a contact, unless its stamp is recent.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn note_inbound(&self, access: &Access, channel: ChannelId) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let before = self.ports.channels.health(access, channel).await?;
            if let Some(health) = before.heard(self.ports.clock.now()).map(Box::new) {
                let mut set = ChangeSet::new(access.workspace());
                set.change(Change::Channel(ChannelChange::UpdateHealth { channel, health }));
                self.ports.ledger.commit(set).await?;
            }
            Ok::<_, AttemptError>(())
        })
        .await
    }

    /// Returns the view of a channel, with its inbound address.
    pub fn view(&self, channel: &Channel, health: &ChannelHealth) -> ChannelView {
        let inbound_path = self.inbound_path(channel);
        let is_public = !self.public_url.is_empty();
        let inbound_url = inbound_path.as_ref().filter(|_| is_public).map(|path| format!("{}{path}", self.public_url));
        let health = Some(ChannelHealthView::from(health));
        ChannelView { inbound_path, inbound_url, health, ..self.shown(channel) }
    }

    /// Returns the view of a channel for events.
    fn shown(&self, channel: &Channel) -> ChannelView {
        ChannelView::of(channel, self.ports.connectors.capabilities_of(channel))
    }

    /// Creates a channel. A sandbox is connected immediately, and so is a channel that the server registers at its
    /// provider, unless the provider calls its inbound address for that. Others must be connected.
    ///
    /// # Errors
    /// [`Error::Invalid`] below `/config`, at `/kind` for a type that sends to real contacts in a sandbox workspace,
    /// and below `/secrets` if the provider rejects a secret; [`Error::NoPublicUrl`], [`Error::SetupFailed`],
    /// [`Error::AccountInUse`], [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewChannel,
        idempotency: IdempotencyHook<'_, CreatedChannel>,
    ) -> Result<Done<CreatedChannel>, Error> {
        if !self.ports.connectors.is_for(command.kind, access.workspace()) {
            let why = "a sandbox only supports `sandbox` channels, because it never sends to real contacts";
            return Err(Error::invalid("/kind", "sandbox", why));
        }
        let channel_type = self.ports.connectors.channel_type(command.kind);
        self.check(channel_type, &command.config)?;
        self.check_rules(command.kind, &command.config, &command.secrets)?;
        let now = self.ports.clock.now();
        let mut new = Channel::sandbox(ChannelId::from_uuid(self.ports.ids.next()), command.is_default, now);
        new.name.clone_from(&command.name);
        new.kind = channel_type.map_or(new.kind, |it| it.kind);
        let usual = channel_type.map(ChannelType::while_disconnected);
        new.while_disconnected = command.while_disconnected.clone().or(usual).unwrap_or(new.while_disconnected);
        let (mut secret, mut generated) = (None, Vec::new());
        if let Some(channel_type) = channel_type.filter(|it| it.has_provider()) {
            secret = channel_type.signing_secret.then(|| self.ports.secrets.webhook_secret());
            new.status = ChannelStatus::Connecting;
            new.connected_at = None;
            generated = self.generate(channel_type, &command);
            let own =
                secret.iter().map(|it| (SIGNING_SECRET, it)).chain(generated.iter().map(|(name, it)| (*name, it)));
            new.endpoint = Some(self.endpoint(new.id, channel_type, &command, own));
        }
        if channel_type.is_some_and(|it| it.registers) {
            self.check_account(access, &new).await?;
        }
        if channel_type.is_some_and(|it| it.registers && !it.checks_address) {
            let reported = self.register(access, &new).await.map_err(rejected_secret)?;
            new.report(&reported);
            new.status = ChannelStatus::Connected;
            new.connected_at = Some(now);
        }
        let created = retry_on_conflict(|| async {
            let (channel, secret, generated) = (new.clone(), secret.clone(), generated.clone());
            let mut set = ChangeSet::new(access.workspace());
            set.guard(Guard::Room { what: Counted::Channels, adding: 1, most: MAX_CHANNELS });
            if channel.is_default {
                self.replace_default(access, channel.id, &mut set).await?;
            }
            set.change(Change::Insert(Row::Channel(channel.clone())));
            self.ports.add_audit(AuditDraft::created(AuditAction::ChannelCreated, &channel), access, &mut set);
            if channel.status == ChannelStatus::Connected {
                let health = ChannelHealth::default();
                set.jobs.extend(first_check(&self.ports, &channel, health.round));
                set.jobs.extend(first_poll(&self.ports, &channel, health.polling.round));
                self.tell(EventKind::ChannelConnected, &channel, None, access, &mut set);
            }
            let done = Done::created(CreatedChannel { channel, secret, generated });
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await;
        // After an unknown outcome, the channel may exist.
        let is_unknown = |error: &Error| *error == Error::Store(StoreError::OutcomeUnknown);
        if new.status == ChannelStatus::Connected && created.as_ref().is_err_and(|error| !is_unknown(error)) {
            self.unregister(access, &new).await;
        }
        created
    }

    /// Updates a channel. An update without changes does not increment the version. The server registers a connected
    /// channel again if its configuration or a secret changes.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`] below `/config` and `/secrets`,
    /// [`Error::NoPublicUrl`], [`Error::SetupFailed`], [`Error::Store`].
    pub async fn update(
        &self,
        access: &Access,
        channel: ChannelId,
        patch: ChannelPatch,
        expected: &ExpectedVersion,
    ) -> Result<Channel, Error> {
        let (reported, replaced) = self.renew(access, channel, &patch, expected).await?;
        let updated = retry_on_conflict(|| async {
            let before = self.get(access, channel).await?;
            expected.check(before.version)?;
            let mut after = before.clone();
            after.name = patch.name.clone().unwrap_or(after.name);
            after.is_default = patch.is_default.unwrap_or(after.is_default);
            after.while_disconnected = patch.while_disconnected.clone().unwrap_or(after.while_disconnected);
            self.reconfigure(&mut after, &patch)?;
            after.report(&reported);
            if after == before {
                return Ok(before);
            }
            after.touch(self.ports.clock.now());
            let mut set = ChangeSet::new(access.workspace());
            if after.is_default && !before.is_default {
                self.replace_default(access, after.id, &mut set).await?;
            }
            set.change(Change::Update(Row::Channel(after.clone())));
            self.follow_transport(access, (&before, &after), &mut set).await?;
            self.ports.add_audit(AuditDraft::changed(AuditAction::ChannelUpdated, &before, &after), access, &mut set);
            self.ports.ledger.commit(set).await?;
            Ok::<_, AttemptError>(after)
        })
        .await;
        if let Some(before) = replaced.filter(|_| updated.is_err()) {
            self.restore(access, before).await;
        }
        updated
    }

    /// Deletes a channel. Its conversations stay readable, and its queued messages are suppressed.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::InUse`], [`Error::Store`].
    pub async fn delete(
        &self,
        access: &Access,
        channel: ChannelId,
        deletion: Deletion,
        expected: &ExpectedVersion,
    ) -> Result<Option<DefaultChannelView>, Error> {
        let deleted = retry_on_conflict(|| async {
            let found = self.get(access, channel).await?;
            expected.check(found.version)?;
            let at = self.ports.clock.now();
            let mut set = ChangeSet::new(access.workspace());
            deletion.prepare(&mut set, Referent::Channel(channel), &found.name, at);
            set.change(Change::Channel(ChannelChange::Delete { channel, at }));
            if found.waits_until.is_some() {
                set.change(release_waiting(channel, at));
            }
            self.ports.add_audit(AuditDraft::deleted(AuditAction::ChannelDeleted, &found), access, &mut set);
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(found),
                Err(error) => Err(in_use(&*self.ports.references, access, error).await),
            }
        })
        .await?;
        self.unregister(access, &deleted).await;
        if !deleted.is_default {
            return Ok(None);
        }
        // Another request may have set a new default channel in the meantime.
        let now = self.ports.channels.default_channel(access).await?;
        let default_channel = now.map(|channel| NamedChannel { id: channel.id, name: channel.name });
        Ok(Some(DefaultChannelView { default_channel }))
    }

    /// Returns the parts in which the channel would send a message. Nothing is sent or changed.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Invalid`] for unknown files, [`Error::Store`].
    pub async fn preview(
        &self,
        access: &Access,
        channel: ChannelId,
        content: &Content,
    ) -> Result<MessagePreview, Error> {
        let channel = self.get(access, channel).await?;
        let connector = self.ports.connectors.of(channel.kind);
        let connector = connector.ok_or_else(|| StoreError::Corrupt(format!("no connector for {}", channel.id)))?;
        let mut content = content.clone();
        if link_files(&self.ports, access, &mut content, true).await?.is_err() {
            let message = "a file of the message does not exist in this workspace";
            return Err(Error::invalid("/message/attachments", "unknown_media", message));
        }
        Ok(MessagePreview::of(&**connector, &channel, &content))
    }

    /// Tests whether the provider accepts messages, stores the error in `last_error`, and refreshes the health. A
    /// failed test is a result, not an error.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn test(
        &self,
        access: &Access,
        channel: ChannelId,
        idempotency: IdempotencyHook<'_, TestedChannel>,
    ) -> Result<Done<TestedChannel>, Error> {
        let asked = self.get(access, channel).await?;
        let connector = self.ports.connectors.for_workspace(asked.kind, access.workspace());
        let connector = connector.ok_or_else(|| StoreError::Corrupt(format!("no connector for {channel}")))?;
        let began = self.ports.clock.now();
        let trial = connector.test(&asked).await;
        let outcome = TrialView::new(&trial, self.ports.clock.now().since(began), None);
        let is_asked = asked.status == ChannelStatus::Connected && connector.channel_type().registers;
        let report = if is_asked { Some(connector.health(&asked).await) } else { None };
        let last_sent_at = last_sent(&self.ports, access, channel).await?;
        retry_on_conflict(|| async {
            let mut channel = self.get(access, channel).await?;
            let mut set = ChangeSet::new(access.workspace());
            if let Some(report) = report.as_ref().filter(|_| channel.status == ChannelStatus::Connected) {
                // A check that disconnects the channel at the same time comes first.
                set.guard(Guard::Version(Object::Channel(channel.id), channel.version));
                let before = self.ports.channels.health(access, channel.id).await?;
                let mut health = before.checked(report, last_sent_at, self.ports.clock.now());
                if report.problems.iter().any(|it| it.ends_sending) {
                    health.round += 1;
                    set.jobs.push(check_job(&self.ports, channel.id, health.round, Duration::ZERO));
                }
                let health = Box::new(health);
                set.change(Change::Channel(ChannelChange::UpdateHealth { channel: channel.id, health }));
            }
            if channel.last_error != trial.error {
                channel.last_error.clone_from(&trial.error);
                channel.touch(self.ports.clock.now());
                set.change(Change::Update(Row::Channel(channel.clone())));
            }
            let done = Done::unchanged(TestedChannel { outcome: outcome.clone(), version: channel.version });
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Generates the secrets that the type declares as generated and that the command does not contain.
    fn generate(&self, channel_type: &ChannelType, command: &NewChannel) -> Vec<(&'static str, SecretString)> {
        let is_generated = |field: &&ConfigField| matches!(field.shape, Shape::GeneratedText { .. });
        let missing = channel_type.secrets.iter().filter(is_generated);
        let missing = missing.filter(|field| !command.secrets.contains_key(field.name));
        missing.map(|field| (field.name, self.ports.secrets.webhook_secret())).collect()
    }

    fn endpoint<'s>(
        &self,
        channel: ChannelId,
        channel_type: &ChannelType,
        command: &NewChannel,
        own: impl Iterator<Item = (&'static str, &'s SecretString)>,
    ) -> Endpoint {
        let mut secrets = command.secrets.clone();
        secrets.extend(own.map(|(name, it)| (name.to_owned(), it.expose_secret().to_owned())));
        if channel_type.registers {
            let echo = self.ports.secrets.inbound_token();
            secrets.insert(ECHO_SECRET.to_owned(), echo.text.expose_secret().to_owned());
        }
        let token = self.ports.secrets.inbound_token();
        Endpoint {
            config: command.config.clone(),
            secret_hints: secret_hints(&secrets),
            secrets: self.ports.sealer.seal(write_secrets(&secrets).as_bytes(), &secret_context(channel)),
            inbound_token: self.ports.sealer.seal(token.text.expose_secret().as_bytes(), &token_context(channel)),
            inbound_digest: token.digest,
        }
    }

    /// Removes the default from the current default channel.
    async fn replace_default(
        &self,
        access: &Access,
        successor: ChannelId,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let default = self.ports.channels.default_channel(access).await?;
        if let Some(mut channel) = default.filter(|channel| channel.id != successor) {
            let before = channel.clone();
            channel.is_default = false;
            channel.touch(self.ports.clock.now());
            self.ports.add_audit(AuditDraft::changed(AuditAction::ChannelUpdated, &before, &channel), access, set);
            set.change(Change::Update(Row::Channel(channel)));
        }
        Ok(())
    }

    fn tell(&self, kind: EventKind, channel: &Channel, reason: Option<&str>, access: &Access, set: &mut ChangeSet) {
        let mut event = EventDraft::new(kind, &self.shown(channel));
        if let Some(reason) = reason {
            event = event.with("reason", &reason);
        }
        self.ports.add_event(event, access, set);
    }
}

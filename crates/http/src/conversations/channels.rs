//! `/channels`: the connections to messaging providers.

mod config;

use secrecy::ExposeSecret;
use tidings_domain::Error;
use tidings_domain::access::Scope;
use tidings_domain::body;
use tidings_domain::channels::{
    Channel, ChannelHealth, ChannelKind, ChannelPatch, ChannelStatus, ChannelView, CheckedChannel, CreatedChannel,
    DefaultChannelView, DisconnectedMode, MessagePreview, NewChannel, PlainSecrets, TestedChannel, UnparsedRequestView,
    WhileDisconnected, fitting_first, missing_config, missing_members,
};
use tidings_domain::conversations::{Content, MessageView};
use tidings_domain::ids::ChannelId;
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::Annotate;
use tidings_domain::read::{Body, boolean, name, nested, string, word};
use tidings_domain::time::IsoDuration;
use tidings_domain::trial::TrialView;
use tidings_domain::webhooks::DEFAULT_OVERLAP;

use config::{Config, WRITTEN_CONFIG, WRITTEN_SECRETS, config_changes_of, config_of, secrets_of};

use crate::broadcasts::content;
use crate::request::list_filters::NameFilters;
use crate::request::paging::{List, PageParams};
use crate::request::path::CHANNEL;
use crate::request::query::parameters;
use crate::request::{ForceParams, RequestContext};
use crate::response::answer::Answer;
use crate::response::problem::Problem;
use crate::webhooks::actions::overlap;

const READ_ONLY: &[&str] = &[
    "id",
    "status",
    "capabilities",
    "secret",
    "secret_hint",
    "inbound_path",
    "inbound_url",
    "health",
    "last_error",
    "connected_at",
    "created_at",
    "updated_at",
    "version",
];
/// The type of a channel never changes.
const READ_ONLY_IN_UPDATES: &[&str] = &[
    "id",
    "kind",
    "status",
    "capabilities",
    "secret",
    "secret_hint",
    "inbound_path",
    "inbound_url",
    "health",
    "last_error",
    "connected_at",
    "created_at",
    "updated_at",
    "version",
];

body! {
    /// A channel to create.
    #[read_only(READ_ONLY)]
    struct CreateChannel {
        /// Type of the channel.
        required kind: ChannelKind = word(ChannelKind::WORDS, ChannelKind::parse);
        /// Display name; the type of the channel if absent.
        nullable name: String = name(1..=100);
        /// Whether messages use this channel by default. It replaces the current default channel.
        or_default is_default: bool = boolean();
        /// Configuration; the type of the channel declares its members.
        nullable config: Config = WRITTEN_CONFIG;
        /// Secrets; the type of the channel declares their names. They are never returned.
        nullable secrets: Config = WRITTEN_SECRETS;
        /// The treatment of messages after the provider caused a disconnection. By default they wait for 24 hours;
        /// messages of `http` and `sandbox` channels are suppressed.
        nullable while_disconnected: WaitRule = nested();
    }
}

body! {
    /// Fields to update. Absent fields stay.
    #[read_only(READ_ONLY_IN_UPDATES)]
    struct UpdateChannel {
        /// Display name.
        optional name: String = name(1..=100);
        /// Whether messages use this channel by default. It replaces the current default channel.
        optional is_default: bool = boolean();
        /// Members of the configuration to replace; absent members stay. `null` removes a member that is not required.
        optional config: Config = WRITTEN_CONFIG;
        /// Secrets to replace; absent secrets stay.
        optional secrets: Config = WRITTEN_SECRETS;
        /// Overlap (ISO 8601), only with `secrets`: for this time, the server also accepts requests of the provider that
        /// are signed with a replaced secret. At most `P7D`; `PT24H` if absent. `PT0S` ends it at once.
        optional overlap: IsoDuration = string(overlap).example("PT24H");
        /// The treatment of messages after the provider caused a disconnection.
        optional while_disconnected: WaitRule = nested();
    }
}

body! {
    /// The treatment of messages after the provider caused a disconnection.
    struct WaitRule as "WriteWhileDisconnected" {
        /// `wait`: they are sent when the channel is connected again. `suppress`: they are suppressed.
        required mode: DisconnectedMode = word(DisconnectedMode::WORDS, DisconnectedMode::parse);
        /// The longest wait, at most `P7D`. Then the messages are suppressed.
        optional duration as "for": String = string(WhileDisconnected::check).default("PT24H").example("PT24H");
    }
}

impl From<WaitRule> for WhileDisconnected {
    fn from(it: WaitRule) -> Self {
        Self::new(it.mode, it.duration)
    }
}

body! {
    /// Options for rotating the secret of a channel.
    struct RotateChannelSecret {
        /// Overlap (ISO 8601): for this time, the server also accepts requests that are signed with the replaced
        /// secret. At most `P7D`.
        optional overlap: IsoDuration = string(overlap).default("PT24H").example("PT1H");
    }
}

body! {
    /// A message to preview.
    struct PreviewMessage {
        /// The message, as in `send-message`.
        required message: Content = content();
    }
}

parameters! {
    struct ChannelFilters {
        flat called: NameFilters;
        /// Only channels with this status.
        one status: ChannelStatus = word(ChannelStatus::WORDS, ChannelStatus::parse);
    }
}

/// List channels.
///
/// Secrets of the configuration are never returned. `config.url`, `inbound_path` and `inbound_url` are returned
/// only with write access.
#[utoipa::path(get, path = "/api/v1/channels", tag = "Channels", params(ChannelFilters, PageParams),
    responses((status = 200, description = "A page of channels.", body = List<ChannelView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>();
    let ChannelFilters { called, status } = query.read();
    query.finish()?;
    let filter = called.with(status);
    let channels = &cx.services().channels;
    let page = channels.list(cx.access(), &filter, paging.request).await?;
    let (healths, unknown) = (channels.healths(cx.access()).await?, ChannelHealth::default());
    Ok(cx.page(&paging, page, |channel| view(&cx, channel, healths.get(&channel.id).unwrap_or(&unknown))))
}

/// Create a channel.
///
/// A sandbox channel is connected at once. Connect an `http` channel when its provider is ready. Its response contains
/// the signing secret, which is never shown again. A `telegram` or `sms` channel is only stored if the provider accepts
/// the secrets and the address of this server; then it is connected. Connect a `whatsapp` channel afterwards, because
/// WhatsApp calls its inbound address during the set-up. An `email` channel is only stored if the mail server accepts the
/// log-in; its response contains `secrets.inbound_secret`, unless the request does.
#[utoipa::path(post, path = "/api/v1/channels", tag = "Channels", request_body = CreateChannel,
    responses((status = 201, description = "The channel.", body = ChannelView),
    (status = 409, description = "`no_public_url`: the provider cannot call the server. `setup_failed`: the provider \
                                  did not set up the channel. `account_in_use`: another channel uses the account.")))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let command = cx.read(CreateChannel::READ_ONLY, |body| {
        let CreateChannel { kind, name, is_default, config, secrets, while_disconnected } = CreateChannel::read(body)?;
        let connectors = &cx.services().ports.connectors;
        let channel_type = connectors.channel_type(kind);
        let config = config_of(body, connectors.config_fields(Some(kind)), config);
        let secrets = secrets_of(body, channel_type.map_or(&[][..], |it| it.secrets), secrets);
        for name in channel_type.iter().flat_map(|it| it.undeclared(&config)) {
            let message = format!("is only allowed for channels of type {}", connectors.declaring(name));
            body.error(&format!("/config/{name}"), "not_allowed", message);
        }
        if !body.is_wrong() {
            let fields = channel_type.map_or(&[][..], |it| it.config);
            body.adopt(missing_config(fields, "/config", &config));
            let fields = channel_type.map_or(&[][..], |it| it.secrets);
            body.adopt(missing_members(fields, "/secrets", |name| secrets.contains_key(name)));
        }
        let title = channel_type.map_or(kind.as_str(), |it| it.title);
        let name = name.unwrap_or_else(|| title.to_owned());
        let while_disconnected = while_disconnected.map(WhileDisconnected::from);
        Some(NewChannel { kind, name, is_default, config, secrets, while_disconnected })
    })?;
    let channels = &cx.services().channels;
    let render = |done: &Done<CreatedChannel>| {
        let location = format!("/api/v1/channels/{}", done.value.channel.id);
        reveal(&cx, &done.value, &ChannelHealth::default()).outcome(done.outcome).located(location)
    };
    cx.run_idempotent(render, async |idempotency| channels.create(cx.access(), command, idempotency).await).await
}

/// Get a channel.
///
/// Secrets of the configuration are never returned. `config.url`, `inbound_path` and `inbound_url` are returned
/// only with write access.
#[utoipa::path(get, path = "/api/v1/channels/{id}", tag = "Channels",
    responses((status = 200, description = "The channel.", body = ChannelView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(load_answer(&cx, cx.path_parameter(&CHANNEL)?).await?)
}

/// Update a channel.
///
/// Present fields replace, absent fields stay. The server checks a new secret of a connected `telegram`, `whatsapp` or
/// `sms` channel, and registers its address again. Requests that the provider signs with a replaced secret are accepted
/// for `overlap`.
#[utoipa::path(method(put, patch), path = "/api/v1/channels/{id}", tag = "Channels",
    request_body = UpdateChannel,
    responses((status = 200, description = "The updated channel.", body = ChannelView),
    (status = 409, description = "`no_public_url`: the provider cannot call the server. `setup_failed`: the provider \
                                  did not set up the channel.")))]
pub async fn update(cx: RequestContext) -> Result<Answer, Problem> {
    let patch = cx.read(UpdateChannel::READ_ONLY, |body| {
        let UpdateChannel { name, is_default, config, secrets, overlap, while_disconnected } =
            UpdateChannel::read(body)?;
        let connectors = &cx.services().ports.connectors;
        let written = config.unwrap_or_default();
        let declared = fitting_first(connectors.config_fields(None), &written);
        let config = config_changes_of(body, declared, &written);
        let every_secret = connectors.types().flat_map(|it| it.secrets);
        let secrets = secrets_of(body, every_secret, secrets);
        if overlap.is_some() && secrets.is_empty() && !body.is_wrong() {
            body.error("/overlap", "not_allowed", "is only allowed with `secrets`");
        }
        let secret_overlap = overlap.map_or(DEFAULT_OVERLAP, IsoDuration::get);
        let while_disconnected = while_disconnected.map(WhileDisconnected::from);
        Some(ChannelPatch { name, is_default, config, secrets, secret_overlap, while_disconnected })
    })?;
    let channel = cx.path_parameter(&CHANNEL)?;
    let expected = cx.expected(load_answer(&cx, channel)).await?;
    let channels = &cx.services().channels;
    let updated = channels.update(cx.access(), channel, patch, &expected).await?;
    let health = channels.health(cx.access(), channel).await?;
    Ok(show(&cx, &updated, &health))
}

/// Delete a channel.
///
/// Its conversations stay readable. Messages that wait to be sent on it are suppressed. If it was the default channel
/// of the workspace, the response contains the new default channel, if there is one. No other channel becomes the
/// default automatically.
#[utoipa::path(delete, path = "/api/v1/channels/{id}", tag = "Channels", params(ForceParams),
    responses((status = 204, description = "Deleted."),
    (status = 200, description = "Deleted; it was the default channel.", body = DefaultChannelView),
    (status = 409, description = "`in_use`: other objects use it; `dependents` lists them.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let channel = cx.path_parameter(&CHANNEL)?;
    let expected = cx.expected(load_answer(&cx, channel)).await?;
    Ok(match cx.services().channels.delete(cx.access(), channel, deletion, &expected).await? {
        None => Answer::no_content(),
        Some(left) => Answer::json(&left),
    })
}

/// Connect a channel.
///
/// Waiting messages are sent from then on. The server registers its address at the provider of a `telegram`, `whatsapp`
/// or `sms` channel, also if the channel is connected.
#[utoipa::path(post, path = "/api/v1/channels/{id}/connect", tag = "Channels",
    responses((status = 200, description = "The channel, connected.", body = ChannelView),
    (status = 409, description = "`no_public_url`: the provider cannot call the server. `setup_failed`: the provider \
                                  did not set up the channel.")))]
pub async fn connect(cx: RequestContext) -> Result<Answer, Problem> {
    let channel = cx.path_parameter(&CHANNEL)?;
    cx.run_idempotent(
        |done: &Done<CheckedChannel>| show(&cx, &done.value.channel, &done.value.health),
        async |idempotency| {
            let expected = cx.expected(load_answer(&cx, channel)).await?;
            cx.services().channels.connect(cx.access(), channel, &expected, idempotency).await
        },
    )
    .await
}

/// Disconnect a channel.
///
/// Later messages on it are suppressed with the reason `channel_disconnected`. The server removes its address at the
/// provider of a `telegram`, `whatsapp` or `sms` channel.
#[utoipa::path(post, path = "/api/v1/channels/{id}/disconnect", tag = "Channels",
    responses((status = 200, description = "The channel, disconnected.", body = ChannelView)))]
pub async fn disconnect(cx: RequestContext) -> Result<Answer, Problem> {
    let channel = cx.path_parameter(&CHANNEL)?;
    cx.run_idempotent(
        |done: &Done<CheckedChannel>| show(&cx, &done.value.channel, &done.value.health),
        async |idempotency| {
            let expected = cx.expected(load_answer(&cx, channel)).await?;
            cx.services().channels.disconnect(cx.access(), channel, &expected, idempotency).await
        },
    )
    .await
}

/// Rotate the secret of a channel.
///
/// Only for channels of the type `http`. The response contains the new secret, which is never shown again. The server
/// signs messages with it at once. For `overlap`, it also accepts requests that are signed with the replaced secret, so
/// the provider has time to change.
#[utoipa::path(post, path = "/api/v1/channels/{id}/rotate-secret", tag = "Channels",
    request_body = RotateChannelSecret,
    responses((status = 200, description = "The channel with its new secret.", body = ChannelView)))]
pub async fn rotate_secret(cx: RequestContext) -> Result<Answer, Problem> {
    let RotateChannelSecret { overlap } = cx.body()?;
    let overlap = overlap.map_or(DEFAULT_OVERLAP, IsoDuration::get);
    let channel = cx.path_parameter(&CHANNEL)?;
    let channels = &cx.services().channels;
    let health = channels.health(cx.access(), channel).await?;
    cx.run_idempotent(
        |done: &Done<CreatedChannel>| reveal(&cx, &done.value, &health),
        async |idempotency| {
            let expected = cx.expected(load_answer(&cx, channel)).await?;
            channels.rotate_secret(cx.access(), channel, overlap, &expected, idempotency).await
        },
    )
    .await
}

/// Test a channel.
///
/// Asks the provider whether it accepts messages; no message is sent. The response has the same form as a webhook test.
/// The server stores its `error` as `last_error` of the channel, and refreshes `health`.
#[utoipa::path(post, path = "/api/v1/channels/{id}/test", tag = "Channels",
    responses((status = 200, description = "The result of the test.", body = TrialView)))]
pub async fn test(cx: RequestContext) -> Result<Answer, Problem> {
    let channel = cx.path_parameter(&CHANNEL)?;
    let render = |done: &Done<TestedChannel>| Answer::object(&done.value.outcome, done.value.version);
    cx.run_idempotent(render, async |idempotency| cx.services().channels.test(cx.access(), channel, idempotency).await)
        .await
}

/// Preview a message.
///
/// Returns the parts of the message on this channel, the features that the channel replaces, and the segments that the
/// provider charges. Nothing is sent or changed.
#[utoipa::path(post, path = "/api/v1/channels/{id}/preview", tag = "Channels", request_body = PreviewMessage,
    responses((status = 200, description = "The parts of the message.", body = MessagePreview)))]
pub async fn preview(cx: RequestContext) -> Result<Answer, Problem> {
    let PreviewMessage { message } = cx.body()?;
    let channel = cx.path_parameter(&CHANNEL)?;
    Ok(Answer::json(&cx.services().channels.preview(cx.access(), channel, &message).await?))
}

/// List captured messages.
///
/// Returns the messages that the channel sent to its provider, as rendered; for a sandbox, the messages that it would
/// have sent.
#[utoipa::path(get, path = "/api/v1/channels/{id}/captured", tag = "Channels", params(PageParams),
    responses((status = 200, description = "A page of messages.", body = List<MessageView>)))]
pub async fn captured(cx: RequestContext) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().channels.captured(cx.access(), cx.path_parameter(&CHANNEL)?, paging.request).await?;
    Ok(cx.page(&paging, page, |message| MessageView::from(message)))
}

/// List requests that were not understood.
///
/// Returns the signed requests of the provider with a body that the server did not understand, without secrets. A channel
/// keeps the newest 100 for seven days. A channel of the type `http` keeps none, because its provider gets an error.
#[utoipa::path(get, path = "/api/v1/channels/{id}/unparsed", tag = "Channels", params(PageParams),
    responses((status = 200, description = "A page of requests.", body = List<UnparsedRequestView>)))]
pub async fn unparsed(cx: RequestContext) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().channels.unparsed(cx.access(), cx.path_parameter(&CHANNEL)?, paging.request).await?;
    Ok(cx.page(&paging, page, |request| UnparsedRequestView::from(request)))
}

async fn load_answer(cx: &RequestContext, channel: ChannelId) -> Result<Answer, Error> {
    let channels = &cx.services().channels;
    let found = channels.get(cx.access(), channel).await?;
    let health = channels.health(cx.access(), channel).await?;
    Ok(show(cx, &found, &health))
}

fn show(cx: &RequestContext, channel: &Channel, health: &ChannelHealth) -> Answer {
    Answer::object(&view(cx, channel, health), channel.version)
}

/// Returns a channel with its new secrets.
fn reveal(cx: &RequestContext, created: &CreatedChannel, health: &ChannelHealth) -> Answer {
    let CreatedChannel { channel, secret, generated } = created;
    let secret = secret.as_ref().map(|secret| secret.expose_secret().to_owned());
    let generated = generated.iter().map(|(name, it)| ((*name).to_owned(), it.expose_secret().to_owned()));
    let secrets = Some(generated.collect::<PlainSecrets>()).filter(|it| !it.is_empty());
    let view = ChannelView { secret, secrets, ..cx.services().channels.view(channel, health) };
    Answer::object(&view, channel.version)
}

/// Returns the channel as this caller may see it.
fn view(cx: &RequestContext, channel: &Channel, health: &ChannelHealth) -> ChannelView {
    let view = cx.services().channels.view(channel, health);
    let channel_type = cx.services().ports.connectors.channel_type(channel.kind);
    if cx.access().allows(Scope::Write) { view } else { view.without_addresses(channel_type) }
}

//! The configuration and the secrets of a channel in a request. The type of the channel declares their members.

use serde_json::{Map, Value};
use tidings_domain::channels::{
    ConfigField, PlainSecrets, missing_inside, read_config, read_config_changes, read_members,
};
use tidings_domain::read::schema::{Describe, Described};
use tidings_domain::read::{Fields, Input, Read, Violation, wrong_type};
use utoipa::ToSchema;
use utoipa::openapi::schema::{AdditionalProperties, Type};
use utoipa::openapi::{ObjectBuilder, OneOfBuilder, RefOr, Schema};

pub(super) use tidings_domain::channels::Config;

/// Reads any object as the configuration; [`config_of`] checks its members.
pub(super) const WRITTEN_CONFIG: WrittenObject = WrittenObject { describe: Described::named::<ConfigSchema> };
/// Reads any object as the secrets; [`secrets_of`] checks them.
pub(super) const WRITTEN_SECRETS: WrittenObject = WrittenObject { describe: Described::named::<SecretsSchema> };

#[derive(Clone, Copy)]
pub(super) struct WrittenObject {
    describe: fn() -> Described,
}

impl Read<Config> for WrittenObject {
    fn read(&self, input: Input<'_>) -> Result<Config, Vec<Violation>> {
        match input.to_value() {
            Value::Object(object) => Ok(object),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                Err(wrong_type("an object", input).into())
            }
        }
    }
}

impl Describe for WrittenObject {
    fn describe(&self) -> Described {
        (self.describe)()
    }
}

/// The declared members of a new `config`. Others are violations, which `body` reports. `null` means absent.
pub(super) fn config_of(
    body: &mut Fields<'_>,
    declared: impl IntoIterator<Item = &'static ConfigField>,
    written: Option<Config>,
) -> Config {
    report(body, "/config", read_config(declared, &written.unwrap_or_default()))
}

/// The declared members of an update of `config`. Others are violations, which `body` reports. `null` removes a member.
pub(super) fn config_changes_of(
    body: &mut Fields<'_>,
    declared: impl IntoIterator<Item = &'static ConfigField>,
    written: &Config,
) -> Config {
    report(body, "/config", read_config_changes(declared, written))
}

/// The declared members of `secrets`. Others are violations, which `body` reports, and so are missing members of an
/// object.
pub(super) fn secrets_of(
    body: &mut Fields<'_>,
    declared: impl IntoIterator<Item = &'static ConfigField>,
    written: Option<Config>,
) -> PlainSecrets {
    let declared: Vec<_> = declared.into_iter().collect();
    let read = read_members(declared.iter().copied(), &written.unwrap_or_default());
    let secrets = report(body, "/secrets", read);
    body.adopt(missing_inside(declared, "/secrets", &secrets));
    secrets.into_iter().filter_map(|(name, value)| Some((name, sealable(value)?))).collect()
}

/// Returns a secret as the text that is sealed: an object as JSON.
fn sealable(secret: Value) -> Option<String> {
    match secret {
        Value::String(text) => Some(text),
        Value::Object(_) => Some(secret.to_string()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

/// Returns members that were read. `body` reports their violations.
fn report(body: &mut Fields<'_>, at: &str, read: Result<Config, Vec<Violation>>) -> Config {
    read.unwrap_or_else(|wrong| {
        body.adopt(wrong.into_iter().map(|violation| violation.under(at)));
        Map::new()
    })
}

/// Describes `from`, which is a text or an object.
fn sender_schema() -> RefOr<Schema> {
    let number = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(16));
    let mailbox = ObjectBuilder::new().schema_type(Type::Object);
    let either = OneOfBuilder::new().item(number).item(mailbox).description(Some(
        "For `sms`: the number that sends and receives, such as `+15005550006`; either it or `messaging_service_sid`. \
         For `email`: the sender, `{\"address\", \"name\"}`. The number and the address cannot change.",
    ));
    RefOr::T(either.into())
}

/// Configuration of a channel. In an update, `null` removes a member that the type of the channel does not require.
#[derive(ToSchema)]
#[schema(as = Config)]
#[expect(dead_code, reason = "it describes `config` in the API description")]
struct ConfigSchema {
    /// For `http`: URL that receives the messages; an `https:` URL that is not private.
    #[schema(min_length = 1, max_length = 2_048, example = "https://example.com/messages")]
    url: Option<String>,
    /// For `http`: whether the service drops a message whose `webhook-id` it knows. Then a message whose outcome is
    /// unknown is sent again.
    idempotent: Option<bool>,
    /// For `telegram`: how messages of contacts arrive: `webhook` or `polling`.
    #[schema(example = "webhook")]
    mode: Option<String>,
    /// For `telegram`: address of your own Bot API server, in place of `https://api.telegram.org`. For `whatsapp` and
    /// `sms`: address of your own proxy, in place of `https://graph.facebook.com` or `https://api.twilio.com`.
    #[schema(min_length = 1, max_length = 2_048, example = "https://api.telegram.org")]
    base_url: Option<String>,
    /// For `whatsapp`: ID of the phone number.
    #[schema(min_length = 1, max_length = 50, example = "106540352242922")]
    phone_number_id: Option<String>,
    /// For `whatsapp`: ID of the WhatsApp Business account.
    #[schema(min_length = 1, max_length = 50, example = "102290129340398")]
    waba_id: Option<String>,
    /// For `whatsapp`: version of the Graph API. The default is `v25.0`.
    #[schema(min_length = 2, max_length = 10, example = "v25.0")]
    graph_version: Option<String>,
    /// For `whatsapp`: maximum number of messages that the channel sends per second. The default is 80.
    #[schema(minimum = 1, maximum = 1_000, example = 80)]
    messages_per_second: Option<i64>,
    /// For `sms`: the provider. The only one is `twilio`.
    #[schema(example = "twilio")]
    provider: Option<String>,
    /// For `sms`: ID of the Twilio account. It cannot be changed.
    #[schema(min_length = 1, max_length = 34, example = "AC0123456789abcdef0123456789abcdef")]
    account_sid: Option<String>,
    /// For `sms`: the messaging service of Twilio that chooses the sender. It cannot be changed.
    #[schema(min_length = 1, max_length = 34, example = "MG0123456789abcdef0123456789abcdef")]
    messaging_service_sid: Option<String>,
    #[schema(schema_with = sender_schema)]
    from: Option<Value>,
    /// For `email`: the mail server, `{"host", "port", "tls"}`. `tls` is `implicit` or `starttls`.
    #[schema(value_type = Option<Object>)]
    smtp: Option<Config>,
    /// For `email`: inbound mail, `{"auth", "authserv_id"}`. `auth` is how the relay proves itself:
    /// `standard_webhooks`, `basic` or `mailgun`. `authserv_id` is the server whose `Authentication-Results` are
    /// trusted.
    #[schema(value_type = Option<Object>)]
    inbound: Option<Config>,
    /// For `email`: text at the end of each mail.
    #[schema(min_length = 1, max_length = 1_000)]
    signature: Option<String>,
}

/// Secrets of a channel.
struct SecretsSchema;

impl ToSchema for SecretsSchema {
    fn name() -> std::borrow::Cow<'static, str> {
        "ChannelSecrets".into()
    }
}

impl utoipa::PartialSchema for SecretsSchema {
    fn schema() -> RefOr<Schema> {
        let secrets = ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some(
                "Secrets of a channel, by name: strings or objects, as the type of the channel declares.",
            ))
            .additional_properties(Some(AdditionalProperties::FreeForm(true)));
        RefOr::T(secrets.into())
    }
}

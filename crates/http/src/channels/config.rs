//! The configuration and the secrets of a channel in a request. The type of the channel declares their members.

use serde_json::{Map, Value};
use tidings_domain::channels::{ConfigField, PlainSecrets, read_members};
use tidings_domain::read::schema::{Describe, Described};
use tidings_domain::read::{Fields, Input, Read, Violation, wrong_type};
use utoipa::ToSchema;
use utoipa::openapi::schema::{AdditionalProperties, Type};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

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

/// The declared members of `config`. Others are violations, which `body` reports.
pub(super) fn config_of(
    body: &mut Fields<'_>,
    declared: impl IntoIterator<Item = &'static ConfigField>,
    written: Option<Config>,
) -> Config {
    members(body, "/config", declared, written)
}

/// The declared members of `secrets`. Others are violations, which `body` reports.
pub(super) fn secrets_of(
    body: &mut Fields<'_>,
    declared: impl IntoIterator<Item = &'static ConfigField>,
    written: Option<Config>,
) -> PlainSecrets {
    let secrets = members(body, "/secrets", declared, written).into_iter();
    secrets.filter_map(|(name, value)| Some((name, value.as_str()?.to_owned()))).collect()
}

fn members(
    body: &mut Fields<'_>,
    at: &str,
    declared: impl IntoIterator<Item = &'static ConfigField>,
    written: Option<Config>,
) -> Config {
    let read = read_members(declared, &written.unwrap_or_default());
    read.unwrap_or_else(|wrong| {
        body.adopt(wrong.into_iter().map(|violation| violation.under(at)));
        Map::new()
    })
}

/// Configuration of a channel.
#[derive(ToSchema)]
#[schema(as = Config)]
#[expect(dead_code, reason = "it describes `config` in the API description")]
struct ConfigSchema {
    /// For `http`: URL that receives the messages; an `https:` URL that is not private.
    #[schema(min_length = 1, max_length = 2_048, example = "https://example.com/messages", nullable = false)]
    url: Option<String>,
    /// For `telegram`: how messages of contacts arrive. The only mode is `webhook`.
    #[schema(example = "webhook", nullable = false)]
    mode: Option<String>,
    /// For `telegram`: address of your own Bot API server, in place of `https://api.telegram.org`. For `whatsapp`:
    /// address of your own proxy, in place of `https://graph.facebook.com`.
    #[schema(min_length = 1, max_length = 2_048, example = "https://api.telegram.org", nullable = false)]
    base_url: Option<String>,
    /// For `whatsapp`: ID of the phone number.
    #[schema(min_length = 1, max_length = 50, example = "106540352242922", nullable = false)]
    phone_number_id: Option<String>,
    /// For `whatsapp`: ID of the WhatsApp Business account.
    #[schema(min_length = 1, max_length = 50, example = "102290129340398", nullable = false)]
    waba_id: Option<String>,
    /// For `whatsapp`: version of the Graph API. The default is `v25.0`.
    #[schema(min_length = 2, max_length = 10, example = "v25.0", nullable = false)]
    graph_version: Option<String>,
    /// For `whatsapp`: maximum number of messages that each process sends per second. The default is 80.
    #[schema(minimum = 1, maximum = 1_000, example = 80, nullable = false)]
    messages_per_second: Option<i64>,
    /// For `email`: the sender, `{"address", "name"}`. The address cannot change.
    #[schema(value_type = Option<Object>, nullable = false)]
    from: Option<Config>,
    /// For `email`: the mail server, `{"host", "port", "tls"}`. `tls` is `implicit` or `starttls`.
    #[schema(value_type = Option<Object>, nullable = false)]
    smtp: Option<Config>,
    /// For `email`: how the relay of inbound mail proves itself, `{"auth"}`: `standard_webhooks`, `basic` or `mailgun`.
    #[schema(value_type = Option<Object>, nullable = false)]
    inbound: Option<Config>,
    /// For `email`: text at the end of each mail.
    #[schema(min_length = 1, max_length = 1_000, nullable = false)]
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
        let text = ObjectBuilder::new().schema_type(Type::String);
        let secrets = ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some("Secrets of a channel, by name."))
            .additional_properties(Some(AdditionalProperties::RefOr(RefOr::T(text.into()))));
        RefOr::T(secrets.into())
    }
}

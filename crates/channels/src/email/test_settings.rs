//! Settings and channels of tests.

use serde_json::{Value, json};
use tidings_domain::channels::{Channel, Endpoint, PlainSecrets};
use tidings_domain::ids::{ChannelId, MessageId, TypedId};
use uuid::Uuid;

use super::channel_type::EMAIL;
use super::settings::Settings;
pub(super) use crate::test_channel::{NOW, sealer};

pub(super) const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// A channel with this configuration and these secrets.
pub(super) fn channel(config: Value, secrets: &Value) -> Channel {
    let Value::Object(config) = config else { panic!("the configuration is an object") };
    let endpoint = Endpoint {
        config,
        secrets: secrets.to_string().into_bytes(),
        secret_hints: PlainSecrets::new(),
        inbound_token: Vec::new(),
        inbound_digest: [0; 32],
    };
    let channel = Channel::sandbox(ChannelId::from_uuid(Uuid::from_u128(1)), false, NOW);
    Channel { kind: EMAIL.kind, endpoint: Some(endpoint), ..channel }
}

/// The configuration of a shop.
pub(super) fn config(auth: &str) -> Value {
    json!({"from": {"address": "Hello@shop.example", "name": "The Shop"},
           "smtp": {"host": "127.0.0.1", "port": 2525, "tls": "implicit"}, "inbound": {"auth": auth}})
}

pub(super) fn secrets() -> Value {
    json!({"smtp_user": "ada", "smtp_password": "hunter2", "inbound_secret": SECRET})
}

pub(super) fn settings(auth: &str) -> Settings {
    Settings::of(&channel(config(auth), &secrets()), &sealer()).unwrap()
}

pub(super) fn message_id() -> MessageId {
    MessageId::from_uuid(Uuid::from_u128(0x01890a5d_ac96_774b_bcce_b302099a8057))
}

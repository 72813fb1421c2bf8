#[path = "polling_tests.rs"]
mod polling;

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures::executor::block_on;
use secrecy::ExposeSecret;
use serde_json::json;

use crate::access::Access;
use crate::channels::{
    Channel, ChannelHealth, ChannelKind, ChannelPatch, ChannelStatus, ChannelType, Config, ConfigField, Connector,
    Connectors, ECHO_SECRET, NewChannel, Outbound, PlainSecrets, SANDBOX, SendOutcome, SetupFailure, Shape,
    read_secrets,
};
use crate::error::{Error, Violation};
use crate::list_filter::ListFilter;
use crate::memory::MemoryStore;
use crate::outcome::ExpectedVersion;
use crate::pagination::PageRequest;
use crate::ports::Ports;
use crate::references::Deletion;
use crate::simulation::provider::SilentProvider;
use crate::testing::{new_workspace, with_workspace};
use crate::{Tidings, TidingsSettings};

const TOKEN: ConfigField = ConfigField {
    name: "token",
    title: "Token",
    description: "The token.",
    shape: Shape::Text { least: 1, most: 100 },
    required: false,
    fixed: false,
    private: true,
    verifies: false,
    example: None,
};
const BOT: ChannelType = ChannelType {
    kind: ChannelKind::Telegram,
    config: &[
        ConfigField { name: "mode", ..TOKEN },
        ConfigField { name: "address", shape: Shape::Url { most: 100 }, ..TOKEN },
    ],
    secrets: &[
        TOKEN,
        ConfigField { name: "pin", ..TOKEN },
        ConfigField { name: "signing", shape: Shape::GeneratedText { least: 1, most: 100 }, ..TOKEN },
    ],
    registers: true,
    in_sandbox: false,
    ..SANDBOX
};

/// The provider calls the address of such a channel while it is registered.
const CHECKED: ChannelType = ChannelType { checks_address: true, ..BOT };

/// A provider that accepts tokens such as `7:a`, where 7 is the account, and rejects tokens that end in `x`. The second
/// member: whether it checks addresses.
#[derive(Default)]
struct Provider(Mutex<Vec<String>>, bool);

fn secrets(channel: &Channel) -> PlainSecrets {
    let sealed = channel.endpoint.as_ref().unwrap().secrets.clone();
    read_secrets(&String::from_utf8(sealed).unwrap())
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        if self.1 { &CHECKED } else { &BOT }
    }

    fn account(&self, _: &Config, secrets: &PlainSecrets) -> Option<String> {
        Some(secrets.get("token")?.split_once(':')?.0.to_owned())
    }

    fn check(&self, config: &Config, secrets: &PlainSecrets) -> Vec<Violation> {
        let is_odd = config.get("mode").is_some_and(|mode| *mode == json!("odd"));
        let is_even = secrets.get("token").is_some_and(|token| token.ends_with("even"));
        let wrong =
            [("/config/mode", is_odd), ("/secrets/token", is_even)].into_iter().filter(|(_, is_wrong)| *is_wrong);
        wrong.map(|(pointer, _)| Violation::new(pointer, "invalid_value", "is wrong")).collect()
    }

    fn polls(&self, channel: &Channel) -> bool {
        channel.endpoint.as_ref().is_some_and(|it| it.text("mode") == Some("polling"))
    }

    async fn connect(&self, channel: &Channel, inbound_url: &str) -> Result<Config, SetupFailure> {
        let secrets = secrets(channel);
        assert!(!secrets[ECHO_SECRET].is_empty(), "{secrets:?}");
        let token = secrets["token"].clone();
        if token.ends_with('x') {
            let hint = "The token is not valid.".to_owned();
            return Err(SetupFailure { step: "get_me", provider_code: None, hint, secret: Some("token") });
        }
        let place = if self.polls(channel) { "no address" } else { inbound_url.get(..29).unwrap_or(inbound_url) };
        self.0.lock().unwrap().push(format!("{token} at {place}"));
        Ok([("bot_username".to_owned(), json!(format!("bot_{token}")))].into_iter().collect())
    }

    async fn disconnect(&self, channel: &Channel) {
        self.0.lock().unwrap().push(format!("{} removed", secrets(channel)["token"]));
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::Accepted { provider_message_id: None }
    }
}

/// A type without a provider: without a configuration and without an inbound address.
const LOCAL: ChannelType = ChannelType { kind: ChannelKind::Email, in_sandbox: false, ..SANDBOX };

struct Bench {
    provider: Arc<Provider>,
    tidings: Tidings,
    access: Access,
}

fn bench(public_url: &str) -> Bench {
    bench_of(public_url, Provider::default())
}

fn bench_of(public_url: &str, provider: Provider) -> Bench {
    let provider = Arc::new(provider);
    let connectors = Connectors::one(provider.clone());
    let ports = Ports { connectors, ..Ports::of(Arc::new(MemoryStore::new())) };
    let settings = TidingsSettings { public_url: public_url.to_owned(), ..TidingsSettings::default() };
    let tidings = Tidings::with(ports, settings);
    let access = new_workspace(&tidings.ports);
    Bench { provider, tidings, access }
}

fn with_token(token: &str) -> PlainSecrets {
    [("token".to_owned(), token.to_owned())].into_iter().collect()
}

impl Bench {
    fn create(&self, token: &str) -> Result<Channel, Error> {
        let (kind, name, secrets) = (BOT.kind, "Bot".to_owned(), with_token(token));
        let new =
            NewChannel { kind, name, is_default: false, config: Config::new(), secrets, while_disconnected: None };
        block_on(self.tidings.channels.create(&self.access, new, None)).map(|done| done.value.channel)
    }

    fn update(&self, channel: &Channel, token: &str) -> Result<Channel, Error> {
        let patch = ChannelPatch { secrets: with_token(token), ..ChannelPatch::default() };
        block_on(self.tidings.channels.update(&self.access, channel.id, patch, &ExpectedVersion::Any))
    }

    fn count(&self) -> usize {
        let page = PageRequest { limit: 100, order: Default::default(), after: None, counted: false };
        block_on(self.tidings.channels.list(&self.access, &ListFilter::default(), page)).unwrap().items.len()
    }

    fn calls(&self) -> Vec<String> {
        std::mem::take(&mut *self.provider.0.lock().unwrap())
    }
}

fn violation(error: Error) -> (String, &'static str) {
    match error {
        Error::Invalid(mut violations) => violations.pop().map(|it| (it.pointer, it.code)).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_channel_is_registered_when_it_is_created() {
    let bench = bench("https://tidings.example");
    let channel = bench.create("7:a").unwrap();
    assert_eq!(channel.status, ChannelStatus::Connected);
    assert!(channel.connected_at.is_some());
    assert_eq!(channel.endpoint.as_ref().and_then(|it| it.text("bot_username")), Some("bot_7:a"));
    assert_eq!(bench.calls(), ["7:a at https://tidings.example/inbou"]);
    let view = bench.tidings.channels.view(&channel, &ChannelHealth::default());
    let url = format!("https://tidings.example{}", view.inbound_path.clone().unwrap());
    assert_eq!(view.inbound_url, Some(url));
    assert_eq!(view.without_addresses(None).inbound_url, None);
    let stored = block_on(bench.tidings.channels.get(&bench.access, channel.id)).unwrap();
    assert_eq!(stored, channel);
}

#[test]
fn a_channel_without_a_provider_has_its_own_type_and_is_connected() {
    let connectors = Connectors::one(Arc::new(SilentProvider(&LOCAL)));
    let (tidings, access) = with_workspace(Ports { connectors, ..Ports::of(Arc::new(MemoryStore::new())) });
    let (kind, name, config, secrets) = (LOCAL.kind, "Local".to_owned(), Config::new(), PlainSecrets::new());
    let new = NewChannel { kind, name, is_default: false, config, secrets, while_disconnected: None };
    let channel = block_on(tidings.channels.create(&access, new, None)).unwrap().value.channel;
    assert_eq!((channel.kind, channel.status), (LOCAL.kind, ChannelStatus::Connected));
    assert_eq!(channel.endpoint, None);
}

#[test]
fn a_channel_whose_address_is_checked_is_stored_first() {
    let bench = bench_of("https://tidings.example", Provider(Mutex::default(), true));
    let channel = bench.create("7:a").unwrap();
    assert_eq!((channel.status, channel.connected_at), (ChannelStatus::Connecting, None));
    assert_eq!(bench.calls(), Vec::<String>::new());
    assert_eq!(bench.create("7:b").unwrap_err(), Error::AccountInUse { existing: channel.id });
    let any = ExpectedVersion::Any;
    let connected =
        block_on(bench.tidings.channels.connect(&bench.access, channel.id, &any, None)).unwrap().value.channel;
    assert_eq!(connected.status, ChannelStatus::Connected);
    assert_eq!(bench.calls(), ["7:a at https://tidings.example/inbou"]);
    let wrong = bench.create("8:x").unwrap();
    let failed = block_on(bench.tidings.channels.connect(&bench.access, wrong.id, &any, None)).unwrap_err();
    assert!(matches!(failed, Error::SetupFailed(SetupFailure { step: "get_me", .. })), "{failed:?}");
}

#[test]
fn a_missing_secret_is_generated_and_returned_once() {
    let bench = bench("https://tidings.example");
    let create = |secrets: PlainSecrets| {
        let (kind, name) = (BOT.kind, "Bot".to_owned());
        let new =
            NewChannel { kind, name, is_default: false, config: Config::new(), secrets, while_disconnected: None };
        block_on(bench.tidings.channels.create(&bench.access, new, None)).unwrap().value
    };
    let created = create(with_token("7:a"));
    let [(name, secret)] = &created.generated[..] else { panic!("{created:?}") };
    assert_eq!((*name, secret.expose_secret()), ("signing", secrets(&created.channel)["signing"].as_str()));
    let own: PlainSecrets = with_token("8:a").into_iter().chain([("signing".to_owned(), "mine".to_owned())]).collect();
    let given = create(own);
    assert!(given.generated.is_empty());
    assert_eq!(secrets(&given.channel)["signing"], "mine");
}

#[test]
fn nothing_is_stored_if_the_provider_rejects_the_set_up() {
    let bench = bench("https://tidings.example");
    let before = bench.count();
    let refused = bench.create("7:x").unwrap_err();
    assert_eq!(violation(refused), ("/secrets/token".to_owned(), "rejected"));
    assert_eq!(bench.count(), before);
    let nowhere = self::bench("");
    assert_eq!(nowhere.create("7:a").unwrap_err(), Error::NoPublicUrl);
    assert_eq!((nowhere.count(), nowhere.calls()), (before, Vec::new()));
}

#[test]
fn the_rules_of_the_type_apply_to_new_and_changed_channels() {
    let bench = bench("https://tidings.example");
    let mode = |mode: &str| Config::from_iter([("mode".to_owned(), json!(mode))]);
    let create = |config: Config, token: &str| {
        let (kind, name, secrets) = (BOT.kind, "Bot".to_owned(), with_token(token));
        let new = NewChannel { kind, name, is_default: false, config, secrets, while_disconnected: None };
        block_on(bench.tidings.channels.create(&bench.access, new, None)).map(|done| done.value.channel)
    };
    let wrong = |pointer: &str| (pointer.to_owned(), "invalid_value");
    assert_eq!(violation(create(mode("odd"), "7:a").unwrap_err()), wrong("/config/mode"));
    assert_eq!(violation(create(Config::new(), "7:even").unwrap_err()), wrong("/secrets/token"));
    let channel = create(mode("calm"), "7:a").unwrap();
    let update = |config: Config, secrets: PlainSecrets| {
        let patch = ChannelPatch { config, secrets, ..ChannelPatch::default() };
        block_on(bench.tidings.channels.update(&bench.access, channel.id, patch, &ExpectedVersion::Any))
    };
    bench.calls();
    assert_eq!(violation(update(mode("odd"), PlainSecrets::new()).unwrap_err()), wrong("/config/mode"));
    assert_eq!(violation(update(Config::new(), with_token("7:even")).unwrap_err()), wrong("/secrets/token"));
    assert_eq!(bench.calls(), Vec::<String>::new());
}

#[test]
fn null_removes_a_member_of_the_configuration() {
    let bench = bench("https://tidings.example");
    let channel = bench.create("7:a").unwrap();
    let update = |config: serde_json::Value, secrets: PlainSecrets| {
        let serde_json::Value::Object(config) = config else { panic!("the config is an object") };
        let patch = ChannelPatch { config, secrets, ..ChannelPatch::default() };
        block_on(bench.tidings.channels.update(&bench.access, channel.id, patch, &ExpectedVersion::Any))
    };
    let text = |channel: &Channel, name: &str| channel.endpoint.as_ref().unwrap().text(name).map(str::to_owned);
    update(json!({"mode": "calm", "address": "https://bots.example"}), with_token("7:a")).unwrap();
    let updated = update(json!({"mode": null}), PlainSecrets::new()).unwrap();
    assert_eq!(text(&updated, "mode"), None);
    assert_eq!(text(&updated, "address").as_deref(), Some("https://bots.example"));
    let same = update(json!({"mode": null}), PlainSecrets::new()).unwrap();
    assert_eq!(same.version, updated.version, "nothing is left to remove");
    // Without the address, the token is sent to another server.
    let refused = update(json!({"address": null}), PlainSecrets::new()).unwrap_err();
    assert_eq!(violation(refused), ("/secrets/token".to_owned(), "required"));
    let updated = update(json!({"address": null}), with_token("7:a")).unwrap();
    assert_eq!(text(&updated, "address"), None);
}

#[test]
fn an_account_belongs_to_one_channel() {
    let bench = bench("https://tidings.example");
    let channel = bench.create("7:a").unwrap();
    assert_eq!(bench.create("7:b").unwrap_err(), Error::AccountInUse { existing: channel.id });
    bench.create("8:a").unwrap();
    assert_eq!(violation(bench.update(&channel, "8:b").unwrap_err()), ("/secrets/token".to_owned(), "immutable"));
}

#[test]
fn a_new_secret_registers_the_channel_again() {
    let bench = bench("https://tidings.example");
    let channel = bench.create("7:a").unwrap();
    let echo = secrets(&channel)[ECHO_SECRET].clone();
    assert_eq!(violation(bench.update(&channel, "7:x").unwrap_err()), ("/secrets/token".to_owned(), "rejected"));
    bench.calls();
    let updated = bench.update(&channel, "7:b").unwrap();
    assert_eq!(bench.calls(), ["7:b at https://tidings.example/inbou"]);
    assert_eq!(updated.endpoint.as_ref().and_then(|it| it.text("bot_username")), Some("bot_7:b"));
    assert_eq!(secrets(&updated)[ECHO_SECRET], echo, "requests of the provider are accepted without a gap");
    let renamed = ChannelPatch { name: Some("Other".to_owned()), ..ChannelPatch::default() };
    block_on(bench.tidings.channels.update(&bench.access, channel.id, renamed, &ExpectedVersion::Any)).unwrap();
    assert_eq!(bench.calls(), Vec::<String>::new());
}

#[test]
fn a_new_address_requires_the_secret_again() {
    let bench = bench("https://tidings.example");
    let channel = bench.create("7:a").unwrap();
    bench.calls();
    let config: Config = [("address".to_owned(), json!("https://bots.example"))].into_iter().collect();
    let moved = |secrets| {
        let patch = ChannelPatch { config: config.clone(), secrets, ..ChannelPatch::default() };
        block_on(bench.tidings.channels.update(&bench.access, channel.id, patch, &ExpectedVersion::Any))
    };
    let refused = moved(PlainSecrets::default()).unwrap_err();
    assert_eq!(violation(refused), ("/secrets/token".to_owned(), "required"));
    assert_eq!(bench.calls(), Vec::<String>::new(), "the provider is not called with the stored token");
    moved(with_token("7:a")).unwrap();
    // The same address is no change.
    moved(PlainSecrets::default()).unwrap();
}

#[test]
fn a_channel_is_registered_and_removed_with_its_status() {
    let bench = bench("https://tidings.example");
    let channels = &bench.tidings.channels;
    let channel = bench.create("7:a").unwrap();
    bench.calls();
    block_on(channels.disconnect(&bench.access, channel.id, &ExpectedVersion::Any, None)).unwrap();
    assert_eq!(bench.calls(), ["7:a removed"]);
    // The secret of a disconnected channel is checked when it is connected.
    bench.update(&channel, "7:x").unwrap();
    let failed = block_on(channels.connect(&bench.access, channel.id, &ExpectedVersion::Any, None)).unwrap_err();
    assert!(matches!(failed, Error::SetupFailed(SetupFailure { step: "get_me", .. })), "{failed:?}");
    bench.update(&channel, "7:b").unwrap();
    let connected =
        block_on(channels.connect(&bench.access, channel.id, &ExpectedVersion::Any, None)).unwrap().value.channel;
    assert_eq!(connected.status, ChannelStatus::Connected);
    let again =
        block_on(channels.connect(&bench.access, channel.id, &ExpectedVersion::Any, None)).unwrap().value.channel;
    assert_eq!(again.version, connected.version);
    bench.calls();
    block_on(channels.delete(&bench.access, channel.id, Deletion::ByForce, &ExpectedVersion::Any)).unwrap();
    assert_eq!(bench.calls(), ["7:b removed"]);
}

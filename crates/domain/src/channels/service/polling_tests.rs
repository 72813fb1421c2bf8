//! The jobs that poll a channel, by its mode and its status.

use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use serde_json::json;

use super::{BOT, Bench, bench, violation, with_token};
use crate::channels::{
    Channel, ChannelPatch, ChannelService, ChannelStatus, Config, NewChannel, PlainSecrets, PollResult,
};
use crate::error::Error;
use crate::outcome::ExpectedVersion;
use crate::ports::{
    Change, ChangeSet, ChannelChange, ClaimRequest, CommitError, Job, MockLedger, Pool, Ports, StoreError,
};

impl Bench {
    fn switch_mode(&self, channel: &Channel, mode: serde_json::Value) -> Result<Channel, Error> {
        let patch = ChannelPatch { config: Config::from_iter([("mode".to_owned(), mode)]), ..ChannelPatch::default() };
        block_on(self.tidings.channels.update(&self.access, channel.id, patch, &ExpectedVersion::Any))
    }

    fn create_polled(&self) -> Channel {
        let (kind, name, secrets) = (BOT.kind, "Bot".to_owned(), with_token("7:a"));
        let config = Config::from_iter([("mode".to_owned(), json!("polling"))]);
        let new = NewChannel { kind, name, is_default: false, config, secrets, while_disconnected: None };
        block_on(self.tidings.channels.create(&self.access, new, None)).unwrap().value.channel
    }

    /// Claims the due polls; returns their rounds.
    fn polls(&self) -> Vec<i64> {
        let ports = &self.tidings.ports;
        let request = ClaimRequest::new(Pool::Polls, 20, Duration::from_secs(30), ports.clock.now());
        let claimed = block_on(ports.engine.claim(request)).unwrap();
        let round = |job: Job| if let Job::PollChannel { round, .. } = job { Some(round) } else { None };
        claimed.into_iter().filter_map(|claimed| round(claimed.job)).collect()
    }
}

#[test]
fn a_polled_channel_needs_no_public_url() {
    let bench = bench("");
    let channel = bench.create_polled();
    assert_eq!((channel.status, bench.polls()), (ChannelStatus::Connected, vec![0]));
    assert_eq!(bench.switch_mode(&channel, json!(null)).unwrap_err(), Error::NoPublicUrl);
    assert_eq!(bench.polls(), Vec::<i64>::new());
}

#[test]
fn polls_at_another_address_are_another_series() {
    let bench = bench("");
    let channel = bench.create_polled();
    let ports = &bench.tidings.ports;
    let health = || block_on(ports.channels.health(&bench.access, channel.id)).unwrap();
    let polled = health().polled(PollResult { last: Some(7), ..PollResult::default() }, ports.clock.now()).unwrap();
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Channel(ChannelChange::UpdateHealth { channel: channel.id, health: Box::new(polled) }));
    block_on(ports.ledger.commit(set)).unwrap();
    assert_eq!((bench.polls(), health().polling.last), (vec![0], Some(7)));
    let config = Config::from_iter([("address".to_owned(), json!("https://bots.example"))]);
    let patch = ChannelPatch { config, secrets: with_token("7:a"), ..ChannelPatch::default() };
    block_on(bench.tidings.channels.update(&bench.access, channel.id, patch, &ExpectedVersion::Any)).unwrap();
    assert_eq!((bench.polls(), health().polling.last), (vec![1], None), "its requests can have lower numbers");
}

/// Without this, the channel would neither poll nor be called until an admin connects it again.
#[test]
fn a_failed_switch_of_the_transport_is_undone_at_the_provider() {
    let bench = bench("https://tidings.example");
    let channel = bench.create("7:a").unwrap();
    let (called, polled) = ("7:a at https://tidings.example/inbou".to_owned(), "7:a at no address".to_owned());
    bench.calls();
    let mut ledger = MockLedger::new();
    let away = || StoreError::Unavailable("it is away".to_owned());
    ledger.expect_commit().returning(move |_| Err(CommitError::Store(away())));
    let ports = Arc::new(Ports { ledger: Arc::new(ledger), ..Ports::clone(&bench.tidings.ports) });
    let channels = ChannelService { ports, ..bench.tidings.channels.clone() };
    let update = |channels: &ChannelService, mode: serde_json::Value, secrets: PlainSecrets| {
        let config = Config::from_iter([("mode".to_owned(), mode)]);
        let patch = ChannelPatch { config, secrets, ..ChannelPatch::default() };
        block_on(channels.update(&bench.access, channel.id, patch, &ExpectedVersion::Any))
    };
    let failed = update(&channels, json!("polling"), PlainSecrets::new()).unwrap_err();
    assert_eq!(failed, Error::Store(away()));
    assert_eq!(bench.calls(), [polled.clone(), called.clone()]);
    let failed = update(&channels, json!("polling"), with_token("7:x")).unwrap_err();
    assert_eq!(violation(failed), ("/secrets/token".to_owned(), "rejected"));
    assert_eq!((bench.calls(), bench.polls()), (vec![called.clone()], vec![]));
    update(&bench.tidings.channels, json!("polling"), PlainSecrets::new()).unwrap();
    assert_eq!((bench.calls(), bench.polls()), (vec![polled.clone()], vec![1]));
    update(&channels, json!(null), PlainSecrets::new()).unwrap_err();
    assert_eq!(bench.calls(), [called, polled]);
    // The transport stays the same.
    update(&channels, json!("polling"), with_token("7:b")).unwrap_err();
    assert_eq!(bench.calls(), ["7:b at no address"]);
}

#[test]
fn each_series_of_polls_has_one_job() {
    let bench = bench("https://tidings.example");
    let (channel, any) = (bench.create("7:a").unwrap(), ExpectedVersion::Any);
    assert_eq!(bench.polls(), Vec::<i64>::new(), "the provider calls the server");
    bench.switch_mode(&channel, json!("polling")).unwrap();
    assert_eq!(bench.polls(), [1]);
    bench.switch_mode(&channel, json!("polling")).unwrap();
    block_on(bench.tidings.channels.connect(&bench.access, channel.id, &any, None)).unwrap();
    assert_eq!(bench.polls(), Vec::<i64>::new(), "the channel is polled already");
    bench.switch_mode(&channel, json!(null)).unwrap();
    assert_eq!(bench.polls(), Vec::<i64>::new());
    bench.switch_mode(&channel, json!("polling")).unwrap();
    assert_eq!(bench.polls(), [3]);
    block_on(bench.tidings.channels.disconnect(&bench.access, channel.id, &any, None)).unwrap();
    assert_eq!(bench.polls(), Vec::<i64>::new());
    block_on(bench.tidings.channels.connect(&bench.access, channel.id, &any, None)).unwrap();
    assert_eq!(bench.polls(), [4]);
}

//! The pace at given times: no test waits.

use futures::FutureExt;
use tidings_domain::channels::{PaceLimit, SendPace};
use uuid::Uuid;

use super::*;

const TO_RECIPIENT: PaceLimit = PaceLimit { every: Duration::from_secs(1), burst: 3 };

fn a_channel(number: u128) -> ChannelId {
    ChannelId::from_uuid(Uuid::from_u128(number))
}

/// Returns a call of a broadcast on the first channel, with ten calls a second.
fn a_call(address: &str) -> PacedCall {
    let pace = SendPace { channel: Some(PaceLimit::per_second(10)), recipient: None };
    PacedCall { channel: a_channel(1), address: address.to_owned(), pace, urgency: Urgency::Broadcast }
}

fn a_call_of(urgency: Urgency) -> PacedCall {
    PacedCall { urgency, ..a_call("x") }
}

fn at(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn after(millis: u64) -> Admission {
    Admission::After(at(millis))
}

/// Returns a pace with eleven calls at the start, so that the next one may be made after 1.1 s.
fn busy() -> ChannelPace {
    let pace = ChannelPace::default();
    for number in 0..11 {
        assert_eq!(pace.book(&a_call("x"), at(0)), after(number * 100));
    }
    pace
}

#[test]
fn spreads_the_calls_of_each_channel() {
    let pace = ChannelPace::default();
    assert_eq!([0, 1, 2].map(|_| pace.book(&a_call("x"), at(0))), [after(0), after(100), after(200)]);
    assert_eq!(pace.book(&PacedCall { channel: a_channel(2), ..a_call("x") }, at(0)), after(0));
    assert_eq!(pace.book(&a_call("x"), at(9_000)), after(0));
    assert_eq!(pace.book(&a_call("x"), at(9_000)), after(100), "unused time is not saved");
}

#[test]
fn later_attempts_are_spread_and_succeed() {
    let pace = busy();
    let waits = [600, 700, 800].map(at);
    assert_eq!(waits.map(|_| pace.book(&a_call("x"), at(0))), waits.map(Admission::TryAfter));
    for wait in waits {
        assert_eq!(pace.book(&a_call("x"), wait), Admission::After(EARLY), "each waits once");
    }
}

#[test]
fn messages_that_are_not_tried_again_leave_their_calls_to_others() {
    let pace = busy();
    assert!((0..20).all(|_| matches!(pace.book(&a_call("x"), at(0)), Admission::TryAfter(_))));
    assert_eq!(pace.book(&a_call("x"), at(1_100)), after(0));
    assert_eq!(pace.book(&a_call("x"), at(1_100)), after(100));
}

#[test]
fn a_message_is_tried_again_within_ten_minutes() {
    let pace = ChannelPace::default();
    let slow = SendPace { channel: Some(PaceLimit::per_second(1)), recipient: None };
    let call = PacedCall { pace: slow, ..a_call("x") };
    let waits: Vec<_> = (0..700)
        .filter_map(|_| match pace.book(&call, at(0)) {
            Admission::TryAfter(wait) => Some(wait),
            Admission::After(_) | Admission::RecipientFreeAfter(_) => None,
        })
        .collect();
    assert_eq!((waits.len(), waits.iter().max()), (698, Some(&FARTHEST)));
    assert_eq!(waits.iter().filter(|wait| **wait < FARTHEST).count(), 599, "calls at 2 to 600 s");
}

#[test]
fn persons_come_before_flows_and_flows_before_broadcasts() {
    let pace = busy();
    let [direct, flow, broadcast] = [Urgency::Direct, Urgency::Flow, Urgency::Broadcast].map(a_call_of);
    assert_eq!(pace.book(&broadcast, at(0)), Admission::TryAfter(at(600)));
    let flows = [(); 5].map(|()| pace.book(&flow, at(0)));
    assert_eq!(flows, [after(1_100), after(1_200), after(1_300), after(1_400), after(1_500)]);
    assert_eq!(pace.book(&flow, at(0)), Admission::TryAfter(at(1_100)));
    let persons = [(); 5].map(|()| pace.book(&direct, at(0)));
    assert_eq!(persons, [after(1_600), after(1_700), after(1_800), after(1_900), after(2_000)]);
    assert_eq!(pace.book(&direct, at(0)), Admission::TryAfter(at(1_600)));
}

#[test]
fn attempts_at_urgent_messages_are_not_behind_those_at_others() {
    let pace = busy();
    let [direct, flow, broadcast] = [Urgency::Direct, Urgency::Flow, Urgency::Broadcast].map(a_call_of);
    let put_off: Vec<_> = (0..600).map(|_| pace.book(&broadcast, at(0))).collect();
    assert_eq!(put_off.last(), Some(&Admission::TryAfter(at(60_500))), "one minute of calls");
    while let Admission::After(_) = pace.book(&flow, at(0)) {}
    while let Admission::After(_) = pace.book(&direct, at(0)) {}
    // The calls of the next 2.1 s are counted.
    assert_eq!(pace.book(&direct, at(0)), Admission::TryAfter(at(1_700)));
    assert_eq!(pace.book(&flow, at(0)), Admission::TryAfter(at(1_800)));
    assert_eq!(pace.book(&broadcast, at(0)), Admission::TryAfter(at(60_600)));
}

#[test]
fn a_broadcast_that_returns_leaves_its_call_to_a_more_urgent_message() {
    let pace = busy();
    assert_eq!(pace.book(&a_call("x"), at(0)), Admission::TryAfter(at(600)));
    assert_eq!(pace.book(&a_call_of(Urgency::Direct), at(550)), after(550));
    assert_eq!(pace.book(&a_call("x"), at(600)), after(600), "one call later");
}

#[test]
fn a_recipient_gets_a_burst_and_then_one_message_a_second() {
    let pace = ChannelPace::default();
    let to = |address: &str, now: Duration| {
        let limits = SendPace { channel: None, recipient: Some(TO_RECIPIENT) };
        pace.book(&PacedCall { pace: limits, ..a_call(address) }, now)
    };
    assert_eq!([0; 3].map(|now| to("a", at(now))), [after(0); 3]);
    assert_eq!(to("a", at(0)), Admission::RecipientFreeAfter(at(1_000)));
    assert_eq!(to("b", at(0)), after(0), "another recipient");
    assert_eq!(to("a", at(1_000)), after(0));
    assert_eq!(to("a", at(1_000)), Admission::RecipientFreeAfter(at(1_000)));
}

#[test]
fn a_busy_recipient_does_not_use_the_calls_of_the_channel() {
    let pace = ChannelPace::default();
    let limits = SendPace { recipient: Some(PaceLimit { burst: 1, ..TO_RECIPIENT }), ..a_call("a").pace };
    let to = |address: &str| pace.book(&PacedCall { pace: limits, ..a_call(address) }, at(0));
    assert_eq!(to("a"), after(0));
    for _ in 0..50 {
        assert_eq!(to("a"), Admission::RecipientFreeAfter(at(1_000)));
    }
    assert_eq!(to("b"), after(100), "only the call to the first recipient counts");
}

#[test]
fn the_bucket_of_a_recipient_belongs_to_its_channel() {
    let ids = [(1, "49171"), (1, "49172"), (2, "49171")].map(|(number, address)| recipient(a_channel(number), address));
    assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), 3);
    assert_eq!(ids[0], recipient(a_channel(1), "49171"));
}

#[tokio::test]
async fn waits_for_short_times_and_returns_long_ones() {
    let pace = ChannelPace::default();
    let limits = SendPace { channel: Some(PaceLimit::per_second(1)), recipient: None };
    let call = PacedCall { pace: limits, ..a_call("x") };
    assert_eq!(pace.admit(&call).now_or_never(), Some(Ok(())));
    assert!(pace.admit(&call).now_or_never().is_none(), "a short wait is a part of the attempt");
    let long = pace.admit(&call).now_or_never().unwrap().unwrap_err();
    assert!((500..=1_500).contains(&long.as_millis()), "{long:?}");
}

#[test]
fn a_message_to_a_busy_recipient_is_tried_again_before_the_recipient_is_free() {
    let pace = ChannelPace::default();
    let limits = SendPace { channel: None, recipient: Some(PaceLimit { every: at(60_000), burst: 1 }) };
    let call = PacedCall { pace: limits, ..a_call("x") };
    assert_eq!(pace.admit(&call).now_or_never(), Some(Ok(())));
    let wait = pace.admit(&call).now_or_never().unwrap().unwrap_err();
    assert!((30_000..=59_500).contains(&wait.as_millis()), "{wait:?}");
}

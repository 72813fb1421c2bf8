//! The pace at given times: no test waits.

use std::sync::atomic::{AtomicBool, Ordering};

use futures::FutureExt;
use tidings_domain::channels::RetryScope;
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

fn book(pace: &ChannelPace, call: &PacedCall, now: Duration) -> Admission {
    pace.book(call, now).now_or_never().expect("no buckets wait")
}

fn at(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn after(millis: u64) -> Admission {
    Admission::After(at(millis))
}

/// Returns a pace with eleven calls at the start. The next one may be made after 1.1 s.
fn busy() -> ChannelPace {
    let pace = ChannelPace::default();
    for number in 0..11 {
        assert_eq!(book(&pace, &a_call("x"), at(0)), after(number * 100));
    }
    pace
}

#[test]
fn spreads_the_calls_of_each_channel() {
    let pace = ChannelPace::default();
    assert_eq!([0, 1, 2].map(|_| book(&pace, &a_call("x"), at(0))), [after(0), after(100), after(200)]);
    assert_eq!(book(&pace, &PacedCall { channel: a_channel(2), ..a_call("x") }, at(0)), after(0));
    assert_eq!(book(&pace, &a_call("x"), at(9_000)), after(0));
    assert_eq!(book(&pace, &a_call("x"), at(9_000)), after(100), "unused time is not saved");
}

#[test]
fn later_attempts_are_spread_and_succeed() {
    let pace = busy();
    let waits = [600, 700, 800].map(at);
    assert_eq!(waits.map(|_| book(&pace, &a_call("x"), at(0))), waits.map(Admission::TryAfter));
    for wait in waits {
        assert_eq!(book(&pace, &a_call("x"), wait), Admission::After(EARLY), "each waits once");
    }
}

#[test]
fn messages_that_are_not_tried_again_leave_their_calls_to_others() {
    let pace = busy();
    assert!((0..20).all(|_| matches!(book(&pace, &a_call("x"), at(0)), Admission::TryAfter(_))));
    assert_eq!(book(&pace, &a_call("x"), at(1_100)), after(0));
    assert_eq!(book(&pace, &a_call("x"), at(1_100)), after(100));
}

#[test]
fn a_message_is_tried_again_within_ten_minutes() {
    let pace = ChannelPace::default();
    let slow = SendPace { channel: Some(PaceLimit::per_second(1)), recipient: None };
    let call = PacedCall { pace: slow, ..a_call("x") };
    let waits: Vec<_> = (0..700)
        .filter_map(|_| match book(&pace, &call, at(0)) {
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
    assert_eq!(book(&pace, &broadcast, at(0)), Admission::TryAfter(at(600)));
    let flows = [(); 5].map(|()| book(&pace, &flow, at(0)));
    assert_eq!(flows, [after(1_100), after(1_200), after(1_300), after(1_400), after(1_500)]);
    assert_eq!(book(&pace, &flow, at(0)), Admission::TryAfter(at(1_100)));
    let persons = [(); 5].map(|()| book(&pace, &direct, at(0)));
    assert_eq!(persons, [after(1_600), after(1_700), after(1_800), after(1_900), after(2_000)]);
    assert_eq!(book(&pace, &direct, at(0)), Admission::TryAfter(at(1_600)));
}

#[test]
fn attempts_at_urgent_messages_are_not_behind_those_at_others() {
    let pace = busy();
    let [direct, flow, broadcast] = [Urgency::Direct, Urgency::Flow, Urgency::Broadcast].map(a_call_of);
    let put_off: Vec<_> = (0..600).map(|_| book(&pace, &broadcast, at(0))).collect();
    assert_eq!(put_off.last(), Some(&Admission::TryAfter(at(60_500))), "one minute of calls");
    while let Admission::After(_) = book(&pace, &flow, at(0)) {}
    while let Admission::After(_) = book(&pace, &direct, at(0)) {}
    // The calls of the next 2.1 s are counted.
    assert_eq!(book(&pace, &direct, at(0)), Admission::TryAfter(at(1_700)));
    assert_eq!(book(&pace, &flow, at(0)), Admission::TryAfter(at(1_800)));
    assert_eq!(book(&pace, &broadcast, at(0)), Admission::TryAfter(at(60_600)));
}

#[test]
fn a_broadcast_that_returns_leaves_its_call_to_a_more_urgent_message() {
    let pace = busy();
    assert_eq!(book(&pace, &a_call("x"), at(0)), Admission::TryAfter(at(600)));
    assert_eq!(book(&pace, &a_call_of(Urgency::Direct), at(550)), after(550));
    assert_eq!(book(&pace, &a_call("x"), at(600)), after(600), "one call later");
}

#[test]
fn a_recipient_gets_a_burst_and_then_one_message_a_second() {
    let pace = ChannelPace::default();
    let to = |address: &str, now: Duration| {
        let limits = SendPace { channel: None, recipient: Some(TO_RECIPIENT) };
        book(&pace, &PacedCall { pace: limits, ..a_call(address) }, now)
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
    let to = |address: &str| book(&pace, &PacedCall { pace: limits, ..a_call(address) }, at(0));
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

/// Buckets of two processes, at the start.
#[derive(Default)]
struct Together {
    buckets: Mutex<Buckets>,
    is_away: AtomicBool,
}

#[async_trait]
impl SharedBuckets for Together {
    async fn book(&self, calls: &[BucketCall]) -> Option<Booking> {
        let is_away = self.is_away.load(Ordering::SeqCst);
        (!is_away).then(|| self.buckets.lock().unwrap().book(calls, 1, at(0)))
    }

    fn processes(&self) -> u32 {
        2
    }
}

fn two_processes() -> ([ChannelPace; 2], Arc<Together>) {
    let together = Arc::new(Together::default());
    let processes = [(); 2].map(|()| ChannelPace::default());
    processes.iter().for_each(|pace| pace.share(together.clone()));
    (processes, together)
}

#[test]
fn two_processes_share_the_pace_of_a_channel_and_of_a_recipient() {
    let ([one, other], _) = two_processes();
    let waits = [&one, &other, &other, &one, &other].map(|pace| book(pace, &a_call("x"), at(0)));
    assert_eq!(waits, [after(0), after(100), after(200), after(300), after(400)]);
    let limits = SendPace { channel: None, recipient: Some(TO_RECIPIENT) };
    let call = PacedCall { pace: limits, ..a_call("x") };
    assert_eq!([&one, &other, &one].map(|pace| book(pace, &call, at(0))), [after(0); 3]);
    assert_eq!(book(&other, &call, at(0)), Admission::RecipientFreeAfter(at(1_000)));
}

#[test]
fn two_processes_spread_the_messages_that_they_put_off() {
    let ([one, other], _) = two_processes();
    (0..11).for_each(|number| assert_eq!(book(&one, &a_call("x"), at(0)), after(number * 100)));
    for pace in [&one, &other] {
        let put_off = [(); 2].map(|()| book(pace, &a_call("x"), at(0)));
        assert_eq!(put_off, [Admission::TryAfter(at(600)), Admission::TryAfter(at(800))]);
    }
}

#[test]
fn each_process_uses_its_part_while_the_shared_buckets_are_away() {
    let ([one, other], together) = two_processes();
    assert_eq!(book(&one, &a_call("x"), at(0)), after(0));
    together.is_away.store(true, Ordering::SeqCst);
    let of_one = [(); 3].map(|()| book(&one, &a_call("x"), at(0)));
    assert_eq!(of_one, [after(100), after(300), after(500)], "the last shared call counts");
    let of_other = [(); 3].map(|()| book(&other, &a_call("x"), at(0)));
    assert_eq!(of_other, [after(0), after(200), after(400)]);
}

#[test]
fn lost_shared_buckets_do_not_renew_the_calls_of_a_process() {
    let ([one, other], together) = two_processes();
    let limits = SendPace { channel: None, recipient: Some(TO_RECIPIENT) };
    let call = PacedCall { pace: limits, ..a_call("x") };
    assert_eq!([(); 3].map(|()| book(&one, &call, at(0))), [after(0); 3]);
    *together.buckets.lock().unwrap() = Buckets::default();
    assert_eq!(book(&one, &call, at(0)), Admission::RecipientFreeAfter(at(1_000)));
    assert_eq!(book(&other, &call, at(0)), after(0));
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

#[test]
fn the_messages_of_a_channel_wait_while_its_provider_refuses_calls() {
    let pace = ChannelPace::default();
    let refused = |channel: u128, scope: RetryScope| RefusedCall {
        channel: a_channel(channel),
        address: "x".to_owned(),
        scope,
        wait: at(60_000),
    };
    let seconds = |call: &PacedCall| pace.admit(call).now_or_never().unwrap().map_err(|wait| wait.as_secs());
    pace.put_off(&refused(1, RetryScope::Recipient));
    pace.put_off(&refused(1, RetryScope::Unstated));
    assert_eq!(seconds(&a_call("y")), Ok(()));
    pace.put_off(&refused(1, RetryScope::Channel));
    let waits = [(); 3].map(|()| pace.admit(&a_call("y")).now_or_never().unwrap().unwrap_err());
    assert!(waits.iter().all(|wait| (50_000..=60_000).contains(&wait.as_millis())), "{waits:?}");
    assert!(waits[0] < waits[1] && waits[1] < waits[2], "the later attempts are spread: {waits:?}");
    assert_eq!(seconds(&PacedCall { channel: a_channel(2), ..a_call("y") }), Ok(()), "another channel is free");
    let unlimited = PacedCall { channel: a_channel(3), pace: SendPace::NONE, ..a_call("y") };
    assert_eq!(seconds(&unlimited), Ok(()));
    pace.put_off(&refused(3, RetryScope::Channel));
    let wait = pace.admit(&unlimited).now_or_never().unwrap().unwrap_err();
    assert!((50_000..=59_500).contains(&wait.as_millis()), "{wait:?}");
}

//! Processes that exchange hints without a network.

use super::*;
use crate::hints::HintWatch;
use crate::ids::{TypedId, WorkspaceId};

const NOW: Timestamp = Timestamp::EPOCH_2026;

fn workspace(number: u128) -> WorkspaceId {
    WorkspaceId::from_uuid(Uuid::from_u128(number))
}

fn tag(version: i64) -> Hint {
    Hint { kind: ChangedKind::Tag, id: Some("tag_1".to_owned()), version: Some(version) }
}

fn everything() -> Hint {
    Hint::several(ChangedKind::Workspace)
}

struct Process {
    hints: Arc<Hints>,
    relay: HintRelay,
}

impl Process {
    fn new(number: u128) -> Self {
        let hints = Arc::new(Hints::default());
        Self { relay: HintRelay::new(Arc::clone(&hints), Uuid::from_u128(number)), hints }
    }

    fn watch(&self, number: u128) -> HintWatch {
        self.hints.watch(workspace(number))
    }
}

/// Delivers messages to all processes, including the sender.
fn carry(messages: &[String], processes: &mut [Process], now: Timestamp) {
    for process in processes {
        messages.iter().for_each(|message| process.relay.hear(message, now).unwrap());
    }
}

/// Sends the pending messages of each process to all.
fn beat(processes: &mut [Process], now: Timestamp) {
    for sender in 0..processes.len() {
        let messages = processes[sender].relay.beat(now);
        carry(&messages, processes, now);
    }
}

fn join(sender: usize, after_gap: bool, processes: &mut [Process], now: Timestamp) {
    let messages = processes[sender].relay.join(after_gap);
    carry(&messages, processes, now);
}

/// Two processes that know each other.
fn two() -> [Process; 2] {
    let mut processes = [Process::new(1), Process::new(2)];
    join(0, false, &mut processes, NOW);
    join(1, false, &mut processes, NOW);
    beat(&mut processes, NOW);
    processes
}

#[test]
fn what_one_process_changes_is_told_once_in_each_that_watches() {
    let mut processes = two();
    assert!(!processes[1].hints.is_watched(workspace(1)), "nobody watches");
    let watch = processes[0].watch(1);
    beat(&mut processes, NOW.plus(BEAT));
    assert!(processes[1].hints.is_watched(workspace(1)) && !processes[1].hints.is_watched(workspace(2)));

    let own = processes[1].watch(1);
    processes[1].hints.tell(workspace(1), &[tag(2)]);
    processes[1].hints.tell(workspace(2), &[tag(2)]);
    beat(&mut processes, NOW.plus(BEAT * 2));
    assert_eq!((watch.take(), own.take()), (vec![tag(2)], vec![tag(2)]));
    beat(&mut processes, NOW.plus(BEAT * 3));
    assert_eq!((watch.take(), own.take()), (vec![], vec![]), "it goes no further");
}

#[test]
fn a_process_that_joins_learns_what_is_watched() {
    let mut processes = two();
    let watch = processes[0].watch(1);
    beat(&mut processes, NOW);
    processes[1] = Process::new(3);
    join(1, false, &mut processes, NOW);
    assert!(!processes[1].hints.is_watched(workspace(1)));
    beat(&mut processes, NOW.plus(BEAT));
    assert!(processes[1].hints.is_watched(workspace(1)));
    beat(&mut processes, NOW.plus(BEAT * 2));
    assert_eq!(watch.take(), [], "nothing was missed");
}

#[test]
fn what_is_watched_is_told_again_and_again_and_forgotten_when_it_is_not() {
    let mut processes = two();
    let watch = processes[0].watch(1);
    beat(&mut processes, NOW);
    let idle = processes[0].relay.beat(NOW.plus(BEAT));
    assert_eq!(idle, Vec::<String>::new(), "there is nothing new");
    let second = Duration::from_secs(1);
    for seconds in 1..100 {
        beat(&mut processes, NOW.plus(second * seconds));
        assert!(processes[1].hints.is_watched(workspace(1)), "after {seconds} s");
    }
    drop(watch);
    // The last announcement was a few seconds earlier.
    for seconds in 100..130 {
        beat(&mut processes, NOW.plus(second * seconds));
    }
    assert!(!processes[1].hints.is_watched(workspace(1)));
    let back = processes[0].relay.beat(NOW);
    assert_eq!(back.len(), 1, "a clock that was set back silences nobody");
}

/// Watchers at both ends read again, but only when the other end knows the watches again.
#[test]
fn after_a_gap_all_who_watch_are_told_that_everything_may_have_changed() {
    let mut processes = two();
    let watches = [processes[0].watch(1), processes[1].watch(2)];
    beat(&mut processes, NOW);
    processes[1].hints.tell(workspace(1), &[tag(1)]);
    let later = NOW.plus(KEPT * 2);
    join(1, true, &mut processes, later);
    assert_eq!(watches.each_ref().map(HintWatch::take), [vec![], vec![]]);
    beat(&mut processes, later);
    assert_eq!(watches.each_ref().map(HintWatch::take), [vec![], vec![]], "what is watched is told first");
    assert!(processes[1].hints.is_watched(workspace(1)) && processes[0].hints.is_watched(workspace(2)));
    processes[1].hints.tell(workspace(1), &[tag(2)]);
    beat(&mut processes, later.plus(BEAT));
    assert_eq!(watches.each_ref().map(HintWatch::take), [vec![everything(), tag(2)], vec![everything()]]);
    beat(&mut processes, later.plus(BEAT * 2));
    assert_eq!(watches.each_ref().map(HintWatch::take), [vec![], vec![]], "once");
}

/// A suspended machine: its connection may survive, but the others did not send it any hints in the meantime.
#[test]
fn who_stood_still_for_too_long_reads_again() {
    let mut processes = two();
    let watches = [processes[0].watch(1), processes[1].watch(1)];
    beat(&mut processes, NOW);
    let later = NOW.plus(KEPT);
    let announced = processes[0].relay.beat(later);
    assert_eq!((announced.len(), watches[0].take()), (1, vec![]));
    carry(&announced, &mut processes, later);
    processes[0].relay.beat(later.plus(BEAT));
    assert_eq!(watches.each_ref().map(HintWatch::take), [vec![everything()], vec![]]);
    processes[0].relay.beat(later.plus(BEAT * 2));
    assert_eq!(watches[0].take(), []);
}

#[test]
fn what_cannot_be_read_is_told_and_changes_nothing() {
    let mut processes = two();
    let watch = processes[0].watch(1);
    assert_eq!(processes[0].relay.hear("nonsense", NOW), Err(UnreadableMessage));
    assert_eq!(watch.take(), []);
}

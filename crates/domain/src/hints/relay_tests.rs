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
fn delivers_a_change_once_to_each_watching_process() {
    let mut processes = two();
    assert!(!processes[1].hints.is_watched(workspace(1)), "no process watches the workspace");
    let watch = processes[0].watch(1);
    beat(&mut processes, NOW.plus(BEAT));
    assert!(processes[1].hints.is_watched(workspace(1)) && !processes[1].hints.is_watched(workspace(2)));

    let own = processes[1].watch(1);
    processes[1].hints.tell(workspace(1), &[tag(2)]);
    processes[1].hints.tell(workspace(2), &[tag(2)]);
    beat(&mut processes, NOW.plus(BEAT * 2));
    assert_eq!((watch.take(), own.take()), (vec![tag(2)], vec![tag(2)]));
    beat(&mut processes, NOW.plus(BEAT * 3));
    assert_eq!((watch.take(), own.take()), (vec![], vec![]), "the change is not relayed again");
}

#[test]
fn a_joining_process_learns_the_watched_workspaces() {
    let mut processes = two();
    let watch = processes[0].watch(1);
    beat(&mut processes, NOW);
    processes[1] = Process::new(3);
    join(1, false, &mut processes, NOW);
    assert!(!processes[1].hints.is_watched(workspace(1)));
    beat(&mut processes, NOW.plus(BEAT));
    assert!(processes[1].hints.is_watched(workspace(1)));
    beat(&mut processes, NOW.plus(BEAT * 2));
    assert_eq!(watch.take(), [], "the watcher missed no change");
}

#[test]
fn repeats_announcements_while_watched_and_then_forgets() {
    let mut processes = two();
    let watch = processes[0].watch(1);
    beat(&mut processes, NOW);
    let idle = processes[0].relay.beat(NOW.plus(BEAT));
    assert_eq!(idle, Vec::<String>::new(), "an unchanged list is not announced again at once");
    let second = Duration::from_secs(1);
    for seconds in 1..100 {
        beat(&mut processes, NOW.plus(second * seconds));
        assert!(processes[1].hints.is_watched(workspace(1)), "the workspace is watched after {seconds} s");
    }
    drop(watch);
    // The last announcement was a few seconds earlier.
    for seconds in 100..130 {
        beat(&mut processes, NOW.plus(second * seconds));
    }
    assert!(!processes[1].hints.is_watched(workspace(1)));
    let back = processes[0].relay.beat(NOW);
    assert_eq!(back.len(), 1, "announcements continue after the clock is set back");
}

/// Watchers at both ends read again, but only when the other end knows the watches again.
#[test]
fn after_a_gap_all_watchers_read_everything_again() {
    let mut processes = two();
    let watches = [processes[0].watch(1), processes[1].watch(2)];
    beat(&mut processes, NOW);
    processes[1].hints.tell(workspace(1), &[tag(1)]);
    let later = NOW.plus(KEPT * 2);
    join(1, true, &mut processes, later);
    assert_eq!(watches.each_ref().map(HintWatch::take), [vec![], vec![]]);
    beat(&mut processes, later);
    assert_eq!(
        watches.each_ref().map(HintWatch::take),
        [vec![], vec![]],
        "watches are announced before hints are sent"
    );
    assert!(processes[1].hints.is_watched(workspace(1)) && processes[0].hints.is_watched(workspace(2)));
    processes[1].hints.tell(workspace(1), &[tag(2)]);
    beat(&mut processes, later.plus(BEAT));
    assert_eq!(watches.each_ref().map(HintWatch::take), [vec![everything(), tag(2)], vec![everything()]]);
    beat(&mut processes, later.plus(BEAT * 2));
    assert_eq!(watches.each_ref().map(HintWatch::take), [vec![], vec![]], "watchers get each hint once");
}

/// A suspended machine: its connection may survive, but the others did not send it any hints in the meantime.
#[test]
fn a_process_suspended_for_too_long_reads_everything_again() {
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
fn rejects_unreadable_messages_without_effect() {
    let mut processes = two();
    let watch = processes[0].watch(1);
    assert_eq!(processes[0].relay.hear("nonsense", NOW), Err(UnreadableMessage));
    assert_eq!(watch.take(), []);
}

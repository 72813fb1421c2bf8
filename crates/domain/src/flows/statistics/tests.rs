use super::*;
use crate::flows::{RunError, Wait};
use crate::testing::a_run;

fn at(seconds: u64) -> Timestamp {
    Timestamp::EPOCH_2026.plus(Duration::from_secs(seconds))
}

fn entry(node: &str, seconds: u64, exit: Option<&str>, resumed: bool) -> TraceEntry {
    TraceEntry {
        node: node.to_owned(),
        kind: "ask".to_owned(),
        at: at(seconds),
        outcome: String::new(),
        exit: exit.map(ToOwned::to_owned),
        resumed,
        message: None,
        run: None,
        decision: None,
    }
}

fn visit(node: &str, entered: bool, left: Option<(&str, i32)>, failed: bool) -> NodeVisit {
    let left = left.map(|(exit, bucket)| (exit.to_owned(), bucket));
    NodeVisit { node: node.to_owned(), entered, left, failed }
}

#[test]
fn counts_entries_exits_and_durations_of_a_step() {
    let mut run = a_run().build();
    let first = [entry("greet", 0, Some("next"), false), entry("ask", 0, None, false)];
    let waits = StepEnd::Wait { node: "ask".to_owned(), wait: Box::new(Wait::for_reply(None, 1)) };
    let passage = Passage::of(&run, &first, &waits).unwrap();
    assert_eq!(passage.visits, [visit("greet", true, Some(("next", 0)), false), visit("ask", true, None, false)]);
    assert_eq!(Passage::read(&passage.encode()), Some(passage));

    run.trace.extend(first);
    (run.node, run.wait) = (Some("ask".to_owned()), Some(Wait::for_reply(None, 1)));
    // A repeated question after a wrong answer: the node is neither entered nor left.
    let again = [entry("ask", 60, None, true)];
    assert_eq!(Passage::of(&run, &again, &waits), None);
    run.trace.extend(again);
    let last = [entry("ask", 3_600, Some("on_timeout"), true), entry("end", 3_600, None, false)];
    let passage = Passage::of(&run, &last, &StepEnd::Completed).unwrap();
    let hour = durations::bucket_of(Duration::from_secs(3_600));
    assert_eq!(
        passage.visits,
        [visit("ask", false, Some(("on_timeout", hour)), false), visit("end", true, None, false)]
    );
}

#[test]
fn counts_a_failure_at_its_node() {
    let error = |node: &str| {
        StepEnd::Failed(RunError {
            code: "template_error".to_owned(),
            message: String::new(),
            node: Some(node.to_owned()),
            path: Vec::new(),
        })
    };
    let run = a_run().build();
    let visits = |trace: &[TraceEntry], node: &str| Passage::of(&run, trace, &error(node)).unwrap().visits;
    assert_eq!(visits(&[entry("say", 0, None, false)], "say"), [visit("say", true, None, true)]);
    // A guard stops a run before it enters the node, and an impossible action leaves no trace entry.
    assert_eq!(visits(&[], "say"), [visit("say", false, None, true)]);
}

#[test]
fn counts_a_node_visited_again_as_entered_once() {
    let mut run = a_run().build();
    run.trace.push(entry("ask", 0, None, false));
    (run.node, run.wait) = (Some("ask".to_owned()), Some(Wait::until(at(5))));
    let passage = Passage::of(&run, &[entry("ask", 60, Some("next"), false)], &StepEnd::Completed).unwrap();
    let minute = durations::bucket_of(Duration::from_secs(60));
    assert_eq!(passage.visits, [visit("ask", false, Some(("next", minute)), false)]);
}

#[test]
fn sums_counters_by_node_and_exit() {
    let tally = |node: &str, count, amount| NodeTally { node: node.to_owned(), count, amount };
    let left = |exit: &str, bucket| NodeCount::Left(exit.to_owned(), bucket);
    for count in [NodeCount::Entered, NodeCount::Failed, left("branches/0 x", 7)] {
        let (what, bucket) = count.parts();
        assert_eq!(NodeCount::of_parts(&what, bucket), Some(count));
    }
    let flow = a_run().build().flow;
    let tallies = vec![
        tally("ask", NodeCount::Entered, 9),
        tally("ask", left("next", 10), 2),
        tally("ask", left("next", 40), 1),
        tally("ask", left("on_timeout", 80), 4),
        tally("say", NodeCount::Failed, 1),
    ];
    let told = FlowStatistics::of(flow, StatisticsRequest::default(), tallies, vec![("ask".to_owned(), 2)], at(0));
    let ask = NodeStatistics {
        id: "ask".to_owned(),
        entered: 9,
        left: BTreeMap::from([("next".to_owned(), 3), ("on_timeout".to_owned(), 4)]),
        failed: 0,
        waiting: 2,
        median_seconds: Some((durations::middle_of(80)).round() / 1_000.0),
    };
    let say = NodeStatistics { id: "say".to_owned(), failed: 1, ..NodeStatistics::default() };
    assert_eq!(told.nodes, [ask, say]);
    assert_eq!((told.from, told.to), (None, None));
}

#[test]
fn aligns_spans_to_whole_hours() {
    let request = StatisticsRequest { version: None, span: Some((at(3_599), at(3_601))) };
    assert_eq!(request.aligned().span, Some((at(0), at(7_200))));
    assert_eq!(request.aligned().aligned(), request.aligned());
}

//! Tests of paused flows: their runs, replies and timeouts.

use super::super::*;
use super::played::{answering, asking, keyword};
use crate::flows::{FlowPatch, FlowStatus};

#[test]
fn a_paused_flow_holds_its_runs_until_it_is_resumed() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    let patch = |status| FlowPatch { status: Some(status), ..FlowPatch::default() };
    let draft =
        block_on(bench.tidings.flows.update(&bench.access, flow, patch(FlowStatus::Draft), &ExpectedVersion::Any));
    let Err(Error::Invalid(wrong)) = draft else { panic!("a published flow cannot become a draft: {draft:?}") };
    assert_eq!((wrong[0].pointer.as_str(), wrong[0].code), ("/status", "not_allowed"));
    let set = |status| {
        block_on(bench.tidings.flows.update(&bench.access, flow, patch(status), &ExpectedVersion::Any)).unwrap()
    };
    assert_eq!(set(FlowStatus::Paused).status, FlowStatus::Paused);
    assert_eq!(bench.start(flow, &bench.contact()), Err(Error::FlowNotActive));
    bench.clock.set(bench.clock.now().plus(Duration::from_secs(3_600)));
    bench.finish_due_work();
    assert_eq!(bench.runs()[0].status, RunStatus::Waiting, "the timeout does not move the paused run");
    set(FlowStatus::Active);
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Your e-mail?", "Another time"]);
}

#[test]
fn a_resumed_run_takes_the_last_reply_over_the_timeout() {
    for time_out_first in [true, false] {
        let bench = bench();
        let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
        bench.start(flow, &contact).unwrap();
        bench.finish_due_work();
        let set = |status| {
            let patch = FlowPatch { status: Some(status), ..FlowPatch::default() };
            block_on(bench.tidings.flows.update(&bench.access, flow, patch, &ExpectedVersion::Any)).unwrap()
        };
        set(FlowStatus::Paused);
        let pass = || {
            bench.clock.set(bench.clock.now().plus(Duration::from_secs(7_200)));
            bench.finish_due_work();
        };
        if time_out_first {
            pass();
        }
        bench.hears(&contact, "no address");
        bench.hears(&contact, "ada@example.com");
        bench.finish_due_work();
        assert_eq!(bench.runs()[0].updated_at, bench.clock.now(), "keeping a reply changes the run");
        if !time_out_first {
            pass();
        }
        assert_eq!(bench.texts(&contact), ["Your e-mail?"]);
        set(FlowStatus::Active);
        bench.finish_due_work();
        assert_eq!(bench.texts(&contact), ["Your e-mail?", "Thanks"], "time-out first: {time_out_first}");
        let run = bench.runs().remove(0);
        assert_eq!((run.status, run.trace.iter().filter(|it| it.resumed).count()), (RunStatus::Completed, 1));
        bench.hears(&contact, "eve@example.com");
        bench.finish_due_work();
        assert_eq!(bench.texts(&contact).len(), 2);
    }
}

#[test]
fn a_run_resumed_before_its_timeout_takes_the_reply() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    let set = |status| {
        let patch = FlowPatch { status: Some(status), ..FlowPatch::default() };
        block_on(bench.tidings.flows.update(&bench.access, flow, patch, &ExpectedVersion::Any)).unwrap()
    };
    set(FlowStatus::Paused);
    bench.hears(&contact, "ada@example.com");
    bench.finish_due_work();
    assert_eq!(block_on(bench.tidings.next_due()).unwrap(), None, "no job is due during the pause");
    set(FlowStatus::Active);
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Your e-mail?", "Thanks"]);
}

#[test]
fn a_keyword_of_another_flow_is_no_reply_to_a_paused_flow() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    bench.flow("Help", answering(keyword("exact", "help"), "Here you are"));
    bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    let patch = |status| FlowPatch { status: Some(status), ..FlowPatch::default() };
    block_on(bench.tidings.flows.update(&bench.access, flow, patch(FlowStatus::Paused), &ExpectedVersion::Any))
        .unwrap();
    bench.hears(&contact, "Help!");
    bench.finish_due_work();
    block_on(bench.tidings.flows.update(&bench.access, flow, patch(FlowStatus::Active), &ExpectedVersion::Any))
        .unwrap();
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Your e-mail?", "Here you are"]);
}

//! Tests of runs that call other flows: results, and how the end of one run reaches the other.

use serde_json::Value;

use super::*;
use crate::contacts::Contact;
use crate::flows::{FlowPatch, FlowStatus, Reentry, Run, RunView, WaitKind};
use crate::ids::FlowId;
use crate::ports::FlowChange;

fn flow(nodes: Value) -> Value {
    let mut nodes = nodes.as_array().cloned().expect("a list");
    nodes.push(json!({"id": "end", "type": "end"}));
    json!({"start": nodes[0]["id"], "nodes": nodes})
}

fn say(id: &str, text: &str) -> Value {
    json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": "end"})
}

/// Returns a flow that asks for an address and saves it to a variable.
fn asking() -> Value {
    flow(json!([{"id": "ask", "type": "ask", "message": {"type": "text", "text": "Where to?"},
        "save_to": "vars.address", "next": "end"}]))
}

/// Returns a flow that calls another one and sends its result.
fn calling(called: FlowId) -> Value {
    flow(json!([
        {"id": "set", "type": "set_field", "field": "vars.who", "value": "Ada", "next": "call"},
        {"id": "call", "type": "start_flow", "flow_id": called, "save_to": "vars.back", "next": "thanks",
         "on_error": "sorry"},
        say("thanks", "To {{ vars.back.address }}, {{ vars.back.who }}"), say("sorry", "Sorry")]))
}

/// Returns a flow that calls another one, without a branch for errors.
fn trusting(called: FlowId) -> Value {
    flow(json!([{"id": "call", "type": "start_flow", "flow_id": called, "next": "end"}]))
}

impl Bench {
    /// Starts a run that has called a flow with a question, and waits. Returns the runs as caller and called.
    fn called(&self) -> (FlowId, FlowId, Contact, [Run; 2]) {
        let asks = self.flow("Ask", asking());
        let (calls, contact) = (self.flow("Call", calling(asks)), self.contact());
        self.start(calls, &contact).unwrap();
        self.finish_due_work();
        (calls, asks, contact, self.runs().try_into().expect("expected two runs"))
    }

    fn now_is(&self, run: &Run) -> Run {
        block_on(self.tidings.flows.run(&self.access, run.id)).unwrap()
    }

    fn status(&self, flow: FlowId, status: FlowStatus) {
        let patch = FlowPatch { status: Some(status), ..FlowPatch::default() };
        block_on(self.tidings.flows.update(&self.access, flow, patch, &ExpectedVersion::Any)).unwrap();
    }

    /// Makes the run's queued step due, although nothing happened.
    fn wake(&self, run: &Run) {
        let mut set = ChangeSet::new(self.access.workspace());
        set.change(Change::Flow(FlowChange::WakeCaller { run: run.id, at: self.clock.now() }));
        block_on(self.store.commit(set)).unwrap();
    }

    /// Routes a message to the waiting run, without further steps.
    fn finish_routing(&self) {
        for job in self.claimed() {
            block_on(self.tidings.worker.perform(&job)).unwrap();
        }
    }

    fn said_last(&self, contact: &Contact) -> Option<String> {
        self.texts(contact).pop()
    }
}

#[test]
fn a_call_returns_the_variables_of_the_called_run() {
    let bench = bench();
    let (_, _, contact, [caller, called]) = bench.called();
    let wait = caller.wait.clone().unwrap();
    assert_eq!((caller.status, wait.kind, wait.until), (RunStatus::Waiting, WaitKind::Flow, None));
    assert_eq!((called.status, called.caller.map(|by| (by.run, by.depth))), (RunStatus::Waiting, Some((caller.id, 1))));
    assert_eq!(
        (called.depth, &called.vars["who"]),
        (2, &json!("Ada")),
        "the called run has the variables of its caller"
    );
    let view = RunView::from(&caller);
    assert_eq!((view.wait.unwrap().run_id, view.called_by), (Some(called.id), None));
    assert_eq!(RunView::from(&called).called_by, Some(caller.id));
    assert_eq!(
        (caller.trace[1].outcome.clone(), caller.trace[1].run),
        (format!("called {}", called.id), Some(called.id))
    );

    bench.hears(&contact, "Bern");
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Where to?", "To Bern, Ada"]);
    let (caller, called) = (bench.now_is(&caller), bench.now_is(&called));
    assert_eq!((caller.status, called.status), (RunStatus::Completed, RunStatus::Completed));
    assert_eq!(caller.vars["back"], json!({"address": "Bern", "who": "Ada"}));
    assert_eq!(
        (caller.trace[2].outcome.as_str(), caller.trace[2].run),
        ("the called run completed, saved to vars.back", Some(called.id))
    );
    assert_eq!(bench.claimed(), [], "no job is left");
}

#[test]
fn a_failed_called_run_is_reported_to_its_caller() {
    let bench = bench();
    let broken = bench.flow("Broken", flow(json!([say("hi", "{{ 1 / vars.nothing }}")])));
    let (minded, unminded) = (bench.flow("Minds", calling(broken)), bench.flow("Trusts", trusting(broken)));
    let (ada, eve) = (bench.contact(), bench.contact());
    bench.start(minded, &ada).unwrap();
    let trusting = bench.start(unminded, &eve).unwrap();
    bench.finish_due_work();
    assert_eq!(bench.texts(&ada), ["Sorry"]);
    let ended = bench.now_is(&trusting);
    let error = ended.error.unwrap();
    assert_eq!(
        (ended.status, error.code.as_str(), error.node.as_deref()),
        (RunStatus::Failed, "call_failed", Some("call"))
    );
    assert!(error.message.starts_with("the called run failed: template_error: "), "{error:?}");
}

#[test]
fn cancelling_a_caller_ends_the_runs_it_called() {
    let bench = bench();
    let asks = bench.flow("Ask", asking());
    let middle = bench.flow("Middle", trusting(asks));
    let (outer, contact) = (bench.flow("Outer", trusting(middle)), bench.contact());
    let caller = bench.start(outer, &contact).unwrap();
    bench.finish_due_work();
    let runs = bench.runs();
    assert_eq!(runs.iter().map(|run| run.status).collect::<Vec<_>>(), [RunStatus::Waiting; 3]);
    assert_eq!(runs[2].caller.map(|by| (by.run, by.depth)), Some((runs[1].id, 2)));
    block_on(bench.tidings.flows.cancel(&bench.access, caller.id, None)).unwrap();
    assert_eq!(bench.runs().iter().map(|run| run.status).collect::<Vec<_>>(), [RunStatus::Interrupted; 3]);
    bench.hears(&contact, "Bern");
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Where to?"], "no run waits for the reply");
}

#[test]
fn restarting_a_caller_ends_the_run_it_called() {
    let bench = bench();
    let (calls, _, contact, [caller, called]) = bench.called();
    let start = StartFlow { flow: calls, vars: Map::new(), mode: Some(Reentry::Restart) };
    block_on(bench.tidings.flows.start(&bench.access, &ContactRef::Id(contact.id), start, None)).unwrap();
    bench.finish_due_work();
    assert_eq!([&caller, &called].map(|run| bench.now_is(run).status), [RunStatus::Interrupted; 2]);
    assert_eq!(bench.runs()[2..].iter().map(|run| run.status).collect::<Vec<_>>(), [RunStatus::Waiting; 2]);
}

#[test]
fn an_expired_caller_ends_the_run_it_called() {
    let bench = bench();
    let (_, _, _, [caller, called]) = bench.called();
    bench.clock.set(caller.started_at.plus(Duration::from_secs(30 * 86_400)));
    bench.finish_due_work();
    assert_eq!(bench.now_is(&caller).status, RunStatus::Expired);
    // The order of the two runs is undefined: the called run may have expired, too.
    assert!(!bench.now_is(&called).status.is_live());
}

#[test]
fn an_interrupted_called_run_takes_the_error_exit() {
    let by_cancel = |bench: &Bench, _: FlowId, called: &Run| {
        block_on(bench.tidings.flows.cancel(&bench.access, called.id, None)).unwrap();
    };
    let by_archive = |bench: &Bench, asks: FlowId, _: &Run| bench.status(asks, FlowStatus::Archived);
    let by_delete = |bench: &Bench, asks: FlowId, _: &Run| {
        let delete = |how| block_on(bench.tidings.flows.delete(&bench.access, asks, how, &ExpectedVersion::Any));
        assert!(matches!(delete(Deletion::IfUnused), Err(Error::InUse(_))), "another flow calls this flow");
        delete(Deletion::ByForce).unwrap();
    };
    type End<'a> = &'a dyn Fn(&Bench, FlowId, &Run);
    let ends: [End<'_>; 3] = [&by_cancel, &by_archive, &by_delete];
    for end in ends {
        let bench = bench();
        let (_, asks, contact, [caller, called]) = bench.called();
        end(&bench, asks, &called);
        bench.finish_due_work();
        assert_eq!(bench.now_is(&called).status, RunStatus::Interrupted);
        let caller = bench.now_is(&caller);
        assert_eq!(
            (caller.status, caller.trace[2].outcome.as_str()),
            (RunStatus::Completed, "the called run was interrupted")
        );
        assert_eq!(bench.said_last(&contact).as_deref(), Some("Sorry"));
    }
}

#[test]
fn a_paused_flow_is_not_called() {
    let bench = bench();
    let (calls, asks, contact, [_, called]) = bench.called();
    bench.status(asks, FlowStatus::Paused);
    let eve = bench.contact();
    let refused = bench.start(calls, &eve).unwrap();
    bench.finish_due_work();
    assert_eq!(bench.texts(&eve), ["Sorry"]);
    let refused = bench.now_is(&refused);
    let outcomes: Vec<&str> = refused.trace.iter().map(|entry| entry.outcome.as_str()).collect();
    assert_eq!(outcomes[1..3], ["failed: flow_not_active", "the flow was not called: flow_not_active"]);
    assert_eq!(bench.now_is(&called).status, RunStatus::Waiting, "an earlier called run waits during the pause");
    bench.status(asks, FlowStatus::Active);
    bench.hears(&contact, "Bern");
    bench.finish_due_work();
    assert_eq!(bench.said_last(&contact).as_deref(), Some("To Bern, Ada"));
}

#[test]
fn calls_nest_at_most_five_deep() {
    let bench = bench();
    let mut flow = bench.flow("Leaf", asking());
    for depth in 0..6 {
        flow = bench.flow(&format!("Level {depth}"), trusting(flow));
    }
    bench.start(flow, &bench.contact()).unwrap();
    bench.finish_due_work();
    let runs = bench.runs();
    assert_eq!(runs.iter().filter_map(|run| run.caller).map(|by| by.depth).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    let refused = runs[5].error.clone().unwrap();
    assert!(refused.message.contains("call_depth"), "{refused:?}");
    assert!(runs.iter().all(|run| run.status == RunStatus::Failed), "{runs:?}");
}

#[test]
fn calls_count_towards_the_hourly_start_limit() {
    let bench = bench();
    let nothing = bench.flow("Nothing", flow(json!([])));
    let again = json!([
        {"id": "call", "type": "start_flow", "flow_id": nothing, "next": "wait", "on_error": "sorry"},
        {"id": "wait", "type": "delay", "for": "PT1S", "next": "call"}, say("sorry", "Sorry")]);
    let (loops, contact) = (bench.flow("Loops", flow(again)), bench.contact());
    let caller = bench.start(loops, &contact).unwrap();
    for _ in 0..12 {
        bench.finish_due_work();
        bench.clock.set(bench.clock.now().plus(Duration::from_secs(1)));
    }
    assert_eq!(bench.texts(&contact), ["Sorry"]);
    assert_eq!(bench.runs().iter().filter(|run| run.flow == nothing).count(), 10);
    let refused = bench.now_is(&caller).trace.iter().filter(|it| it.outcome.contains("start_limit")).count();
    assert_eq!(refused, 2, "the call is refused once and reported once");
}

/// A call starts a separate run, outside the slot that starts share.
#[test]
fn a_call_starts_a_run_beside_an_existing_one() {
    let bench = bench();
    let asks = bench.flow("Ask", asking());
    let (calls, contact) = (bench.flow("Call", calling(asks)), bench.contact());
    let started = bench.start(asks, &contact).unwrap();
    bench.start(calls, &contact).unwrap();
    bench.finish_due_work();
    let again = bench.start(asks, &contact).unwrap();
    assert_eq!((again.id, bench.runs().len()), (started.id, 3));
    bench.hears(&contact, "Bern");
    bench.finish_due_work();
    assert_eq!(bench.said_last(&contact).as_deref(), Some("To Bern, Ada"), "the run that asked last gets the reply");
    assert_eq!(bench.now_is(&started).status, RunStatus::Waiting);
}

#[test]
fn a_paused_caller_continues_when_its_flow_is_resumed() {
    let bench = bench();
    let (calls, _, contact, [caller, _]) = bench.called();
    bench.status(calls, FlowStatus::Paused);
    bench.hears(&contact, "Bern");
    bench.finish_due_work();
    assert_eq!(bench.now_is(&caller).status, RunStatus::Waiting);
    bench.status(calls, FlowStatus::Active);
    bench.finish_due_work();
    assert_eq!(bench.said_last(&contact).as_deref(), Some("To Bern, Ada"));
}

/// The caller's step found the called run live, or is about to, when that run ends.
#[test]
fn a_caller_continues_once_if_its_step_races_the_called_run() {
    for end_is_first in [true, false] {
        let bench = bench();
        let (_, _, contact, [caller, called]) = bench.called();
        bench.wake(&caller);
        let look = bench.claimed().pop().expect("the caller's step is due");
        assert_eq!(look.job, caller.next_step());
        if end_is_first {
            block_on(bench.tidings.flows.cancel(&bench.access, called.id, None)).unwrap();
            block_on(bench.tidings.worker.perform(&look)).unwrap();
        } else {
            block_on(bench.tidings.worker.perform(&look)).unwrap();
            block_on(bench.tidings.flows.cancel(&bench.access, called.id, None)).unwrap();
        }
        bench.finish_due_work();
        let caller = bench.now_is(&caller);
        assert_eq!((caller.status, caller.trace.len()), (RunStatus::Completed, 5), "{caller:?}");
        assert_eq!(bench.said_last(&contact).as_deref(), Some("Sorry"));
    }
}

/// A ledger that commits another set first, once.
struct After {
    store: Arc<MemoryStore>,
    first: std::sync::Mutex<Option<ChangeSet>>,
}

#[async_trait::async_trait]
impl Ledger for After {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        let first = self.first.lock().unwrap().take();
        if let Some(first) = first {
            self.store.commit(first).await?;
        }
        self.store.commit(set).await
    }
}

impl Bench {
    /// Runs a job, with these changes committed just before its own commit, so its reads are outdated.
    fn outdated(&mut self, job: &ClaimedJob, changes: Vec<Change>) {
        let mut set = ChangeSet::new(self.access.workspace());
        set.changes.extend(changes);
        let (ports, first) = ((*self.tidings.ports).clone(), std::sync::Mutex::new(Some(set)));
        self.tidings = Tidings::new(ports.through(Arc::new(After { store: self.store.clone(), first })));
        block_on(self.tidings.worker.perform(job)).unwrap();
    }
}

#[test]
fn decides_a_step_again_if_the_called_run_ended_meanwhile() {
    let mut bench = bench();
    let (_, asks, contact, [caller, _]) = bench.called();
    bench.wake(&caller);
    let look = bench.claimed().pop().expect("the caller's step is due");
    let end = Change::Flow(FlowChange::Interrupt { flow: asks, at: bench.clock.now(), due_at: bench.clock.now() });
    bench.outdated(&look, vec![end]);
    assert_eq!(bench.now_is(&caller).status, RunStatus::Completed);
    assert_eq!(bench.said_last(&contact).as_deref(), Some("Sorry"));
}

#[test]
fn decides_a_step_again_if_its_flow_was_resumed_meanwhile() {
    let mut bench = bench();
    let (calls, _, contact, [caller, _]) = bench.called();
    bench.hears(&contact, "Bern");
    bench.finish_routing();
    bench.status(calls, FlowStatus::Paused);
    let look = bench.claimed().pop().expect("the caller's step is due");
    assert_eq!(look.job, caller.next_step());
    let mut flow = block_on(bench.tidings.flows.get(&bench.access, calls)).unwrap();
    (flow.status, flow.version) = (FlowStatus::Active, flow.version + 1);
    let wake = Change::Flow(FlowChange::WakeRuns { flow: calls, at: bench.clock.now(), due_at: bench.clock.now() });
    bench.outdated(&look, vec![Change::Update(crate::ports::Row::Flow(flow)), wake]);
    assert_eq!(bench.said_last(&contact).as_deref(), Some("To Bern, Ada"));
}

#[test]
fn migrating_to_a_version_without_the_call_ends_the_called_run() {
    let bench = bench();
    let (calls, _, _, [caller, called]) = bench.called();
    let moved = flow(json!([{"id": "call", "type": "delay", "for": "P1D", "next": "end"}]));
    let patch = FlowPatch { definition: Some(moved), ..FlowPatch::default() };
    block_on(bench.tidings.flows.update(&bench.access, calls, patch, &ExpectedVersion::Any)).unwrap();
    block_on(bench.tidings.flows.publish(&bench.access, calls, InFlight::Migrate, &ExpectedVersion::Any, None))
        .unwrap();
    assert_eq!(
        bench.now_is(&called).status,
        RunStatus::Waiting,
        "the called run lives until the next step of its caller"
    );
    bench.wake(&caller);
    bench.finish_due_work();
    assert_eq!(bench.now_is(&called).status, RunStatus::Interrupted);
    let caller = bench.now_is(&caller);
    assert_eq!((caller.flow_version, caller.wait.unwrap().kind), (2, WaitKind::Until));
}

#[test]
fn deleting_a_contact_ends_the_caller_and_the_called_run() {
    let bench = bench();
    let (_, _, contact, [caller, called]) = bench.called();
    block_on(bench.tidings.contacts.delete(&bench.access, &ContactRef::Id(contact.id), &ExpectedVersion::Any)).unwrap();
    bench.finish_due_work();
    assert_eq!([&caller, &called].map(|run| bench.now_is(run).status), [RunStatus::Interrupted; 2]);
}

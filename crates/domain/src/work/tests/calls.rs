//! Tests of HTTP calls of runs: attempts, responses, secrets and obstacles.

use std::collections::VecDeque;
use std::sync::Mutex;

use async_trait::async_trait;
use futures::future::BoxFuture;
use secrecy::SecretString;
use serde_json::Value;

use super::*;
use crate::contacts::Contact;
use crate::flows::caller::{CallOutcome, HttpCall};
use crate::flows::{FlowPatch, FlowStatus, Run, WaitKind};
use crate::ids::{FlowId, WorkspaceId};
use crate::secrets::PutSecret;

/// Answers by a script, repeats its last answer, and records the calls. It can run a future during a call.
#[derive(Default)]
struct Service {
    script: Mutex<VecDeque<CallOutcome>>,
    calls: Mutex<Vec<HttpCall>>,
    meanwhile: Mutex<Option<BoxFuture<'static, ()>>>,
}

impl Service {
    fn answering(script: impl IntoIterator<Item = CallOutcome>) -> Arc<Self> {
        Arc::new(Self { script: Mutex::new(script.into_iter().collect()), ..Self::default() })
    }

    fn calls(&self) -> Vec<HttpCall> {
        self.calls.lock().unwrap().clone()
    }
}

#[async_trait]
impl HttpCaller for Service {
    async fn call(&self, _: WorkspaceId, call: HttpCall) -> CallOutcome {
        self.calls.lock().unwrap().push(call);
        let meanwhile = self.meanwhile.lock().unwrap().take();
        if let Some(meanwhile) = meanwhile {
            meanwhile.await;
        }
        let mut script = self.script.lock().unwrap();
        if script.len() > 1 { script.pop_front().unwrap() } else { script[0].clone() }
    }
}

fn answer(status: u16, body: &str) -> CallOutcome {
    CallOutcome::Answered { status, retry_after: None, body: Some(body.as_bytes().to_vec()) }
}

fn header<'c>(call: &'c HttpCall, name: &str) -> &'c str {
    &call.headers.iter().find(|(known, _)| known == name).unwrap().1
}

/// Returns a flow that requests the plan and sends it.
fn asking(more: Value) -> Value {
    let mut call = json!({"id": "call", "type": "http_request", "method": "GET", "url": "https://api.example.com/{{ contact.id }}",
        "headers": {"x-now": "{{ now }}"}, "save": {"plan": "body.plan"}, "next": "yes", "on_error": "no"});
    call.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    let say = |id: &str, text: &str| json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": "end"});
    json!({"start": "call", "nodes": [call, say("yes", "You have {{ vars.plan }}"), say("no", "Later"), {"id": "end", "type": "end"}]})
}

impl Bench {
    fn calls(&self, definition: Value) -> (FlowId, Contact, Run) {
        let (flow, contact) = (self.flow("Call", definition), self.contact());
        let run = self.start(flow, &contact).unwrap();
        (flow, contact, run)
    }

    fn seen(&self, run: &Run) -> Run {
        block_on(self.tidings.flows.run(&self.access, run.id)).unwrap()
    }

    fn make_calls(&self) -> usize {
        let request = ClaimRequest::new(Pool::Deliveries, 100, Duration::from_secs(30), self.clock.now());
        let due = block_on(self.store.claim(request)).unwrap();
        due.iter().for_each(|job| block_on(self.tidings.worker.perform(job)).unwrap());
        due.len()
    }

    fn later(&self, seconds: u64) {
        self.clock.set(self.clock.now().plus(Duration::from_secs(seconds)));
    }

    fn secret(&self, name: &str, value: &str) {
        let hosts = vec!["api.example.com".to_owned()];
        let command = PutSecret { name: name.to_owned(), value: SecretString::from(value), hosts };
        block_on(self.tidings.secrets.put(&self.access, command, &ExpectedVersion::Any)).unwrap();
    }

    fn deletes_secret(&self, name: &str) -> Result<(), Vec<&'static str>> {
        match block_on(self.tidings.secrets.delete(&self.access, name, Deletion::IfUnused, &ExpectedVersion::Any)) {
            Err(Error::InUse(dependents)) => Err(dependents.into_iter().map(|it| it.kind).collect()),
            other => {
                other.unwrap();
                Ok(())
            }
        }
    }
}

#[test]
fn a_run_waits_for_its_call_and_continues_with_the_response() {
    let service = Service::answering([answer(200, r#"{"plan": "gold"}"#)]);
    let bench = bench_calling(service.clone());
    let (_, contact, run) = bench.calls(asking(json!({})));
    let wait = run.wait.clone().unwrap();
    assert_eq!((run.status, wait.kind, service.calls().len()), (RunStatus::Waiting, WaitKind::Http, 0));
    assert_eq!(bench.make_calls(), 1);
    assert_eq!(service.calls()[0].url, format!("https://api.example.com/{}", contact.id));
    let run = bench.seen(&run);
    assert_eq!((run.status, &run.vars["plan"]), (RunStatus::Completed, &json!("gold")));
    assert_eq!(bench.texts(&contact), ["You have gold"]);
    assert_eq!(bench.make_calls(), 0, "no call is left");
}

#[test]
fn retries_a_call_with_the_same_request() {
    let service = Service::answering([answer(503, ""), CallOutcome::TimedOut, answer(200, r#"{"plan": "gold"}"#)]);
    let bench = bench_calling(service.clone());
    let (_, contact, run) = bench.calls(asking(json!({})));
    for (wait, attempt) in [(10, 2), (20, 3)] {
        assert_eq!(bench.make_calls(), 1);
        assert_eq!(bench.seen(&run).wait.unwrap().attempt, attempt);
        bench.later(wait - 1);
        assert_eq!(bench.make_calls(), 0, "no retry is due yet");
        bench.later(1);
    }
    assert_eq!(bench.make_calls(), 1);
    assert_eq!(bench.texts(&contact), ["You have gold"]);
    let calls = service.calls();
    assert!(calls.len() == 3 && calls.iter().all(|call| *call == calls[0]), "all three requests are the same");
    assert!(header(&calls[0], "idempotency-key").starts_with(&format!("{}.call.", run.id)));
}

#[test]
fn a_call_fails_after_five_attempts() {
    let service = Service::answering([answer(503, "")]);
    let bench = bench_calling(service.clone());
    let (_, contact, run) = bench.calls(asking(json!({})));
    for _ in 0..10 {
        bench.make_calls();
        bench.later(100);
    }
    assert_eq!((service.calls().len(), bench.texts(&contact)), (5, vec!["Later".to_owned()]));
    let entry = &bench.seen(&run).trace[1];
    assert_eq!((entry.outcome.as_str(), entry.exit.as_deref()), ("call_refused: answered 503", Some("on_error")));
}

#[test]
fn a_failed_call_without_on_error_fails_the_run() {
    let bench = bench_calling(Service::answering([answer(404, "")]));
    let mut definition = asking(json!({}));
    definition["nodes"][0].as_object_mut().unwrap().remove("on_error");
    definition["nodes"].as_array_mut().unwrap().remove(2);
    let (_, _, run) = bench.calls(definition);
    bench.make_calls();
    let run = bench.seen(&run);
    let error = run.error.unwrap();
    assert_eq!(
        (run.status, error.code.as_str(), error.message.as_str()),
        (RunStatus::Failed, "call_refused", "answered 404")
    );
}

#[test]
fn sends_a_secret_without_storing_it_in_run_or_events() {
    let service = Service::answering([answer(200, r#"{"plan": "for s3cret"}"#)]);
    let bench = bench_calling(service.clone());
    bench.secret("TOKEN", "s3cret");
    let (_, contact, run) = bench.calls(asking(json!({"headers": {"authorization": "Bearer {{ secrets.TOKEN }}"}})));
    bench.make_calls();
    assert_eq!(header(&service.calls()[0], "authorization"), "Bearer s3cret");
    assert_eq!(bench.texts(&contact), ["You have for ••••"]);
    let run = bench.seen(&run);
    assert!(!format!("{run:?}").contains("s3cret"));
    let told = bench.store.events(bench.access.workspace());
    assert!(!told.is_empty() && told.iter().all(|event| !format!("{event:?}").contains("s3cret")));
}

#[test]
fn a_secret_for_another_host_fails_the_call_and_hides_the_host() {
    let service = Service::answering([answer(200, "{}")]);
    let bench = bench_calling(service.clone());
    bench.secret("TOKEN", "s3cret");
    let more =
        json!({"url": "https://{{ vars.host|default('evil.example') }}/", "headers": {"x": "{{ secrets.TOKEN }}"}});
    let (_, contact, run) = bench.calls(asking(more));
    bench.make_calls();
    let run = bench.seen(&run);
    assert_eq!((service.calls().len(), bench.texts(&contact)), (0, vec!["Later".to_owned()]));
    assert!(run.trace[1].outcome.starts_with("secret_not_for_host: "), "{:?}", run.trace);
    assert!(!format!("{run:?}").contains("evil") && !format!("{run:?}").contains("s3cret"), "{run:?}");
}

#[test]
fn a_paused_flow_makes_its_calls_after_it_is_resumed() {
    let service = Service::answering([answer(200, r#"{"plan": "gold"}"#)]);
    let bench = bench_calling(service.clone());
    let (flow, contact, run) = bench.calls(asking(json!({})));
    let set = |status| {
        let patch = FlowPatch { status: Some(status), ..FlowPatch::default() };
        block_on(bench.tidings.flows.update(&bench.access, flow, patch, &ExpectedVersion::Any)).unwrap();
    };
    set(FlowStatus::Paused);
    assert_eq!((bench.make_calls(), service.calls().len()), (1, 0));
    assert_eq!(bench.seen(&run).status, RunStatus::Waiting);
    set(FlowStatus::Active);
    assert_eq!((bench.make_calls(), service.calls().len()), (1, 1));
    assert_eq!(bench.texts(&contact), ["You have gold"]);
}

#[test]
fn a_call_answered_during_a_pause_is_repeated_after_it() {
    let service = Service::answering([answer(200, r#"{"plan": "gold"}"#)]);
    let bench = bench_calling(service.clone());
    let (flow, contact, run) = bench.calls(asking(json!({})));
    let set = |status| {
        let (tidings, access) = (bench.tidings.clone(), bench.access.clone());
        let patch = FlowPatch { status: Some(status), ..FlowPatch::default() };
        async move {
            tidings.flows.update(&access, flow, patch, &ExpectedVersion::Any).await.unwrap();
        }
    };
    *service.meanwhile.lock().unwrap() = Some(Box::pin(set(FlowStatus::Paused)));
    assert_eq!((bench.make_calls(), service.calls().len()), (1, 1));
    let waiting = bench.seen(&run);
    assert_eq!((waiting.status, waiting.wait.map(|it| it.kind)), (RunStatus::Waiting, Some(WaitKind::Http)));
    assert_eq!(bench.make_calls(), 0, "no call is due during the pause");
    block_on(set(FlowStatus::Active));
    assert_eq!(bench.make_calls(), 1);
    let calls = service.calls();
    assert_eq!((calls.len(), &calls[1]), (2, &calls[0]), "the request is the same");
    assert_eq!(bench.texts(&contact), ["You have gold"]);
}

#[test]
fn a_response_to_an_ended_run_changes_nothing() {
    let service = Service::answering([answer(200, r#"{"plan": "gold"}"#)]);
    let bench = bench_calling(service.clone());
    let (_, _, run) = bench.calls(asking(json!({})));
    let (tidings, access, id) = (bench.tidings.clone(), bench.access.clone(), run.id);
    let cancel = async move {
        tidings.flows.cancel(&access, id, None).await.unwrap();
    };
    *service.meanwhile.lock().unwrap() = Some(Box::pin(cancel));
    assert_eq!((bench.make_calls(), service.calls().len()), (1, 1));
    let ended = bench.seen(&run);
    assert_eq!((ended.status, ended.vars.get("plan")), (RunStatus::Interrupted, None));
    assert_eq!(bench.make_calls(), 0, "no call is left");
}

#[test]
fn a_run_that_ended_before_its_call_makes_none() {
    let service = Service::answering([answer(200, "{}")]);
    let bench = bench_calling(service.clone());
    let (_, contact, run) = bench.calls(asking(json!({})));
    let job = bench.claim(Pool::Deliveries, JobKind::CallHttp);
    block_on(bench.tidings.contacts.delete(&bench.access, &ContactRef::Id(contact.id), &ExpectedVersion::Any)).unwrap();
    block_on(bench.tidings.worker.perform(&job)).unwrap();
    assert_eq!((bench.seen(&run).status, service.calls().len()), (RunStatus::Interrupted, 0));
}

#[test]
fn an_expired_run_makes_no_call() {
    let service = Service::answering([answer(200, "{}")]);
    let bench = bench_calling(service.clone());
    let mut definition = asking(json!({}));
    definition["settings"] = json!({"expires_after": "PT1H"});
    let (_, _, run) = bench.calls(definition);
    bench.later(3_600);
    bench.make_calls();
    assert_eq!((bench.seen(&run).status, service.calls().len()), (RunStatus::Expired, 0));
}

#[test]
fn a_dead_lettered_call_counts_as_failed() {
    let bench = bench_calling(Service::answering([answer(200, "{}")]));
    let (_, contact, run) = bench.calls(asking(json!({})));
    for _ in 0..5 {
        bench.claim(Pool::Deliveries, JobKind::CallHttp);
        bench.later(31);
    }
    block_on(bench.tidings.run_due(bench.clock.now())).unwrap();
    let run = bench.seen(&run);
    assert_eq!((run.status, run.trace[1].exit.as_deref()), (RunStatus::Completed, Some("on_error")));
    assert_eq!(bench.texts(&contact), ["Later"]);
}

#[test]
fn rejects_deleting_a_secret_that_a_flow_or_draft_uses() {
    let bench = bench();
    let naming = asking(json!({"headers": {"x": "{{ secrets.TOKEN }}"}}));
    let draft = |definition: Value| NewFlow { name: "Draft".into(), definition };
    let create =
        |definition| block_on(bench.tidings.flows.create(&bench.access, draft(definition), None)).unwrap().value;
    // One draft refers to the secret before it exists.
    let early = create(naming.clone());
    bench.secret("TOKEN", "s3cret");
    assert_eq!(bench.deletes_secret("TOKEN"), Err(vec!["flow_draft"]));
    let plain = asking(json!({}));
    let edit = |flow: FlowId, definition: &Value| {
        let patch = FlowPatch { definition: Some(definition.clone()), ..FlowPatch::default() };
        block_on(bench.tidings.flows.update(&bench.access, flow, patch, &ExpectedVersion::Any)).unwrap();
    };
    let flow = bench.flow("Published", naming.clone());
    edit(early.id, &plain);
    assert_eq!(bench.deletes_secret("TOKEN"), Err(vec!["flow", "flow_draft"]));
    edit(flow, &plain);
    assert_eq!(bench.deletes_secret("TOKEN"), Err(vec!["flow"]));
    block_on(bench.tidings.flows.publish(&bench.access, flow, InFlight::Pin, &ExpectedVersion::Any, None)).unwrap();
    block_on(bench.tidings.flows.restore(&bench.access, flow, 1, &ExpectedVersion::Any, None)).unwrap();
    assert_eq!(bench.deletes_secret("TOKEN"), Err(vec!["flow_draft"]));
    block_on(bench.tidings.flows.delete(&bench.access, flow, Deletion::IfUnused, &ExpectedVersion::Any)).unwrap();
    assert_eq!(bench.deletes_secret("TOKEN"), Ok(()));
}

#[test]
fn a_forcibly_deleted_secret_fails_the_call() {
    let bench = bench_calling(Service::answering([answer(200, "{}")]));
    bench.secret("TOKEN", "s3cret");
    let (_, _, run) = bench.calls(asking(json!({"headers": {"x": "{{ secrets.TOKEN }}"}})));
    block_on(bench.tidings.secrets.delete(&bench.access, "TOKEN", Deletion::ByForce, &ExpectedVersion::Any)).unwrap();
    bench.make_calls();
    assert!(bench.seen(&run).trace[1].outcome.starts_with("secret_missing: "));
}

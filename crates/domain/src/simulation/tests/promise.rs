//! Property test: a simulation has the same result as the same real events, given the ID of the run.

use std::sync::Arc;

use futures::executor::block_on;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::setup::scripted;
use crate::Tidings;
use crate::access::Access;
use crate::contacts::{ContactRef, ContactView, NewContact};
use crate::conversations::Content;
use crate::custom_events::NewCustomEvent;
use crate::fields::{FieldKind, NewBotField, NewCustomField, Rules};
use crate::flows::generated::{definitions, is_right, scripts};
use crate::flows::{InFlight, NewFlow, Run, RunFilter, RunStatus, StartFlow};
use crate::ids::{FlowId, RunId};
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::ExpectedVersion;
use crate::pagination::PageRequest;
use crate::ports::{Clock, Ports};
use crate::sequences::{NewSequence, Reenroll, SequenceStatus, SequenceZone, parse_steps};
use crate::simulation::{FlowVersionRef, Moment, Simulation, SimulationRequest};
use crate::tags::NewTagCommand;
use crate::testing::{an_inbound_message, cases, with_workspace};
use crate::time::{IsoDuration, Timestamp};

/// Number of cases by default; `PROPTEST_CASES=1000` takes a minute.
const STORIES: usize = 150;
/// Maximum number of definitions that are generated per case, because some are invalid.
const TRIED: usize = 12;

/// A workspace with the same IDs each time it is created.
struct Place {
    tidings: Tidings,
    access: Access,
    clock: Arc<FixedClock>,
    store: Arc<MemoryStore>,
    zoe: ContactRef,
    sequence: String,
}

impl Place {
    fn new() -> Self {
        let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
        let (tidings, access) = with_workspace(Ports { clock: clock.clone(), ..Ports::of(store.clone()) });
        block_on(async {
            for name in ["vip", "newsletter"] {
                let tag = NewTagCommand { name: name.into(), color: None, description: None };
                tidings.tags.create(&access, tag, None).await.unwrap();
            }
            let field = |key: &str, kind, options: &[&str]| NewCustomField {
                key: Some(key.to_owned()),
                name: key.to_owned(),
                kind,
                options: options.iter().map(|option| (*option).to_owned()).collect(),
                rules: Rules { max: (kind == FieldKind::Number).then_some(150.0), ..Rules::default() },
            };
            for field in [
                field("plan", FieldKind::Select, &["gold", "silver"]),
                field("age", FieldKind::Number, &[]),
                field("remark", FieldKind::Text, &[]),
                field("interests", FieldKind::MultiSelect, &["news", "offers"]),
            ] {
                tidings.fields.create(&access, field, None).await.unwrap();
            }
            let (key, name, kind) = (Some("season".to_owned()), "Season".to_owned(), FieldKind::Text);
            let season = NewBotField { key, name, kind, value: json!("summer") };
            tidings.bot_fields.create(&access, season, None).await.unwrap();
            let say = |id: &str, delay: &str, text: &str| {
                json!({"id": id, "delay": delay, "window": {"from": "09:00", "to": "18:00"},
                "action": {"type": "send_message", "message": {"type": "text", "text": text}}})
            };
            let steps = json!([say("a", "PT1H", "A day, {{ contact.first_name }}"), say("b", "P2D", "Another day")]);
            let sequence = NewSequence {
                name: "Days".to_owned(),
                status: SequenceStatus::Active,
                steps: parse_steps(&steps).unwrap(),
                exit_on: Vec::new(),
                exit_when: Some(json!({"field": "custom_fields.plan", "op": "eq", "value": "silver"})),
                reenroll: Reenroll::Always,
                time_zone: SequenceZone::Contact,
            };
            let sequence = tidings.sequences.create(&access, sequence, None).await.unwrap().value.id.to_string();
            let zoe = NewContact {
                first_name: Some("Zoë".to_owned()),
                time_zone: Some("America/New_York".parse().unwrap()),
                custom_fields: [("age".to_owned(), json!(30))].into(),
                ..NewContact::default()
            };
            let zoe = ContactRef::Id(tidings.contacts.create(&access, zoe, None).await.unwrap().value.id);
            tidings.run_due(clock.now()).await.unwrap();
            Self { tidings, access, clock, store, zoe, sequence }
        })
    }

    /// Publishes a flow; `None` if it is invalid.
    fn publish(&self, definition: Value) -> Option<FlowId> {
        block_on(async {
            let flow = NewFlow { name: "Flow".into(), definition };
            let flow = self.tidings.flows.create(&self.access, flow, None).await.unwrap().value.id;
            let published =
                self.tidings.flows.publish(&self.access, flow, InFlight::Pin, &ExpectedVersion::Any, None).await;
            published.ok().map(|_| flow)
        })
    }

    /// Makes the entries really happen; `None` if no run starts.
    fn live(&self, flow: FlowId, by: &str, entries: &[Value]) -> Option<Vec<Run>> {
        block_on(async {
            if by == "api" {
                let start = StartFlow { flow, vars: [("y".to_owned(), json!(2))].into_iter().collect(), mode: None };
                self.tidings.flows.start(&self.access, &self.zoe, start, None).await.unwrap();
            }
            self.tidings.run_due(self.clock.now()).await.unwrap();
            for (place, entry) in entries.iter().enumerate() {
                self.happens(place, entry).await;
            }
            let filter = RunFilter { flow: Some(flow), ..RunFilter::default() };
            let page = PageRequest { limit: 100, ..PageRequest::default() };
            let mut runs = self.tidings.flows.runs(&self.access, &filter, page).await.unwrap().items;
            runs.sort_by_key(|run| (run.started_at, run.id));
            Some(runs).filter(|runs| !runs.is_empty())
        })
    }

    async fn happens(&self, place: usize, entry: &Value) {
        if let Some(text) = entry["message"].as_str() {
            let contact = self.tidings.contacts.get(&self.access, &self.zoe).await.unwrap();
            let channel = self.tidings.ports.channels.default_channel(&self.access).await.unwrap().unwrap();
            let (id, address) = (format!("m-{place}"), contact.id.to_string());
            let message = an_inbound_message(id, address, Content::text(text));
            self.tidings.inbound.receive(&self.access, &channel, message).await.unwrap();
        } else if let Some(name) = entry["event"].as_str() {
            let event =
                NewCustomEvent { name: name.parse().unwrap(), data: entry["data"].as_object().unwrap().clone() };
            self.tidings.custom_events.record(&self.access, &self.zoe, event, None).await.unwrap();
        } else if let Some(duration) = entry["advance"].as_str() {
            let to = self.clock.now().plus(duration.parse::<IsoDuration>().unwrap().get());
            while let Some(next) = self.tidings.next_due().await.unwrap().filter(|next| *next <= to) {
                self.clock.set(next);
                self.tidings.run_due(next).await.unwrap();
            }
            self.clock.set(to);
        }
        self.tidings.run_due(self.clock.now()).await.unwrap();
    }

    /// Returns the comparable parts of a run: its nodes with times, outcomes, exits and texts, and its final state.
    fn narrated(&self, run: &Run) -> Told {
        let text = |entry: &crate::flows::TraceEntry| {
            let message = block_on(self.tidings.ports.conversations.message(&self.access, entry.message?)).unwrap()?;
            message.content.text
        };
        let nodes = run.trace.iter().map(|entry| Node {
            node: entry.node.clone(),
            kind: entry.kind.clone(),
            at: entry.at,
            outcome: entry.outcome.clone(),
            exit: entry.exit.clone(),
            resumed: entry.resumed,
            text: text(entry),
        });
        let nodes = nodes.collect();
        let error = run.error.as_ref().map(|error| (error.code.clone(), error.message.clone()));
        Told { nodes, status: run.status, node: run.node.clone(), vars: json!(run.vars), error }
    }

    /// Returns the comparable parts of the contact.
    fn remains(&self) -> Value {
        let contact = block_on(self.tidings.contacts.get(&self.access, &self.zoe)).unwrap();
        remains(&ContactView::from(&contact))
    }
}

fn remains(contact: &ContactView) -> Value {
    let mut told = serde_json::to_value(contact).unwrap();
    let tags: Vec<_> = contact.tags.iter().map(|tag| (tag.name.clone(), tag.applied_at)).collect();
    told["tags"] = json!(tags);
    told
}

#[derive(Debug, PartialEq)]
struct Node {
    node: String,
    kind: String,
    at: Timestamp,
    outcome: String,
    exit: Option<String>,
    resumed: bool,
    text: Option<String>,
}

#[derive(Debug, PartialEq)]
struct Told {
    nodes: Vec<Node>,
    status: RunStatus,
    node: Option<String>,
    vars: Value,
    error: Option<(String, String)>,
}

impl Simulation {
    fn narrated(&self, run: RunId) -> Told {
        let mut nodes = Vec::new();
        for moment in &self.trace {
            let Moment::Node(node) = moment else { continue };
            if node.run_id == run {
                nodes.push(Node {
                    node: node.node_id.clone(),
                    kind: node.node_type.clone(),
                    at: node.at,
                    outcome: node.outcome.clone(),
                    exit: node.exit.clone(),
                    resumed: node.resumed,
                    text: node.message.as_ref().and_then(|message| message.text.clone()),
                });
            }
        }
        let it = self.runs.iter().find(|it| it.id == run).unwrap();
        let error = it.error.as_ref().map(|error| (error.code.clone(), error.message.clone()));
        Told { nodes, status: it.status, node: it.node_id.clone(), vars: json!(it.vars), error }
    }
}

/// Adapts a definition: adds a split at the start, uses the workspace's sequence, and removes members. The workspace has no
/// members.
fn adapted(mut definition: Value, sequence: &str) -> Value {
    let last = definition["nodes"].as_array().map_or(0, |nodes| nodes.len().saturating_sub(2));
    let arms = json!([{"weight": 2, "next": "n0"}, {"weight": 1, "next": format!("n{last}")}]);
    if let Some(nodes) = definition["nodes"].as_array_mut() {
        for node in nodes.iter_mut().filter_map(Value::as_object_mut) {
            node.remove("user_id");
            if node.get("sequence").and_then(Value::as_str).is_some_and(|id| id.ends_with('1')) {
                node.insert("sequence".to_owned(), json!(sequence));
            }
        }
        nodes.insert(0, json!({"id": "split", "type": "split", "arms": arms}));
    }
    definition["start"] = json!("split");
    definition["triggers"].as_array_mut().unwrap().push(json!({"type": "custom_event", "name": "order.paid"}));
    definition
}

fn entries(script: Vec<Option<&'static str>>, more: &[u8]) -> Vec<Value> {
    let entries = script.into_iter().zip(more.iter().cycle()).map(|(said, more)| match (said, more % 5) {
        (Some(text), 0..=3) if !text.is_empty() => json!({"message": text}),
        (_, 0) => json!({"advance": "PT30M"}),
        (_, 1) => json!({"advance": "PT3H"}),
        (_, 2) => json!({"advance": "P1DT7M"}),
        (_, 3) => json!({"advance": "P45D"}),
        _ => json!({"event": "order.paid", "data": {"total": more}}),
    });
    entries.collect()
}

#[test]
fn simulations_match_real_runs() {
    let mut runner = TestRunner::deterministic();
    let strategy = (definitions(), scripts(), proptest::collection::vec(any::<u8>(), 12), 0_u8..3);
    let wanted = cases(STORIES);
    let (mut stories, mut nodes, mut texts, mut decisions) = (0, 0, 0, 0);
    for _ in 0..wanted * TRIED {
        let (definition, script, more, how) =
            strategy.new_tree(&mut runner).expect("the strategy yields a value").current();
        if !is_right(&definition) {
            continue;
        }
        let (real, twin) = (Place::new(), Place::new());
        let definition = adapted(definition, &real.sequence);
        let Some(flow) = real.publish(definition.clone()) else { continue };
        assert_eq!(twin.publish(definition.clone()), Some(flow));
        let mut entries = entries(script, &more);
        let by = if how == 0 { "trigger" } else { "api" };
        if by == "trigger" {
            entries.insert(0, json!({"event": "order.paid", "data": {"total": 7}}));
        }
        let Some(runs) = real.live(flow, by, &entries) else { continue };

        let script = json!({"start": by, "vars": {"y": 2}, "script": entries});
        let (contact, run) = (Some(twin.zoe.clone()), Some(runs[0].id));
        let request = SimulationRequest { contact, run, ..scripted(script.clone()) };
        let before = twin.store.events(twin.access.workspace()).len();
        let version = FlowVersionRef::Number(1);
        let rehearsal = block_on(twin.tidings.simulations.flow(&twin.access, flow, version, request)).unwrap();
        let simulated = rehearsal.play(&|| true).unwrap();
        let simulation = simulated.only();
        assert_eq!(twin.store.events(twin.access.workspace()).len(), before, "the simulation records no events");

        let story = || format!("{script}\n{definition:#}");
        assert_eq!(simulation.narrated(runs[0].id), real.narrated(&runs[0]), "{}", story());
        let others: Vec<RunId> = simulation.runs.iter().map(|run| run.id).filter(|run| *run != runs[0].id).collect();
        let count = others.len();
        let mut is_same = true;
        for (run, happened) in others.into_iter().zip(runs.iter().skip(1)) {
            // At the split, another run uses an exit by its own ID, so the results may differ from there on.
            let (told, happened) = (simulation.narrated(run), real.narrated(happened));
            is_same &= told.nodes.first().map(|node| &node.exit) == happened.nodes.first().map(|node| &node.exit);
            assert!(!is_same || told == happened, "{told:#?}\n{happened:#?}\n{}", story());
        }
        if !is_same {
            continue;
        }
        assert_eq!(count, runs.len() - 1, "{}", story());
        assert_eq!(remains(&simulation.contact), real.remains(), "{}", story());
        stories += 1;
        nodes += simulation.nodes().len();
        texts += simulation.texts().len();
        decisions += simulation.nodes().iter().filter(|node| node.decision.is_some()).count();
        if stories == wanted {
            break;
        }
    }
    assert_eq!(stories, wanted, "enough generated definitions are valid");
    println!("{stories} stories with {nodes} nodes, {texts} texts and {decisions} decisions");
}

//! Helpers for tests of simulations.

use std::sync::Arc;

use futures::executor::block_on;
use serde_json::{Value, json};

use crate::Tidings;
use crate::access::Access;
use crate::contacts::{ContactRef, NewContact};
use crate::error::Error;
use crate::fields::{FieldKind, NewCustomField, Rules};
use crate::flows::{InFlight, NewFlow};
use crate::ids::FlowId;
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::ExpectedVersion;
use crate::ports::Ports;
use crate::simulation::{Moment, NodeMoment, Script, Simulated, Simulation, SimulationRequest};
use crate::tags::NewTagCommand;
use crate::testing::with_workspace;

pub(super) struct Acme {
    pub(super) tidings: Tidings,
    pub(super) access: Access,
    pub(super) ada: ContactRef,
    pub(super) store: Arc<MemoryStore>,
}

/// Creates a workspace with the tag `vip`, the field `plan` and the contact Ada on the silver plan.
pub(super) fn acme() -> Acme {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let (tidings, access) = with_workspace(Ports { clock: clock.clone(), ..Ports::of(store.clone()) });
    block_on(async {
        let vip = NewTagCommand { name: "vip".into(), color: None, description: None };
        tidings.tags.create(&access, vip, None).await.unwrap();
        let plan = NewCustomField {
            key: Some("plan".to_owned()),
            name: "Plan".to_owned(),
            kind: FieldKind::Select,
            options: vec!["gold".to_owned(), "silver".to_owned()],
            rules: Rules::default(),
        };
        tidings.fields.create(&access, plan, None).await.unwrap();
        let ada = NewContact {
            first_name: Some("Ada".to_owned()),
            custom_fields: [("plan".to_owned(), json!("silver"))].into(),
            ..NewContact::default()
        };
        let ada = ContactRef::Id(tidings.contacts.create(&access, ada, None).await.unwrap().value.id);
        tidings.run_due(clock.at_rest()).await.unwrap();
        Acme { tidings, access, ada, store }
    })
}

impl Acme {
    pub(super) fn flow(&self, definition: Value) -> FlowId {
        let flow = NewFlow { name: "Flow".into(), definition };
        block_on(async {
            let flow = self.tidings.flows.create(&self.access, flow, None).await.unwrap().value.id;
            self.tidings.flows.publish(&self.access, flow, InFlight::Pin, &ExpectedVersion::Any, None).await.unwrap();
            flow
        })
    }

    /// Simulates an unsaved definition with Ada and a script.
    pub(super) fn tried(&self, definition: &Value, script: Value) -> Result<Simulated, Error> {
        let request = SimulationRequest { contact: Some(self.ada.clone()), ..scripted(script) };
        self.with(definition, request)
    }

    pub(super) fn with(&self, definition: &Value, request: SimulationRequest) -> Result<Simulated, Error> {
        block_on(self.tidings.simulations.definition(&self.access, definition, request))?.play(&|| true)
    }
}

pub(super) fn scripted(script: Value) -> SimulationRequest {
    let script = Script::parse(&script).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    SimulationRequest { script: Some(script), ..SimulationRequest::default() }
}

impl Simulated {
    pub(super) fn only(&self) -> &Simulation {
        assert_eq!(self.simulations.len(), 1);
        &self.simulations[0]
    }
}

impl Simulation {
    pub(super) fn nodes(&self) -> Vec<&NodeMoment> {
        let mut nodes = Vec::new();
        for moment in &self.trace {
            if let Moment::Node(node) = moment {
                nodes.push(&**node);
            }
        }
        nodes
    }

    /// Returns the nodes with their outcomes.
    pub(super) fn outcomes(&self) -> Vec<(&str, &str)> {
        self.nodes().into_iter().map(|node| (node.node_id.as_str(), node.outcome.as_str())).collect()
    }

    pub(super) fn texts(&self) -> Vec<&str> {
        fn text(moment: &Moment) -> Option<&str> {
            match moment {
                Moment::Node(node) => node.message.as_ref()?.text.as_deref(),
                Moment::Step(step) => step.message.as_ref()?.text.as_deref(),
                Moment::Entry(_) | Moment::Call(_) | Moment::End(_) => None,
            }
        }
        self.trace.iter().filter_map(text).collect()
    }
}

pub(super) fn wrong(error: Error) -> Vec<(String, &'static str)> {
    match error {
        Error::Invalid(wrong) => wrong.into_iter().map(|it| (it.pointer, it.code)).collect(),
        other => panic!("{other:?}"),
    }
}

//! Text in rows of flows, runs, events, deliveries and jobs.

use super::{Text, texts};
use crate::analytics::Fact;
use crate::events::Event;
use crate::flows::{AwaitedKind, Flow, FlowVersion, Run};
use crate::memory::JobRecord;
use crate::webhooks::{Attempt, Delivery, HeaderValue, OlderSecret, SealedHeaders, Webhook};

texts! {
    Flow {
        text: name, definition;
        shown: ;
        beside: id, status, version_published, has_unpublished_changes, bindings, stats, created_at, updated_at, version
    }
    FlowVersion { text: definition; shown: tags; beside: flow, number, bindings, created_at }
    Run {
        text: node, vars, event;
        shown: trace, wait, started_by, error;
        beside: id, flow, flow_version, contact, slot, status, channel, visit, nodes_visited, cause, caller, depth,
            started_at, ended_at, updated_at, version
    }
    Event { text: full, thin; shown: counts; beside: id, kind, at, contact, depth }
    Webhook {
        text: url, description, secret, secret_hint, older_secrets, disabled_reason, headers;
        shown: events;
        beside: id, payload, status, health, created_at, updated_at, version
    }
    OlderSecret { text: sealed; shown: ; beside: expires_at }
    Delivery {
        text: last_error;
        shown: ;
        beside: id, webhook, event, event_kind, status, attempts, round_start, next_attempt_at, last_status, created_at,
            updated_at, version
    }
    Attempt { text: body, error; shown: headers; beside: delivery, number, at, duration_ms, status }
    JobRecord {
        text: error;
        shown: ;
        beside: workspace, queued, claimed, token, claims, attempts, parked, held, dead
    }
    Fact { text: dimension; shown: ; beside: id, metric, amount, at }
}

impl Text for AwaitedKind {
    fn text(&self) -> usize {
        match self {
            Self::Custom(name) => name.text(),
            Self::Event(_) => 0,
        }
    }
}

impl Text for SealedHeaders {
    fn text(&self) -> usize {
        self.iter().map(|(name, value)| name.len() + value.text()).sum()
    }
}

impl Text for HeaderValue {
    fn text(&self) -> usize {
        match self {
            Self::Sealed { sealed, shown } => sealed.len() + shown.len(),
            Self::Plain(text) => text.len(),
        }
    }
}

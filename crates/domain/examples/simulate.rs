//! A flow simulated before its publication: two scripts in virtual time, and the nodes that neither visited. Run it
//! with `cargo run -p tidings-domain --example simulate`.

use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use futures::executor::block_on;
use serde_json::{Value, json};
use tidings_domain::commands::{Access, NewTagCommand, NewWorkspace, Plan, Script, SimulationRequest};
use tidings_domain::memory::MemoryStore;
use tidings_domain::simulation::Moment;
use tidings_domain::{Ports, Tidings};

/// Builds a flow that asks for a number, calls a shop, and waits one day.
fn order() -> Value {
    let say = |id: &str, text: &str, next: &str| json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": next});
    let ask = json!({"id": "ask", "type": "ask", "message": {"type": "text", "text": "How many, {{ contact.first_name }}?"},
        "expect": "number", "save_to": "vars.count", "timeout": "P1D", "next": "shop", "on_timeout": "end"});
    let shop = json!({"id": "shop", "type": "http_request", "method": "POST", "url": "https://shop.example.com/orders",
        "body": {"count": "{{ vars.count }}"}, "save": {"order": "body.id"}, "next": "thanks", "on_error": "sorry"});
    let rest = json!({"id": "rest", "type": "delay", "for": "P1D", "next": "tag"});
    let tag = json!({"id": "tag", "type": "add_tag", "tag": "buyer", "next": "end"});
    let (thanks, sorry) =
        (say("thanks", "Your order is {{ vars.order }}.", "rest"), say("sorry", "Later, please.", "end"));
    let triggers = json!([{"type": "keyword", "keywords": ["order"]}]);
    json!({"triggers": triggers, "start": "ask", "nodes": [ask, shop, thanks, sorry, rest, tag, {"id": "end", "type": "end"}]})
}

/// Simulates the flow and prints the trace.
pub fn play(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let tidings = Tidings::new(Ports::in_memory(Arc::new(MemoryStore::new())));
    let scripts = json!([
        {"name": "a buyer", "contact": {"first_name": "Ada"}, "start_at": "2026-03-02T09:00:00Z",
         "script": [{"message": "order"}, {"message": "two"}, {"message": "2"}, {"advance": "P2D"}],
         "http": [{"node_id": "shop", "status": 201, "body": {"id": "A-7"}}],
         "expect": {"nodes": ["ask", "shop", "tag"], "texts": ["Your order is A-7."], "tags": ["buyer"]}},
        {"name": "a silent one", "start_at": "2026-03-02T09:00:00Z", "expect": {"tags": ["buyer"]}}]);
    let parsed = scripts.as_array().into_iter().flatten().map(Script::parse);
    let scripts = parsed.collect::<Result<Vec<_>, _>>().map_err(|wrong| format!("{wrong:?}"))?;
    let rehearsal = block_on(async {
        let acme = NewWorkspace::new("Acme", Plan::Pro);
        let access = Access::system(tidings.access.create_workspace(acme).await?.id);
        tidings.tags.create(&access, NewTagCommand::new("buyer"), None).await?;
        let request = SimulationRequest { scripts: Some(scripts), ..SimulationRequest::default() };
        tidings.simulations.definition(&access, &order(), request).await
    })?;
    // From here on, nothing needs the store: this may run on a separate thread, with a time limit.
    let simulated = rehearsal.play(&|| true)?;
    for simulation in &simulated.simulations {
        writeln!(out, "{}: {}", simulation.name.as_deref().unwrap_or_default(), simulation.end.message)?;
        for moment in &simulation.trace {
            if let Moment::Node(node) = moment {
                let text = node.message.as_ref().and_then(|message| message.text.as_deref()).unwrap_or_default();
                writeln!(out, "  {} {} {} {text}", node.at, node.node_id, node.outcome)?;
            }
        }
        for failed in &simulation.failed_expectations {
            writeln!(out, "  not as expected: {}", failed.message)?;
        }
    }
    writeln!(out, "never visited: {}", simulated.not_visited.nodes.join(", "))?;
    Ok(())
}

#[allow(dead_code, reason = "the test plays it itself")]
fn main() -> Result<(), Box<dyn Error>> {
    play(&mut std::io::stdout())
}

//! Waits that cannot end.

use serde_json::json;

use super::analyse;
use super::workspace_tests::{acme, at, flow, found};

#[test]
fn waits_end_while_the_run_lives() {
    let delay = |id: &str, time: &str, next: &str| json!({"id": id, "type": "delay", "for": time, "next": next});
    let wait = |id: &str, time: &str, next: &str, later: &str| json!({"id": id, "type": "wait_for_event", "custom_event": "order.paid", "timeout": time, "next": next, "on_timeout": later});
    assert_eq!(found(flow(vec![delay("a", "P29D", "end")])), []);
    assert_eq!(found(flow(vec![delay("a", "P30D", "end")])), [at("/nodes/0/for", "wait_never_ends")]);
    // The second is told, and not what stands behind it.
    let three = vec![delay("a", "P20D", "b"), delay("b", "P10D", "c"), delay("c", "P1D", "end")];
    assert_eq!(found(flow(three)), [at("/nodes/1/for", "wait_never_ends")]);
    // By the shorter way it ends.
    let ways = vec![wait("a", "P25D", "b", "b"), delay("b", "P10D", "end")];
    assert_eq!(found(flow(ways)), []);
    let late = vec![wait("a", "P25D", "end", "b"), delay("b", "P10D", "end")];
    assert_eq!(found(flow(late)), [at("/nodes/1/for", "wait_never_ends")]);
    let mut longer = flow(vec![delay("a", "P40D", "end")]);
    longer["settings"] = json!({"expires_after": "P60D"});
    assert_eq!(found(longer), []);
    assert_eq!(found(flow(vec![wait("a", "P30D", "end", "end")])), [at("/nodes/0/timeout", "timeout_never_comes")]);
    let ask = json!({"id": "a", "type": "ask", "message": {"type": "text", "text": "Hi?"}, "next": "end", "on_timeout": "end"});
    assert_eq!(found(flow(vec![ask.clone()])), [at("/nodes/0/on_timeout", "timeout_never_comes")]);
    let mut bounded = ask;
    bounded["timeout"] = json!("P1D");
    assert_eq!(found(flow(vec![bounded])), []);
    let findings = analyse(&flow(vec![delay("a", "P90D", "end")]), &acme()).findings;
    let message = "never ends: a run lives 30 days, and this wait is over after 90 days at the soonest";
    assert_eq!(findings[0].message, message);
}

//! Tests of waits that cannot end.

use serde_json::json;

use super::workspace_tests::{acme, at, flow, found};
use super::{Severity, analyse};

#[test]
fn reports_waits_that_outlast_the_run() {
    let delay = |id: &str, time: &str, next: &str| json!({"id": id, "type": "delay", "for": time, "next": next});
    let wait = |id: &str, time: &str, next: &str, later: &str| json!({"id": id, "type": "wait_for_event", "custom_event": "order.paid", "timeout": time, "next": next, "on_timeout": later});
    assert_eq!(found(flow(vec![delay("a", "P29D", "end")])), []);
    assert_eq!(found(flow(vec![delay("a", "P30D", "end")])), [at("/nodes/0/for", "wait_never_ends")]);
    // The second wait is reported, not the one after it.
    let three = vec![delay("a", "P20D", "b"), delay("b", "P10D", "c"), delay("c", "P1D", "end")];
    assert_eq!(found(flow(three)), [at("/nodes/1/for", "wait_never_ends")]);
    // On the shorter path it ends in time.
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
    let findings = analyse(&flow(vec![delay("a", "PT2160H", "end")]), &acme()).findings;
    let message = "this wait never ends: a run lasts at most 30 days, but the wait ends after 90 days at the earliest";
    assert_eq!(findings[0].message, message);
}

/// When clocks are set forward, `P1D` ends after 23 hours.
#[test]
fn counts_days_of_a_delay_by_the_calendar() {
    let life = |expires: &str, time: &str| {
        let mut flow = flow(vec![json!({"id": "a", "type": "delay", "for": time, "next": "end"})]);
        flow["settings"] = json!({"expires_after": expires});
        let findings = analyse(&flow, &acme()).findings;
        findings.first().map(|it| (it.code, it.severity, it.message.clone()))
    };
    let told = |severity, message: &str| Some(("wait_never_ends", severity, message.to_owned()));
    let message = "this wait ends only if summer time begins during it: a run lasts at most 1410 minutes, but the wait \
                   usually ends after 1 day";
    assert_eq!(life("PT23H30M", "P1D"), told(Severity::Warning, message));
    let message =
        "this wait never ends: a run lasts at most 1410 minutes, but the wait ends after 1 day at the earliest";
    assert_eq!(life("PT23H30M", "PT24H"), told(Severity::Error, message));
    let message =
        "this wait never ends: a run lasts at most 20 hours, but the wait ends after 22 hours at the earliest";
    assert_eq!(life("PT20H", "P1D"), told(Severity::Error, message));
    assert_eq!(life("PT25H", "P1D"), None);
}

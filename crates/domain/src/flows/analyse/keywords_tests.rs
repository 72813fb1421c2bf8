//! Tests of keywords that start another flow.

use serde_json::{Value, json};
use uuid::Uuid;

use super::workspace_tests::{acme, flow, say};
use super::*;
use crate::flows::{CompetingTrigger, Trigger};
use crate::ids::{ChannelId, TypedId};

fn channel(number: u128) -> String {
    ChannelId::from_uuid(Uuid::from_u128(number)).to_string()
}

fn keyword(how: &str, keywords: &[&str], channels: &[u128]) -> Value {
    let channels: Vec<String> = channels.iter().map(|number| channel(*number)).collect();
    json!({"type": "keyword", "match": how, "keywords": keywords, "channel_ids": channels})
}

/// Returns the findings for a draft with these triggers if an older flow, `Welcome`, has the trigger `other`.
fn told(other: &Value, triggers: &[Value]) -> Vec<Finding> {
    let trigger = Trigger::parse(other).expect("the trigger is valid");
    let known = KnownObjects {
        channels: [1, 2].map(|number| ChannelId::from_uuid(Uuid::from_u128(number))).into(),
        rivals: vec![CompetingTrigger { name: "Welcome".to_owned(), trigger }],
        ..acme()
    };
    let mut draft = flow(vec![say("a", "Hi", "end")]);
    draft["triggers"] = json!(triggers);
    analyse(&draft, &known).findings
}

/// Returns the pointers of these findings.
fn places(other: &Value, triggers: &[Value]) -> Vec<String> {
    told(other, triggers).into_iter().map(|finding| finding.pointer).collect()
}

#[test]
fn reports_a_keyword_taken_by_an_older_flow() {
    let triggers = [json!({"type": "event", "event": "contact.created"}), keyword("exact", &["stop", "Hi "], &[])];
    let findings = told(&keyword("exact", &["hello", "hi"], &[]), &triggers);
    assert_eq!(findings.len(), 1, "{findings:?}");
    let finding = &findings[0];
    assert_eq!((finding.severity, finding.code), (Severity::Warning, "keyword_taken"));
    assert_eq!(finding.pointer, "/triggers/1/keywords/1");
    assert_eq!(finding.message, "\"hi\" already starts the flow Welcome, which is active and older");
    assert!(finding.hint.as_ref().is_some_and(|hint| hint.contains("only the oldest one starts")), "{finding:?}");
}

#[test]
fn reports_a_keyword_only_if_both_flows_match_it_alike() {
    let hi = |how| keyword(how, &["hi"], &[]);
    let first = ["/triggers/0/keywords/0"];
    for how in ["exact", "starts_with", "contains"] {
        assert_eq!(places(&hi(how), &[hi(how)]), first, "{how}");
    }
    // An exact match takes precedence; a broader trigger still receives the other messages.
    for (other, own) in [("contains", "exact"), ("exact", "contains"), ("starts_with", "contains")] {
        assert!(places(&hi(other), &[hi(own)]).is_empty(), "{other}, {own}");
    }
    assert!(places(&keyword("exact", &["hello"], &[]), &[hi("exact")]).is_empty());
}

#[test]
fn reports_a_keyword_only_if_taken_on_all_channels() {
    let hi = |channels: &[u128]| keyword("exact", &["hi"], channels);
    let first = ["/triggers/0/keywords/0"];
    assert_eq!(places(&hi(&[]), &[hi(&[1])]), first);
    assert_eq!(places(&hi(&[1, 2]), &[hi(&[2])]), first);
    assert!(places(&hi(&[1]), &[hi(&[1, 2])]).is_empty(), "the keyword is free on the second channel");
    assert!(places(&hi(&[1]), &[hi(&[])]).is_empty(), "the keyword is free on all other channels");
}

#[test]
fn reports_a_referral_taken_by_an_older_flow() {
    let link = |how: &str, reference: &str| json!({"type": "referral", "match": how, "ref": reference});
    let findings = told(&link("exact", "spring"), &[keyword("exact", &["spring"], &[]), link("exact", "spring")]);
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!((finding.severity, finding.code), (Severity::Warning, "referral_taken"));
    assert_eq!(finding.pointer, "/triggers/1/ref");
    assert!(finding.hint.as_ref().is_some_and(|hint| hint.contains("the referral")), "{finding:?}");
    for other in [link("starts_with", "spring"), link("exact", "Spring"), keyword("exact", &["spring"], &[])] {
        assert!(places(&other, &[link("exact", "spring")]).is_empty(), "{other}");
    }
}

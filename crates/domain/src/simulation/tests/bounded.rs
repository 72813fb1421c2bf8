//! Tests of limits and invalid requests.

use serde_json::{Map, Value, json};

use super::setup::{acme, scripted, wrong};
use crate::contacts::{Attribute, ContactRef};
use crate::ids::{ContactId, TypedId};
use crate::simulation::{EndReason, Script, SimulationRequest};

fn refused(script: Value) -> Vec<(String, &'static str)> {
    let wrong = Script::parse(&script).expect_err("the script is invalid");
    wrong.into_iter().map(|it| (it.pointer, it.code)).collect()
}

fn at(pointer: &str, code: &'static str) -> Vec<(String, &'static str)> {
    vec![(pointer.to_owned(), code)]
}

#[test]
fn reports_invalid_script_entries_with_their_pointers() {
    let entry = |entry: Value| refused(json!({"script": [{"message": "hi"}, entry]}));
    assert_eq!(entry(json!({})), at("/script/1", "required"));
    assert_eq!(entry(json!({"message": "hi", "advance": "P1D"})), at("/script/1", "not_allowed"));
    assert_eq!(entry(json!({"advance": "P36500D"})), at("/script/1/advance", "invalid_format"));
    assert_eq!(entry(json!({"advance": "-P1D"})), at("/script/1/advance", "invalid_format"));
    assert_eq!(entry(json!({"event": "contact.created"})), at("/script/1/event", "not_allowed"));
    assert_eq!(entry(json!({"message": "hi", "data": {}})), at("/script/1/data", "not_allowed"));
    assert_eq!(
        entry(json!({"advance": "P1D", "channel_id": "chan_01h455vb4pex5vsknk084sn02q"})),
        at("/script/1/channel_id", "not_allowed")
    );
    assert_eq!(entry(json!({"say": "hi"})), at("/script/1/say", "unknown_field"));
    assert_eq!(entry(json!(7)), at("/script/1", "wrong_type"));
    assert_eq!(refused(json!({"script": vec![json!({"message": "hi"}); 10_000]})), at("/script", "too_many"));
    assert_eq!(refused(json!({"http": [{"failure": "timeout", "status": 200}]})), at("/http/0/failure", "not_allowed"));
    assert_eq!(refused(json!({"http": [{"status": 99}]})), at("/http/0/status", "out_of_range"));
}

#[test]
fn a_made_up_contact_has_and_validates_every_attribute() {
    let acme = acme();
    let known: Map<String, Value> =
        Attribute::ALL.iter().map(|it| (it.as_str().to_owned(), it.example().into())).collect();
    let names: Vec<_> = Attribute::WORDS.iter().map(|name| format!("{{{{ contact.{name} }}}}")).collect();
    let told = json!({"start": "say", "nodes": [
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": names.join("|")}, "next": "end"},
        {"id": "end", "type": "end"}]});
    let simulated = acme.with(&told, scripted(json!({ "contact": known }))).unwrap();
    let examples: Vec<_> = Attribute::ALL.iter().map(|it| it.example()).collect();
    assert_eq!(simulated.only().texts(), [examples.join("|")]);

    let made_up = |contact: Value| refused(json!({ "contact": contact }));
    assert_eq!(made_up(json!({"avatar_url": "http://a.io/a.png"})), at("/contact/avatar_url", "invalid_format"));
    assert_eq!(made_up(json!({"avatar_url": null})), at("/contact/avatar_url", "null_not_allowed"));
    assert_eq!(made_up(json!({"last_name": "x".repeat(101)})), at("/contact/last_name", "too_long"));
    assert_eq!(made_up(json!({"avatar": "https://a.io/a.png"})), at("/contact/avatar", "unknown_field"));
}

#[test]
fn stops_an_endless_simulation_and_reports_the_reason() {
    let acme = acme();
    let endless = json!({"start": "wait", "settings": {"expires_after": "P3650D"}, "nodes": [
        {"id": "wait", "type": "delay", "for": "PT1S", "next": "say"},
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": "tick"}, "next": "wait"}]});
    let simulated = acme.tried(&endless, json!({})).unwrap();
    let error = simulated.only().runs[0].error.as_ref().unwrap();
    assert_eq!((error.code.as_str(), simulated.only().end.reason), ("loop_guard", EndReason::NothingMore));

    let mut asked = 0_u32;
    let asked = std::sync::atomic::AtomicU32::new(std::mem::take(&mut asked));
    let soon_over = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 20;
    let rehearsal = acme.tidings.simulations.definition(&acme.access, &endless, scripted(json!({})));
    let simulated = futures::executor::block_on(rehearsal).unwrap().play(&soon_over).unwrap();
    assert_eq!(simulated.only().end.reason, EndReason::DurationLimit);

    let long = json!({"script": vec![json!({"advance": "P3000D"}); 3]});
    let waits = json!({"start": "ask", "settings": {"expires_after": "P3650D"}, "nodes": [
        {"id": "ask", "type": "ask", "message": {"type": "text", "text": "?"}, "next": "end"}, {"id": "end", "type": "end"}]});
    let simulated = acme.tried(&waits, long).unwrap();
    assert_eq!(simulated.only().end.reason, EndReason::TimeLimit);
}

#[test]
fn reports_unknown_contacts_channels_and_nodes() {
    let acme = acme();
    let plain = json!({"start": "end", "nodes": [{"id": "end", "type": "end"}]});
    let nobody = ContactRef::Id(ContactId::from_uuid(uuid::Uuid::from_u128(99)));
    let request = SimulationRequest { contact: Some(nobody), ..scripted(json!({})) };
    assert_eq!(wrong(acme.with(&plain, request).unwrap_err()), at("/contact_id", "unknown_contact"));
    let made_up = scripted(json!({"contact": {"custom_fields": {"plan": "brass"}}}));
    assert_eq!(wrong(acme.with(&plain, made_up).unwrap_err()), at("/contact/custom_fields/plan", "invalid_value"));
    let elsewhere = scripted(json!({"script": [{"message": "hi", "channel_id": "chan_01h455vb4pex5vsknk084sn02q"}]}));
    assert_eq!(wrong(acme.with(&plain, elsewhere).unwrap_err()), at("/script/0/channel_id", "unknown_channel"));
    let nowhere = json!({"start": "end", "nodes": [{"id": "end", "type": "send_message", "message": {"type": "text", "text": "x"}, "next": "x"}]});
    assert_eq!(
        wrong(acme.with(&nowhere, scripted(json!({}))).unwrap_err()),
        at("/definition/nodes/0/next", "unknown_node")
    );
    let many = SimulationRequest { scripts: Some(vec![Script::default(); 21]), ..SimulationRequest::default() };
    assert_eq!(wrong(acme.with(&plain, many).unwrap_err()), at("/scripts", "too_many"));
    let kept =
        json!({"start": "end", "nodes": [{"id": "end", "type": "end"}], "scripts": [{"script": [{"advance": "P1Y"}]}]});
    assert_eq!(
        wrong(acme.with(&kept, SimulationRequest::default()).unwrap_err()),
        at("/definition/scripts/0/script/0/advance", "invalid_format")
    );
}

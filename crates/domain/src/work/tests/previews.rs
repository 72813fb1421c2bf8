//! Tests of previews of a text for a contact.

use super::*;
use crate::flows::{RenderTemplate, RenderedTemplate};
use crate::ports::Row;
use crate::testing::a_contact;

fn rendered(bench: &Bench, template: &str, contact: Option<&str>) -> Result<String, (String, &'static str)> {
    shown(bench, template, contact).map(|shown| shown.text)
}

fn shown(bench: &Bench, template: &str, contact: Option<&str>) -> Result<RenderedTemplate, (String, &'static str)> {
    let vars = json!({"n": 1234.5}).as_object().cloned().unwrap();
    let contact = contact.map(|contact| ContactRef::parse(contact).unwrap());
    let request =
        RenderTemplate { template: template.to_owned(), contact, vars, event: Some(json!({"type": "order.paid"})) };
    block_on(bench.tidings.templates.render(&bench.access, &request)).map_err(|error| match error {
        crate::Error::Invalid(wrong) => (wrong[0].pointer.clone(), wrong[0].code),
        other => panic!("{other}"),
    })
}

#[test]
fn previews_a_text_without_side_effects() {
    let bench = bench();
    bench.started();
    let mut contact = a_contact().named("Zoë").build();
    contact.external_id = "zoe".parse().ok();
    contact.time_zone = "Asia/Tokyo".parse().ok();
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Insert(Row::Contact(Box::new(contact))));
    block_on(bench.store.commit(set)).unwrap();
    let told = bench.event_kinds();

    let text = "{{ contact.first_name|default('You') }}, {{ vars.n|number(2, ',', '.') }} {{ event.type }} {{ now|date('%d %H') }}";
    assert_eq!(rendered(&bench, text, Some("external_id:zoe")).as_deref(), Ok("Zoë, 1.234,50 order.paid 01 09"));
    assert_eq!(rendered(&bench, text, None).as_deref(), Ok("You, 1.234,50 order.paid 01 00"));
    assert_eq!(rendered(&bench, "{{ contact.id[:8] }} {{ conversation.id }}.", None).as_deref(), Ok("contact_ ."));
    for (text, contact, pointer, code) in [
        ("{{ vars.n", None, "/template", "template_error"),
        ("{{ vars.n|upcase }}", None, "/template", "template_error"),
        ("{{ vars.n|date }}", None, "/template", "template_error"),
        ("{{ vars.nothing }}", None, "/template", "template_error"),
        ("Hi", Some("external_id:nobody"), "/contact_id", "unknown_contact"),
    ] {
        assert_eq!(rendered(&bench, text, contact), Err((pointer.to_owned(), code)), "{text}");
    }
    assert_eq!(bench.event_kinds(), told);
}

#[test]
fn a_preview_uses_the_conversation_of_the_contact() {
    let bench = bench();
    let run = bench.started();
    let contact = block_on(bench.tidings.flows.run(&bench.access, run)).unwrap().contact.to_string();
    assert_eq!(rendered(&bench, "{{ conversation.contact_id }}", Some(&contact)).as_deref(), Ok(contact.as_str()));
}

#[test]
fn a_preview_lists_unknown_names() {
    let bench = bench();
    let text =
        "Hi {{ contact.frist_name }}{{ custom_fields.paln }}{{ vars.any }}{{ event.any }}{{ contact.last_name }}!";
    let RenderedTemplate { text, unknown_names } = shown(&bench, text, None).unwrap();
    assert_eq!(
        (text.as_str(), unknown_names),
        ("Hi !", ["contact.frist_name", "custom_fields.paln"].map(Into::into).to_vec())
    );
}

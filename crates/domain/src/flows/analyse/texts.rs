//! Checks of texts that can never be sent. Constant texts are rendered here.

use serde_json::Map;

use super::Finding;
use super::finding::Findings;
use crate::channels::Capabilities;
use crate::flows::definition::{Action, Reading};
use crate::flows::{KnownObjects, Template, Words};

const MOST_RENDERED: usize = 50;

pub(super) fn check(reading: &Reading, known: &KnownObjects, findings: &mut Findings) {
    let mut left = MOST_RENDERED;
    let mut nodes: Vec<_> = reading.nodes.values().collect();
    nodes.sort_unstable_by_key(|node| node.index);
    let mut first_to_send = None;
    for node in nodes {
        let at = |field: &str| format!("/nodes/{}/{field}", node.index);
        if let Action::Note(note) = &node.action {
            let wrong = why_not_rendered(&note.text, &mut left);
            findings.extend(wrong.map(|why| never_sent(at("text"), &why)));
        }
        for (field, words) in messages(&node.action) {
            first_to_send.get_or_insert_with(|| at(field));
            of_message(&at(field), words, known.carriers.as_deref(), &mut left, findings);
        }
    }
    if let (Some(pointer), Some([])) = (first_to_send, known.carriers.as_deref()) {
        let message = "the workspace has no channel to send on, so runs fail here";
        findings.push(Finding::warning(pointer, "no_channel", message).hint("create a channel before the flow starts"));
    }
}

/// Returns the messages of a node, by field.
fn messages(action: &Action) -> Vec<(&'static str, &Words)> {
    if let Action::SendMessage(send) = action {
        return vec![("message", &send.message)];
    }
    let Action::Ask(ask) = action else { return Vec::new() };
    let again = ask.invalid_message.as_ref().map(|words| ("invalid_message", words));
    [("message", &ask.message)].into_iter().chain(again).collect()
}

fn never_sent(pointer: String, why: &str) -> Finding {
    let finding = Finding::error(pointer, "text_never_sent", format!("this text is never sent: {why}"));
    finding.hint("use a text of 1 to 4096 characters that a channel of the workspace supports")
}

fn of_message(at: &str, words: &Words, carriers: Option<&[Capabilities]>, left: &mut usize, findings: &mut Findings) {
    let templates = words.templates();
    let constant = templates.iter().all(|(_, template)| is_constant(template));
    let mut wrong = false;
    for (place, template) in &templates {
        let why = why_not_rendered(template, left);
        wrong |= why.is_some();
        findings.extend(why.map(|why| never_sent(format!("{at}{place}"), &why)));
    }
    // Valid parts may still exceed the limits of the whole message.
    if constant && !wrong && templates.iter().any(|(_, template)| Template::stands_in(template.source())) {
        let rendered = if spend(left) { words.render(&Map::new()).err() } else { None };
        findings.extend(rendered.map(|why| never_sent(at.to_owned(), &why.to_string())));
    }
    let most = carriers.and_then(|channels| channels.iter().map(|it| it.quick_replies).max());
    if let Some(most) = most.filter(|most| words.offers() > *most) {
        let why =
            format!("no channel of the workspace supports {} quick replies; the maximum is {most}", words.offers());
        findings.push(never_sent(format!("{at}/quick_replies"), &why));
    }
}

/// Returns the error of a constant text; `None` if it renders or is not checked.
fn why_not_rendered(template: &Template, left: &mut usize) -> Option<String> {
    if !is_constant(template) || (Template::stands_in(template.source()) && !spend(left)) {
        return None;
    }
    template.render(&Map::new()).err().map(|error| error.to_string())
}

fn spend(left: &mut usize) -> bool {
    let enough = *left > 0;
    *left = left.saturating_sub(1);
    enough
}

/// Whether the template always renders the same text, with little work.
fn is_constant(template: &Template) -> bool {
    let source = template.source();
    let works = source.contains("{%") || source.contains("range") || Template::asks_zone(source);
    template.render_error().is_none() && !works && template.names().is_empty()
}

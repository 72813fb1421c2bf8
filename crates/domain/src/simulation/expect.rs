//! Checks the expectations of a script.

use super::moments::{Moment, SaidMessage};
use super::script::Expectation;
use super::subject::SimulationSubject;
use super::view::FailedExpectation;
use crate::contacts::Contact;
use crate::read::{MOST_PARAM, Params};
use crate::text::{cut, fold};

/// Maximum size in bytes of the actual values in a message.
const MOST_FOUND: usize = 256;

impl Expectation {
    /// Returns the expectations that were not met, with pointers into the script.
    pub(super) fn failures(
        &self,
        tried: &SimulationSubject,
        moments: &[Moment],
        contact: &Contact,
    ) -> Vec<FailedExpectation> {
        let visited: Vec<&str> = moments.iter().filter_map(|moment| place_of(moment, tried)).collect();
        let mut failures = Vec::new();
        let mut missing = |what: &str, place: usize, failure: Failure<'_>, message: String| {
            let Failure { code, expected, found } = failure;
            let mut params = Params::from([("expected", cut(expected.to_owned(), MOST_PARAM))]);
            if !found.is_empty() {
                params.insert("found", cut(found.join(", "), MOST_FOUND));
            }
            failures.push(FailedExpectation { pointer: format!("/expect/{what}/{place}"), code, message, params });
        };
        if let Some(place) = first_missing(&self.nodes, &visited, |expected, found| expected == *found) {
            let node = self.nodes.get(place).map(String::as_str).unwrap_or_default();
            let found = list_words(&visited, "nothing");
            let (code, behind) = match visited.contains(&node) {
                true => ("node_out_of_order", " in this order"),
                false => ("node_not_visited", ""),
            };
            let failure = Failure { code, expected: node, found: &visited };
            missing("nodes", place, failure, format!("{node} was not visited{behind}; visited nodes: {found}"));
        }
        let said: Vec<&str> = moments.iter().filter_map(text_of).collect();
        if let Some(place) = first_missing(&self.texts, &said, |expected, found| found.contains(expected)) {
            let text = self.texts.get(place).map(String::as_str).unwrap_or_default();
            let found = list_words(&said, "nothing");
            missing(
                "texts",
                place,
                Failure { code: "text_not_sent", expected: text, found: &said },
                format!("no further message contains {}; sent messages: {found}", cut(text.to_owned(), 100)),
            );
        }
        let tags: Vec<String> = contact.tags.iter().map(|tag| fold(&tag.name)).collect();
        for (place, tag) in self.tags.iter().enumerate().filter(|(_, tag)| !tags.contains(&fold(tag))) {
            let names: Vec<&str> = contact.tags.iter().map(|tag| tag.name.as_str()).collect();
            missing(
                "tags",
                place,
                Failure { code: "tag_missing", expected: tag, found: &names },
                format!("the contact does not have the tag {tag}; its tags: {}", list_words(&names, "none")),
            );
        }
        failures
    }
}

/// An expectation that was not met, for clients.
struct Failure<'a> {
    code: &'static str,
    expected: &'a str,
    found: &'a [&'a str],
}

/// Returns the visited node or step of the simulated flow or sequence.
fn place_of<'m>(moment: &'m Moment, tried: &SimulationSubject) -> Option<&'m str> {
    match (moment, tried) {
        (Moment::Node(node), SimulationSubject::Flow { flow, .. }) => {
            Some(node.node_id.as_str()).filter(|_| node.flow_id == *flow && !node.resumed)
        }
        (Moment::Step(step), SimulationSubject::Sequence(sequence)) => {
            step.step_id.as_deref().filter(|_| step.sequence_id == sequence.id)
        }
        (
            Moment::Entry(_) | Moment::Node(_) | Moment::Step(_) | Moment::Call(_) | Moment::End(_),
            SimulationSubject::Flow { .. } | SimulationSubject::Sequence(_),
        ) => None,
    }
}

/// Returns the text of a sent message.
fn text_of(moment: &Moment) -> Option<&str> {
    let message: Option<&SaidMessage> = match moment {
        Moment::Node(node) => node.message.as_ref(),
        Moment::Step(step) => step.message.as_ref(),
        Moment::Entry(_) | Moment::Call(_) | Moment::End(_) => None,
    };
    message.filter(|message| message.sent)?.text.as_deref()
}

/// Returns the index of the first item of `expected` that `found` does not contain in this order.
fn first_missing(expected: &[String], found: &[&str], fits: impl Fn(&str, &&str) -> bool) -> Option<usize> {
    let mut found = found.iter();
    expected.iter().position(|expected| !found.any(|found| fits(expected, found)))
}

fn list_words(found: &[&str], nothing: &str) -> String {
    if found.is_empty() { nothing.to_owned() } else { cut(found.join(", "), MOST_FOUND) }
}

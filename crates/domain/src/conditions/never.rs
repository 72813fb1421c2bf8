//! Conditions that no contact can match, because no value of a field satisfies all its comparisons.
//!
//! A condition is split into the alternatives that satisfy it. Each alternative is a list of comparisons. It is
//! impossible if no value of some field satisfies the comparisons of this field; this is found by trying representative
//! values. Each field is checked separately. Dependencies between fields are ignored.

use std::collections::BTreeMap;

use super::clock::Clock;
use super::kind::Kind;
use super::model::{Condition, Leaf, Node, Subject, Test};
use super::operand::Operand;
use super::samples;
use super::vocabulary::Vocabulary;
use crate::fields::FieldKind;
use crate::ids::{TagId, TypedId};
use crate::text::fold;
use crate::time::Timestamp;

/// Maximum number of comparisons for all conditions that share one [`SearchBudget`].
const MOST_WORK: usize = 200_000;
/// The test for a field that always has a value.
static PRESENT: Test = Test::Present;
/// Maximum number of values in a message.
const MAX_NAMED: usize = 5;

/// The remaining work. It is limited because clients determine the number of alternatives.
#[derive(Debug)]
pub(crate) struct SearchBudget {
    left: usize,
}

impl Default for SearchBudget {
    fn default() -> Self {
        Self { left: MOST_WORK }
    }
}

impl SearchBudget {
    /// Spends this amount. Returns whether enough was left.
    fn spend(&mut self, work: usize) -> bool {
        let left = self.left.checked_sub(work);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

/// The context of an analysis.
#[derive(Clone, Copy)]
pub(crate) struct Judging<'a> {
    /// The vocabulary of the conditions.
    pub vocabulary: &'a Vocabulary,
    /// Whether the value under `event` at a path is a single value and not a list.
    pub is_single: &'a dyn Fn(&[String]) -> bool,
    /// Whether only `event` is known. All other fields may then have any values, even contradictory ones.
    pub only_event: bool,
}

/// The result of an analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Satisfiability {
    /// The condition can match, or the analysis was too expensive.
    Possible,
    /// The condition never matches. The text names the comparisons that exclude each other.
    Never(String),
}

impl Judging<'_> {
    /// Analyses whether the condition can match while none of the others does.
    pub(crate) fn judge(
        self,
        condition: &Condition,
        others: &[&Condition],
        effort: &mut SearchBudget,
    ) -> Satisfiability {
        let goals = others.iter().map(|other| (&other.root, false)).chain([(&condition.root, true)]).collect();
        let mut search = Search { judging: self, effort, conflict: None };
        if search.may_hold(goals, Vec::new()) {
            return Satisfiability::Possible;
        }
        Satisfiability::Never(search.conflict.unwrap_or_else(|| "it contains an empty list of alternatives".to_owned()))
    }
}

/// A comparison that some value must pass, or none.
#[derive(Clone, Copy)]
struct Literal<'c> {
    leaf: &'c Leaf,
    passes: bool,
}

struct Search<'a> {
    judging: Judging<'a>,
    effort: &'a mut SearchBudget,
    /// Why the first alternative is impossible.
    conflict: Option<String>,
}

impl Search<'_> {
    /// Whether an alternative exists in which each node has the wanted result.
    fn may_hold<'c>(&mut self, mut goals: Vec<(&'c Node, bool)>, mut literals: Vec<Literal<'c>>) -> bool {
        let mut choices: Vec<(&Node, bool)> = Vec::new();
        while let Some((node, wanted)) = goals.pop() {
            match (node, wanted) {
                (Node::Not(inner), wanted) => goals.push((&**inner, !wanted)),
                (Node::All(nodes), true) | (Node::Any(nodes), false) => {
                    goals.extend(nodes.iter().map(|node| (node, wanted)));
                }
                (Node::All(_), false) | (Node::Any(_), true) => choices.push((node, wanted)),
                (Node::Leaf(leaf), wanted) => literals.push(Literal { leaf, passes: wanted != leaf.negated }),
            }
        }
        if !self.effort.spend(literals.len() + choices.len() + 1) {
            return true;
        }
        if let Some((field, group)) = self.excluded(&literals) {
            if self.conflict.is_none() {
                self.conflict = Some(self.explain_contradiction(&field, group));
            }
            return false;
        }
        let Some((choice, wanted)) = choices.pop() else { return true };
        let (Node::All(nodes) | Node::Any(nodes)) = choice else { return true };
        nodes.iter().any(|node| {
            let goals = choices.iter().copied().chain([(node, wanted)]).collect();
            self.may_hold(goals, literals.clone())
        })
    }

    /// Returns comparisons of one field that exclude each other.
    fn excluded<'c>(&mut self, literals: &[Literal<'c>]) -> Option<(String, Vec<Literal<'c>>)> {
        let mut by_field: BTreeMap<String, Vec<Literal<'c>>> = BTreeMap::new();
        for literal in literals {
            by_field.entry(literal.leaf.subject.name()).or_default().push(*literal);
        }
        by_field.into_iter().find(|(_, group)| !self.is_possible(group))
    }

    /// Describes comparisons that exclude each other, reduced to those that are needed for the contradiction.
    fn explain_contradiction(&mut self, field: &str, mut core: Vec<Literal<'_>>) -> String {
        let mut place = 0;
        while place < core.len() {
            let mut fewer = core.clone();
            fewer.remove(place);
            if fewer.is_empty() || self.is_possible(&fewer) {
                place += 1;
            } else {
                core = fewer;
            }
        }
        let asked: Vec<String> = core.iter().map(|literal| self.words(*literal)).collect();
        format!("no value of {field} {}", asked.join(" and "))
    }

    /// Whether a field can have values that satisfy the whole group.
    fn is_possible(&mut self, group: &[Literal<'_>]) -> bool {
        let Some(subject) = group.first().map(|literal| &literal.leaf.subject) else { return true };
        let tests = |passes: bool| -> Vec<&Test> {
            group.iter().filter(|literal| literal.passes == passes).map(|literal| &literal.leaf.test).collect()
        };
        let (mut passing, failing) = (tests(true), tests(false));
        let arity = self.arity(subject);
        if passing.is_empty() {
            if arity != Arity::Always {
                return true;
            }
            passing.push(&PRESENT);
        }
        match arity {
            Arity::Unknown => true,
            Arity::None => false,
            Arity::One | Arity::Always => self.is_there(subject, &passing, &failing),
            Arity::Several => passing.iter().all(|one| self.is_there(subject, &[*one], &failing)),
        }
    }

    fn arity(&self, subject: &Subject) -> Arity {
        let is_event = matches!(subject, Subject::Event(_));
        if self.judging.only_event && !is_event {
            return Arity::Unknown;
        }
        match subject {
            Subject::Contact(attribute) if attribute.is_always_there() => Arity::Always,
            Subject::Tags | Subject::Vars(_) => Arity::Several,
            Subject::Custom { kind: FieldKind::MultiSelect, .. } => Arity::Several,
            Subject::Event(path) if !(self.judging.is_single)(path) => Arity::Several,
            Subject::Gone => Arity::None,
            Subject::Contact(_)
            | Subject::Custom { .. }
            | Subject::Bot { .. }
            | Subject::Conversation(_)
            | Subject::Event(_) => Arity::One,
        }
    }

    /// Whether a value exists that passes all of some tests and none of others.
    fn is_there(&mut self, subject: &Subject, passing: &[&Test], failing: &[&Test]) -> bool {
        if failing.iter().any(|test| **test == Test::Present) {
            return false;
        }
        let untyped = matches!(subject, Subject::Vars(_) | Subject::Event(_));
        let plain = passing.iter().all(|test| **test == Test::Present);
        if plain && (untyped || failing.is_empty()) {
            return true;
        }
        if !recent(passing, failing) || !texts_fit(passing, failing) {
            return false;
        }
        let tests = || passing.iter().chain(failing).copied();
        let Some(named) = samples::named(tests()) else { return true };
        let parts = tests().any(|test| matches!(test, Test::Contains(_) | Test::StartsWith(_)));
        if parts && named.first().is_some_and(|value| !matches!(value, Operand::Text(_))) {
            return true;
        }
        let fewest = passing.iter().filter_map(|test| if let Test::OneOf(values) = test { Some(values) } else { None });
        let candidates = match (fewest.min_by_key(|values| values.len()), self.all_values(subject)) {
            (Some(values), _) => Some(values.clone()),
            (None, Some(all)) => Some(all),
            (None, None) if named.is_empty() => None,
            (None, None) => samples::ordered(&named),
        };
        // Other types always have one more value.
        let Some(candidates) = candidates else { return true };
        if !self.effort.spend(candidates.len() * (passing.len() + failing.len())) {
            return true;
        }
        let clock = Clock { now: Timestamp::EPOCH_2026, zone: chrono_tz::Tz::UTC };
        let timeless = |test: &&Test| !matches!(test, Test::WithinLast(_));
        candidates.iter().any(|value| {
            passing.iter().copied().filter(timeless).all(|test| test.passes(value, clock))
                && !failing.iter().copied().filter(timeless).any(|test| test.passes(value, clock))
        })
    }

    /// All possible values of a field, if they are few.
    fn all_values(&self, subject: &Subject) -> Option<Vec<Operand>> {
        let words = |words: &[&str]| words.iter().map(|word| Operand::Text((*word).to_owned())).collect();
        let kind = match subject {
            Subject::Contact(attribute) => attribute.kind(),
            Subject::Conversation(attribute) => attribute.kind(),
            Subject::Custom { key, kind, .. } => {
                let options = self.judging.vocabulary.custom_fields.get(key).map(|field| field.options.as_slice());
                Kind::of_field(*kind, options.unwrap_or_default())
            }
            Subject::Bot { kind, .. } => Kind::of_field(*kind, &[]),
            Subject::Tags | Subject::Vars(_) | Subject::Event(_) | Subject::Gone => return None,
        };
        match kind {
            Kind::Word(known) => Some(words(known)),
            Kind::Choice(options) | Kind::List(options) => {
                Some(options.iter().map(|option| Operand::Text(fold(option))).collect())
            }
            Kind::Boolean => Some(vec![Operand::Boolean(true), Operand::Boolean(false)]),
            Kind::Text
            | Kind::Email
            | Kind::Phone
            | Kind::Url
            | Kind::Number
            | Kind::Date
            | Kind::Datetime
            | Kind::Id(_)
            | Kind::Tags
            | Kind::Presence
            | Kind::Any => None,
        }
    }

    /// Describes a comparison for a message.
    fn words(&self, literal: Literal<'_>) -> String {
        let value = |value: &Operand| match (value, &literal.leaf.subject) {
            (Operand::Id(id), Subject::Tags) => {
                self.judging.vocabulary.tag_name(TagId::from_uuid(*id)).unwrap_or("a deleted tag").to_owned()
            }
            (value, _) => value.words(),
        };
        let is = if literal.passes { "is" } else { "is not" };
        match &literal.leaf.test {
            Test::Present => format!("{is} present"),
            Test::OneOf(values) => {
                let mut named: Vec<String> = values.iter().take(MAX_NAMED).map(value).collect();
                if values.len() > MAX_NAMED {
                    named.push("…".to_owned());
                }
                let one_of = if values.len() == 1 { "" } else { "one of " };
                format!("{is} {one_of}{}", named.join(", "))
            }
            Test::Within(range) => match (&range.from, &range.to) {
                (Some((from, _)), Some((to, _))) => format!("{is} from {} to {}", value(from), value(to)),
                (Some((from, included)), None) => {
                    format!("{is} {} {}", if *included { "at least" } else { "above" }, value(from))
                }
                (None, Some((to, included))) => {
                    format!("{is} {} {}", if *included { "at most" } else { "below" }, value(to))
                }
                (None, None) => format!("{is} present"),
            },
            Test::Contains(part) if literal.passes => format!("contains {part}"),
            Test::Contains(part) => format!("does not contain {part}"),
            Test::StartsWith(part) if literal.passes => format!("starts with {part}"),
            Test::StartsWith(part) => format!("does not start with {part}"),
            Test::WithinLast(duration) => format!("{is} within the last {} seconds", duration.as_secs()),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arity {
    None,
    /// At most one.
    One,
    /// Exactly one.
    Always,
    Several,
    Unknown,
}

/// Whether a value can be recent enough for some tests and not too recent for the others.
fn recent(passing: &[&Test], failing: &[&Test]) -> bool {
    let lasts = |test: &&Test| if let Test::WithinLast(duration) = test { Some(*duration) } else { None };
    let (shortest, longest) = (passing.iter().filter_map(lasts).min(), failing.iter().filter_map(lasts).max());
    shortest.zip(longest).is_none_or(|(shortest, longest)| longest < shortest)
}

/// Whether one text can pass the prefix and substring tests of `passing`, and fail the ones of `failing`.
fn texts_fit(passing: &[&Test], failing: &[&Test]) -> bool {
    let begins = |test: &&Test| if let Test::StartsWith(part) = test { Some(part.clone()) } else { None };
    let contains = |test: &&Test| if let Test::Contains(part) = test { Some(part.clone()) } else { None };
    let beginnings: Vec<String> = passing.iter().filter_map(begins).collect();
    let longest = beginnings.iter().max_by_key(|part| part.len());
    if longest.is_some_and(|longest| beginnings.iter().any(|part| !longest.starts_with(part.as_str()))) {
        return false;
    }
    let parts: Vec<String> = passing.iter().filter_map(contains).chain(beginnings.iter().cloned()).collect();
    let begun = |refused: String| beginnings.iter().any(|part| part.starts_with(&refused));
    let held = |refused: String| parts.iter().any(|part| part.contains(&refused));
    !failing.iter().filter_map(begins).any(begun) && !failing.iter().filter_map(contains).any(held)
}

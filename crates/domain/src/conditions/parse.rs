//! Parsing of conditions. All errors are reported at once.

mod operand;
mod subject;

use super::bound::{Bindings, BoundCondition, LostKind, LostWord, Meaning};
use super::kind::Kind;
use super::limits::{MAX_DEPTH, MAX_LEAVES};
use super::model::{Condition, Leaf, Node, Subject, Test};
use super::operator::Operator;
use super::vocabulary::Vocabulary;
use crate::error::Violation;
use crate::read::texts::meant;
use crate::read::{Input, Members, Report, wrong_type};

/// Maximum number of branches of an `all` or `any`, and of values of an `in`.
const MAX_ITEMS: usize = 100;

impl Condition {
    /// Parses a condition of a client.
    ///
    /// # Errors
    /// All violations, with pointers relative to the condition: `required`, `not_allowed`,
    /// `unknown_field`, `unknown_operator`, `unknown_tag`, `wrong_type`, `invalid_format`,
    /// `invalid_value`, `invalid_id`, `too_deep`, `too_many`, `too_few`, `too_long`, `blank`.
    pub fn parse<'a>(written: impl Into<Input<'a>>, vocabulary: &Vocabulary) -> Result<Self, Vec<Violation>> {
        Self::read(written.into(), vocabulary, Source::Client)
    }

    /// Parses a stored condition by its names. Fields, tags and options that were deleted since then have no values and
    /// are not errors.
    ///
    /// # Errors
    /// Same as [`parse`](Self::parse), for everything else.
    pub fn parse_stored<'a>(written: impl Into<Input<'a>>, vocabulary: &Vocabulary) -> Result<Self, Vec<Violation>> {
        Self::read(written.into(), vocabulary, Source::Store(None))
    }

    /// Parses a stored condition by its bindings: a name refers to the object that it was bound to. A condition without
    /// bindings is parsed as by [`parse_stored`](Self::parse_stored).
    ///
    /// # Errors
    /// Same as [`parse_stored`](Self::parse_stored).
    pub fn parse_bound(bound: &BoundCondition, vocabulary: &Vocabulary) -> Result<Self, Vec<Violation>> {
        Self::read(bound.source_json().into(), vocabulary, Source::Store(bound.bindings()))
    }

    fn read(written: Input<'_>, vocabulary: &Vocabulary, source: Source<'_>) -> Result<Self, Vec<Violation>> {
        let mut reader = Reader {
            vocabulary,
            source,
            leaves: 0,
            report: Report::default(),
            bindings: Bindings::default(),
            lost: Vec::new(),
        };
        let root = reader.node(written, String::new(), 1);
        if reader.leaves > MAX_LEAVES {
            let message = format!("at most {MAX_LEAVES} comparisons in one condition, got {}", reader.leaves);
            reader.report.add_first(Violation::at_root("too_many", message));
        }
        let Reader { report, bindings, lost, .. } = reader;
        report.judge(root).map(|root| Self { root, written: written.to_value(), bindings, lost })
    }
}

#[derive(Clone, Copy)]
enum Source<'b> {
    /// A client. Each unknown name is an error.
    Client,
    /// A store, with the bindings if the condition was bound.
    Store(Option<&'b Bindings>),
}

struct Reader<'v, 'b> {
    vocabulary: &'v Vocabulary,
    source: Source<'b>,
    leaves: usize,
    report: Report,
    /// The objects that its names refer to.
    bindings: Bindings,
    lost: Vec<LostWord>,
}

impl<'v> Reader<'v, '_> {
    /// Reports a violation. Returns `None` as the missing value.
    fn wrong<T>(&mut self, at: impl Into<String>, code: &'static str, message: impl Into<String>) -> Option<T> {
        self.report.add(at, code, message);
        None
    }

    /// Same as [`wrong`](Self::wrong), with the parameter `name`.
    fn wrong_name<T>(&mut self, at: String, code: &'static str, message: String, name: &str) -> Option<T> {
        self.report.extend([Violation::new(at, code, message).with("name", name)]);
        None
    }

    fn is_stored(&self) -> bool {
        matches!(self.source, Source::Store(_))
    }

    /// The object that the name at `at` is bound to, if the condition is bound.
    fn binding(&self, at: &str) -> Option<Option<Meaning>> {
        match self.source {
            Source::Client | Source::Store(None) => None,
            Source::Store(Some(bindings)) => Some(bindings.get(at)),
        }
    }

    /// Records that the object of a name no longer exists.
    fn lose(&mut self, at: &str, kind: LostKind, name: &str) {
        let meaning = self.binding(at).flatten();
        self.lost.push(LostWord { pointer: at.to_owned(), kind, name: name.to_owned(), meaning, at: None });
    }

    /// Reports the violation of the value at `at`, if any.
    fn found<T>(&mut self, at: &str, read: Result<T, Violation>) -> Option<T> {
        read.map_err(|violation| self.report.extend([violation.under(at)])).ok()
    }

    fn node(&mut self, written: Input<'_>, at: String, depth: usize) -> Option<Node> {
        if depth > MAX_DEPTH {
            return self.wrong(at, "too_deep", format!("conditions can be nested at most {MAX_DEPTH} levels deep"));
        }
        let Input::Object(object) = written else {
            return self.wrong(at, "wrong_type", format!("expected a condition object, got {}", written.kind()));
        };
        let groups: Vec<&str> = ["all", "any", "not"].into_iter().filter(|word| object.get(word).is_some()).collect();
        match (groups.as_slice(), object.len()) {
            ([], 0) => self.wrong(at, "required", "expected `all`, `any`, `not`, or `field` and `op`"),
            ([], _) => self.leaf(object, &at).map(Node::Leaf),
            ([group], 1) => self.group(group, object.get(group)?, format!("{at}/{group}"), depth),
            _ => {
                for other in object.names().filter(|name| Some(*name) != groups.first().copied()) {
                    let message =
                        "not allowed here: use only one of `all`, `any`, `not`, or `field` with `op` and `value`";
                    self.found::<()>(&at, Err(Violation::at_root("not_allowed", message).within(other)));
                }
                None
            }
        }
    }

    fn group(&mut self, word: &str, written: Input<'_>, at: String, depth: usize) -> Option<Node> {
        if word == "not" {
            return self.node(written, at, depth + 1).map(|node| Node::Not(Box::new(node)));
        }
        let Input::Array(items) = written else {
            return self.wrong(at, "wrong_type", format!("expected an array of conditions, got {}", written.kind()));
        };
        if items.len() > MAX_ITEMS {
            return self.wrong(at, "too_many", format!("must have at most {MAX_ITEMS} conditions"));
        }
        let nodes: Vec<Option<Node>> =
            items.iter().enumerate().map(|(place, item)| self.node(item, format!("{at}/{place}"), depth + 1)).collect();
        let nodes = nodes.into_iter().collect::<Option<Vec<_>>>()?;
        Some(if word == "all" { Node::All(nodes) } else { Node::Any(nodes) })
    }

    fn leaf(&mut self, object: Members<'_>, at: &str) -> Option<Leaf> {
        self.leaves += 1;
        if self.leaves > MAX_LEAVES {
            return None;
        }
        const KNOWN: [&str; 6] = ["field", "op", "value", "all", "any", "not"];
        for name in object.names().filter(|name| !["field", "op", "value"].contains(name)) {
            let near = meant(name, KNOWN);
            let hint =
                if near.is_empty() { "; expected `field`, `op` and `value`, or `all`, `any` or `not`" } else { &near };
            let message = format!("unknown field{hint}");
            self.found::<()>(at, Err(Violation::at_root("unknown_field", message).within(name)));
        }
        let subject = self.word(object, at, "field").and_then(|name| self.subject(name, format!("{at}/field")));
        let operator = self.word(object, at, "op").and_then(|word| self.operator(word, at));
        let ((subject, kind), operator) = (subject?, operator?);
        let negated = operator.is_negative();
        if subject == Subject::Gone {
            return Some(Leaf { subject, negated, test: Test::Present });
        }
        if !kind.operators().contains(&operator) {
            let known: Vec<&str> = kind.operators().iter().map(|it| it.as_str()).collect();
            let (word, kind) = (operator.as_str(), kind.words());
            let message =
                format!("operator `{word}` is not supported for the type `{kind}`; use `{}`", known.join("`, `"));
            return self.wrong_name(format!("{at}/op"), "unknown_operator", message, word);
        }
        let known = self.lost.len();
        let test = self.test(kind, operator, object.get("value"), &format!("{at}/value"))?;
        if let Subject::Custom { id, .. } = &subject {
            // Removing an option updates its field.
            let field = self.vocabulary.custom_fields.values().find(|field| field.id == *id);
            self.lost.iter_mut().skip(known).for_each(|lost| lost.at = field.map(|field| field.updated_at));
        }
        Some(Leaf { subject, negated, test })
    }

    /// The text of a required member.
    fn word<'o>(&mut self, object: Members<'o>, at: &str, name: &str) -> Option<&'o str> {
        match object.get(name) {
            None => self.wrong(format!("{at}/{name}"), "required", "is required"),
            Some(Input::String(text)) => Some(text),
            Some(other) => self.found(&format!("{at}/{name}"), Err(wrong_type("a string", other))),
        }
    }

    fn operator(&mut self, word: &str, at: &str) -> Option<Operator> {
        let operator = Operator::parse(word);
        if operator.is_none() {
            let hint = meant(word, Operator::WORDS.iter().copied());
            let known = Operator::WORDS.join("`, `");
            let message = format!("unknown operator{hint}; supported operators: `{known}`");
            return self.wrong(format!("{at}/op"), "unknown_operator", message);
        }
        operator
    }

    fn test(&mut self, kind: Kind<'v>, operator: Operator, value: Option<Input<'_>>, at: &str) -> Option<Test> {
        let value = match (operator.is_unary(), value) {
            (true, None | Some(Input::Null)) => return Some(Test::Present),
            (true, Some(_)) => {
                let message = format!("`{}` is not compared with a value; remove `value`", operator.as_str());
                return self.wrong(at, "not_allowed", message);
            }
            (false, None) => return self.wrong(at, "required", "is required"),
            (false, Some(Input::Null)) => {
                let message = "must not be null; use `exists` or `not_exists` to check whether a value exists";
                return self.wrong(at, "null_not_allowed", message);
            }
            (false, Some(value)) => value,
        };
        let tried = match operator {
            Operator::In | Operator::NotIn => return self.one_of(kind, value, at),
            Operator::Between => return self.between(kind, value, at),
            Operator::Contains | Operator::StartsWith => operand::part(kind, operator, value),
            Operator::WithinLast => operand::duration(value),
            Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte | Operator::Before | Operator::After => {
                operand::ordered(kind, value).map(|end| operand::half(operator, end))
            }
            _ => self.operand(kind, value, at).map(|operand| Test::OneOf(operand.into_iter().collect())),
        };
        self.found(at, tried)
    }
}

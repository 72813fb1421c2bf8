//! Targets that a parameter names for columns.

use std::collections::BTreeMap;
use std::fmt;

use super::{REJECTION, Target, is_rejected};
use crate::guard::unguarded;
use crate::text::fold;

/// A parameter that names a column wrongly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeadingError {
    /// The table has no column with this heading.
    Missing {
        /// The heading of the parameter.
        heading: String,
        /// The headings of the table.
        headings: Vec<String>,
    },
    /// The table has several columns with this heading.
    Repeated {
        /// The heading.
        heading: String,
    },
    /// Two columns have the same target.
    SameTarget {
        /// The target.
        target: Target,
        /// The heading of the second column.
        heading: String,
    },
}

impl HeadingError {
    /// Returns the heading of the parameter.
    pub fn heading(&self) -> &str {
        match self {
            Self::Missing { heading, .. } | Self::Repeated { heading } | Self::SameTarget { heading, .. } => heading,
        }
    }
}

impl fmt::Display for HeadingError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { heading, headings } => {
                let all: Vec<_> = headings.iter().map(|it| format!("`{it}`")).collect();
                write!(out, "the table has no column `{heading}`; its columns are {}. Correct the name", all.join(", "))
            }
            Self::Repeated { heading } => {
                write!(out, "the table has several columns `{heading}`. Give each of them a unique heading")
            }
            Self::SameTarget { target, heading } => {
                write!(out, "column `{heading}` has the target `{target}`, which another column has already. ")?;
                write!(out, "Map one of them to another target, or to `-` to skip it")
            }
        }
    }
}

impl std::error::Error for HeadingError {}

/// The names of columns in parameters: the headings, and the position for a column without a heading, such as `#3`.
pub fn column_names(headings: &[String]) -> Vec<String> {
    let name = |(place, heading): (usize, &String)| match heading.as_str() {
        "" => format!("#{}", place + 1),
        heading => heading.to_owned(),
    };
    headings.iter().enumerate().map(name).collect()
}

/// Whether a parameter names a column by its position.
fn is_position(name: &str) -> bool {
    name.strip_prefix('#').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The value that a list of parameters has for a heading, which is found as the headings of targets are.
pub fn named<'p, T>(heading: &str, pairs: &'p [(String, T)]) -> Option<&'p T> {
    let folded = fold(heading);
    let exact = pairs.iter().find(|(name, _)| name == heading || unguarded(heading) == name);
    let found = exact.or_else(|| pairs.iter().find(|(name, _)| !folded.is_empty() && fold(name) == folded));
    found.map(|(_, value)| value)
}

/// The targets by column. A heading is found exactly, without the guard of a formula, or folded. A column without a heading
/// is found by its position. In a table of rejected rows, columns of the row win over those that describe the error.
pub(super) fn resolve(
    headings: &[String],
    given: &[(String, Target)],
) -> Result<BTreeMap<usize, Target>, Vec<HeadingError>> {
    let (mut targets, mut errors) = (BTreeMap::new(), Vec::new());
    let (is_rejected, names) = (is_rejected(headings), column_names(headings));
    for (heading, target) in given {
        let places = |names: &[String], is_it: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let all = names.iter().enumerate().filter(|(_, it)| is_it(it)).map(|(place, _)| place);
            let (reasons, own): (Vec<_>, Vec<_>) = all.partition(|place| is_rejected && *place < REJECTION.len());
            if own.is_empty() { reasons } else { own }
        };
        let exact = places(&names, &|it| it == heading || unguarded(it) == heading);
        let folded = if is_position(heading) { String::new() } else { fold(heading) };
        let is_alike = |it: &str| !folded.is_empty() && fold(it) == folded;
        let found = if exact.is_empty() { places(headings, &is_alike) } else { exact };
        match found.as_slice() {
            [] => errors.push(HeadingError::Missing { heading: heading.clone(), headings: names.clone() }),
            [_] if *target != Target::Skip && targets.values().any(|it| it == target) => {
                errors.push(HeadingError::SameTarget { target: target.clone(), heading: heading.clone() });
            }
            [place] => {
                targets.insert(*place, target.clone());
            }
            _ => errors.push(HeadingError::Repeated { heading: heading.clone() }),
        }
    }
    if errors.is_empty() { Ok(targets) } else { Err(errors) }
}

//! Targets that a parameter names for columns.

use std::collections::BTreeMap;
use std::fmt;

use super::{REJECTION, Target, is_rejected};
use crate::guard::unguarded;
use crate::text::{fold, shortened};

/// The most headings that an error lists.
const MAX_SHOWN: usize = 20;
/// The most characters of a heading that an error lists.
const LONGEST_SHOWN: usize = 60;

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
                let shown = headings.iter().take(MAX_SHOWN);
                let all: Vec<_> = shown.map(|it| format!("`{}`", shortened(it, LONGEST_SHOWN))).collect();
                let more = if headings.len() > MAX_SHOWN { " and others" } else { "" };
                let all = all.join(", ");
                write!(out, "the table has no column `{heading}`; its columns are {all}{more}. Correct the name")
            }
            Self::Repeated { heading } => {
                write!(
                    out,
                    "the table has several columns `{heading}`. Give each of them a unique heading, or map the "
                )?;
                write!(out, "heading to `-` to skip all of them")
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

/// Parameters by heading. A heading is found as the headings of targets are.
#[derive(Debug)]
pub struct Named<'p, T> {
    pairs: &'p [(String, T)],
    /// The folded headings of the parameters, made once: headings can be long.
    folded: Vec<String>,
}

impl<'p, T> Named<'p, T> {
    /// Creates the index of a list of parameters.
    pub fn new(pairs: &'p [(String, T)]) -> Self {
        Self { pairs, folded: pairs.iter().map(|(name, _)| fold(name)).collect() }
    }

    /// The value for a heading.
    pub fn get(&self, heading: &str) -> Option<&'p T> {
        let exact = self.pairs.iter().find(|(name, _)| name == heading || unguarded(heading) == name);
        let found = exact.or_else(|| {
            let own = if self.pairs.is_empty() { String::new() } else { fold(heading) };
            let place = self.folded.iter().position(|it| !own.is_empty() && *it == own)?;
            self.pairs.get(place)
        });
        found.map(|(_, value)| value)
    }
}

/// The parameters whose heading the table does not have.
pub fn unnamed<'p, T>(headings: &[String], pairs: &'p [(String, T)]) -> Vec<&'p (String, T)> {
    let folded: Vec<String> = if pairs.is_empty() { Vec::new() } else { headings.iter().map(|it| fold(it)).collect() };
    let is_had = |name: &String| {
        let is_exact = headings.iter().any(|it| it == name || unguarded(it) == name);
        is_exact || Some(fold(name)).filter(|own| !own.is_empty()).is_some_and(|own| folded.contains(&own))
    };
    pairs.iter().filter(|(name, _)| !is_had(name)).collect()
}

/// The targets by column. A heading is found exactly, without the guard of a formula, or folded. A column without a heading
/// is found by its position. In a table of rejected rows, columns of the row win over those that describe the error. Only
/// [`Target::Skip`] can name several columns.
pub(super) fn resolve(
    headings: &[String],
    given: &[(String, Target)],
) -> Result<BTreeMap<usize, Target>, Vec<HeadingError>> {
    let (mut targets, mut errors) = (BTreeMap::new(), Vec::new());
    let (is_rejected, names) = (is_rejected(headings), column_names(headings));
    // Made once: a table may have many long headings, and a request many parameters.
    let all_folded: Vec<String> =
        if given.is_empty() { Vec::new() } else { headings.iter().map(|it| fold(it)).collect() };
    for (heading, target) in given {
        let places = |names: &[String], is_it: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let all = names.iter().enumerate().filter(|(_, it)| is_it(it)).map(|(place, _)| place);
            let (reasons, own): (Vec<_>, Vec<_>) = all.partition(|place| is_rejected && *place < REJECTION.len());
            if own.is_empty() { reasons } else { own }
        };
        let exact = places(&names, &|it| it == heading || unguarded(it) == heading);
        let folded = if is_position(heading) { String::new() } else { fold(heading) };
        let is_alike = |it: &str| !folded.is_empty() && it == folded;
        let found = if exact.is_empty() { places(&all_folded, &is_alike) } else { exact };
        match found.as_slice() {
            [] => errors.push(HeadingError::Missing { heading: heading.clone(), headings: names.clone() }),
            [_] if *target != Target::Skip && targets.values().any(|it| it == target) => {
                errors.push(HeadingError::SameTarget { target: target.clone(), heading: heading.clone() });
            }
            [place] => {
                targets.insert(*place, target.clone());
            }
            places if *target == Target::Skip => targets.extend(places.iter().map(|place| (*place, Target::Skip))),
            _ => errors.push(HeadingError::Repeated { heading: heading.clone() }),
        }
    }
    if errors.is_empty() { Ok(targets) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
        texts.map(str::to_owned).into()
    }

    #[test]
    fn finds_parameters_exactly_then_folded() {
        let pairs = [("Since".to_owned(), 1), ("E-Mail".to_owned(), 2), ("email".to_owned(), 3), ("-".to_owned(), 4)];
        let named = Named::new(&pairs);
        for (heading, value) in
            [("since", Some(&1)), ("email", Some(&3)), ("e mail", Some(&2)), ("'-", Some(&4)), ("–", None), ("", None)]
        {
            assert_eq!(named.get(heading), value, "{heading}");
        }
        assert_eq!(unnamed(&texts(["SINCE", "'-"]), &pairs), [&pairs[1], &pairs[2]]);
        assert_eq!(unnamed(&texts(["e-mail", "Since"]), &pairs), [&pairs[3]]);
    }

    #[test]
    fn an_error_lists_few_columns() {
        let headings: Vec<String> = (0..200).map(|it| format!("{it}{}", "x".repeat(300))).collect();
        let error = HeadingError::Missing { heading: "plan".to_owned(), headings };
        let text = error.to_string();
        assert!(text.len() < 20 * 80, "{text}");
        assert!(text.contains(" and others. Correct the name"), "{text}");
    }
}

//! Full names: split into first and last name.

use crate::reasons::Reason;
use crate::text::trim;

/// The parts of a full name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct FullName {
    /// The first name.
    pub first: Option<String>,
    /// The last name.
    pub last: Option<String>,
    /// The order of the parts in the cell, without a comma between them.
    order: NameOrder,
}

impl FullName {
    /// The parts that have no other column in the row. `first` and `last` are the names in such columns.
    ///
    /// A known part is removed from the full name, so `Anna Maria` and `Anna Maria Schmidt` leave `Schmidt`. If the full
    /// name does not contain the known part, its other part is used.
    pub fn without(self, first: Option<&str>, last: Option<&str>) -> Self {
        match (first, last) {
            (None, None) => self,
            (Some(_), Some(_)) => Self::default(),
            (Some(first), None) => {
                let full = self.joined();
                let rest = match self.order {
                    NameOrder::FirstLast => behind(&full, first),
                    NameOrder::LastFirst => before(&full, first),
                };
                Self { last: rest.map_or(self.last.or(self.first), part), ..Self::default() }
            }
            (None, Some(last)) => {
                let full = self.joined();
                let rest = match self.order {
                    NameOrder::FirstLast => before(&full, last),
                    NameOrder::LastFirst => behind(&full, last),
                };
                Self { first: rest.map_or(self.first.or(self.last), part), ..Self::default() }
            }
        }
    }

    fn joined(&self) -> String {
        let parts = match self.order {
            NameOrder::FirstLast => [&self.first, &self.last],
            NameOrder::LastFirst => [&self.last, &self.first],
        };
        parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// The rest of a name behind a part that it begins with.
fn behind<'a>(full: &'a str, known: &str) -> Option<&'a str> {
    full.strip_prefix(known).filter(|it| it.is_empty() || it.starts_with(char::is_whitespace))
}

/// The rest of a name before a part that it ends with.
fn before<'a>(full: &'a str, known: &str) -> Option<&'a str> {
    full.strip_suffix(known).filter(|it| it.is_empty() || it.ends_with(char::is_whitespace))
}

/// A part of a name without spaces at its ends.
fn part(text: &str) -> Option<String> {
    Some(trim(text).to_owned()).filter(|it| !it.is_empty())
}

/// The order of the parts of a full name without a comma.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum NameOrder {
    /// The first word is the first name. A single word is a first name.
    #[default]
    FirstLast,
    /// The last word is the first name. A single word is a last name.
    LastFirst,
}

/// Splits a full name: `Last, First` at its one comma, any other name by the order of its parts.
///
/// # Errors
/// The name has several commas.
pub fn split_full_name(text: &str, order: NameOrder) -> Result<FullName, Reason> {
    let text = trim(text);
    if let Some((last, first)) = text.split_once(',') {
        if first.contains(',') {
            return Err(Reason::SeveralCommas);
        }
        return Ok(FullName { first: part(first), last: part(last), order: NameOrder::FirstLast });
    }
    let (first, last) = match order {
        NameOrder::FirstLast => text.split_once(char::is_whitespace).unwrap_or((text, "")),
        NameOrder::LastFirst => text.rsplit_once(char::is_whitespace).map_or(("", text), |(last, first)| (first, last)),
    };
    Ok(FullName { first: part(first), last: part(last), order })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(text: &str, order: NameOrder) -> (String, String) {
        let FullName { first, last, .. } = split_full_name(text, order).unwrap();
        (first.unwrap_or_default(), last.unwrap_or_default())
    }

    #[test]
    fn splits_names_at_the_first_space_or_the_comma() {
        for (text, first, last) in [
            ("Ada Lovelace", "Ada", "Lovelace"),
            ("Ludwig van Beethoven", "Ludwig", "van Beethoven"),
            (" Lovelace,  Ada ", "Ada", "Lovelace"),
            ("van Beethoven, Ludwig", "Ludwig", "van Beethoven"),
            ("Ada\u{a0} Lovelace", "Ada", "Lovelace"),
            ("Ada", "Ada", ""),
            ("Lovelace,", "", "Lovelace"),
            (", Ada", "Ada", ""),
            ("", "", ""),
        ] {
            assert_eq!(parts(text, NameOrder::FirstLast), (first.to_owned(), last.to_owned()), "{text}");
        }
        for order in [NameOrder::FirstLast, NameOrder::LastFirst] {
            assert_eq!(split_full_name("King, Martin Luther, Jr.", order), Err(Reason::SeveralCommas));
        }
    }

    #[test]
    fn splits_names_that_begin_with_the_last_name_at_the_comma_or_the_last_space() {
        for (text, first, last) in [
            ("Müller, Anna", "Anna", "Müller"),
            ("Schmidt, Anna Maria", "Anna Maria", "Schmidt"),
            (" Müller  Anna ", "Anna", "Müller"),
            ("García López María", "María", "García López"),
            ("van Beethoven\u{a0}Ludwig", "Ludwig", "van Beethoven"),
            ("Müller", "", "Müller"),
            ("", "", ""),
        ] {
            assert_eq!(parts(text, NameOrder::LastFirst), (first.to_owned(), last.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_full_name_gives_the_part_that_is_missing() {
        for (full, first, last, expected) in [
            ("Ada Lovelace", None, None, ("Ada", "Lovelace")),
            ("Ada Lovelace", Some("Eve"), Some("Weiss"), ("", "")),
            ("Anna Maria Schmidt", Some("Anna Maria"), None, ("", "Schmidt")),
            ("Ludwig van Beethoven", None, Some("van Beethoven"), ("Ludwig", "")),
            ("Anna Maria Schmidt", None, Some("Schmidt"), ("Anna Maria", "")),
            ("Lovelace, Ada", Some("Ada"), None, ("", "Lovelace")),
            ("Lovelace", Some("Ada"), None, ("", "Lovelace")),
            ("Ada", None, Some("Lovelace"), ("Ada", "")),
            ("Ada", Some("Ada"), None, ("", "")),
            ("Adam Smith", Some("Ada"), None, ("", "Smith")),
        ] {
            let found = split_full_name(full, NameOrder::FirstLast).unwrap().without(first, last);
            let found = (found.first.as_deref().unwrap_or(""), found.last.as_deref().unwrap_or(""));
            assert_eq!(found, expected, "{full} {first:?} {last:?}");
        }
        for (full, first, last, expected) in [
            ("Schmidt Anna Maria", Some("Anna Maria"), None, ("", "Schmidt")),
            ("Schmidt Anna Maria", None, Some("Schmidt"), ("Anna Maria", "")),
            ("García López María", None, Some("García López"), ("María", "")),
            ("Schmidt, Anna Maria", Some("Anna Maria"), None, ("", "Schmidt")),
            ("Schmidt", Some("Anna"), None, ("", "Schmidt")),
            ("Anna", None, Some("Schmidt"), ("Anna", "")),
            ("Schmidt", None, Some("Schmidt"), ("", "")),
        ] {
            let found = split_full_name(full, NameOrder::LastFirst).unwrap().without(first, last);
            let found = (found.first.as_deref().unwrap_or(""), found.last.as_deref().unwrap_or(""));
            assert_eq!(found, expected, "{full} {first:?} {last:?}");
        }
    }

    proptest! {
        #[test]
        fn the_parts_join_to_the_same_name(name in "\\p{L}{1,6}( \\p{L}{1,6}){0,4}") {
            let parts = split_full_name(&name, NameOrder::FirstLast).unwrap();
            prop_assert_eq!(parts.joined(), name.clone());
            let parts = split_full_name(&name, NameOrder::LastFirst).unwrap();
            prop_assert_eq!(parts.joined(), name);
        }
    }
}

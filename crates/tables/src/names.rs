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
}

/// Splits a full name: `Last, First` at its one comma, any other name at its first space. A single word is a first
/// name.
///
/// # Errors
/// The name has several commas.
pub fn split_full_name(text: &str) -> Result<FullName, Reason> {
    let part = |text: &str| Some(trim(text).to_owned()).filter(|it| !it.is_empty());
    let text = trim(text);
    if let Some((last, first)) = text.split_once(',') {
        if first.contains(',') {
            return Err(Reason::SeveralCommas);
        }
        return Ok(FullName { first: part(first), last: part(last) });
    }
    let (first, last) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    Ok(FullName { first: part(first), last: part(last) })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let FullName { first: found, last: rest } = split_full_name(text).unwrap();
            assert_eq!((found.as_deref().unwrap_or(""), rest.as_deref().unwrap_or("")), (first, last), "{text}");
        }
        assert_eq!(split_full_name("King, Martin Luther, Jr."), Err(Reason::SeveralCommas));
    }
}

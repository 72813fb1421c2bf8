//! Headings: the target of each column of a table.

mod given;
mod table;
mod target;

pub use given::{HeadingError, Named, column_names, unnamed};
pub use target::{CustomField, Target};

use crate::guard::unguarded;
use crate::kinds::ColumnKind;
use crate::names::NameOrder;
use crate::text::fold;
use table::{HEADINGS, LAST_NAME_FIRST, Meaning, NO_CONSENT, PREFIXES};

/// The first headings of a table of rows that an earlier import rejected.
pub(crate) const REJECTION: [&str; 4] = ["line", "column", "code", "message"];
/// Headings that exports of contacts write and imports skip.
const READ_ONLY: [&str; 4] = ["last_message_at", "created_at", "updated_at", "deleted_at"];

/// A language of headings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Portuguese.
    Portuguese,
}

impl Language {
    const ALL: [Self; 5] = [Self::English, Self::German, Self::French, Self::Spanish, Self::Portuguese];

    /// The language tag.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Portuguese => "pt",
        }
    }
}

/// The result for a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Match {
    /// A parameter names the target.
    Given(Target),
    /// The heading names the target.
    Mapped(Target),
    /// The heading probably names the target, and the user must confirm it. Consent is always proposed only.
    Proposed {
        /// The target.
        target: Target,
        /// Whether the column says the opposite, as "Unsubscribed" does.
        is_inverted: bool,
    },
    /// Several headings name the same target. The user must choose one.
    Conflict {
        /// The target.
        target: Target,
        /// The other columns.
        others: Vec<usize>,
    },
    /// Other columns have the same information and win. The column is not imported.
    Superseded {
        /// The target.
        target: Target,
        /// The columns that win.
        by: Vec<usize>,
    },
    /// Exports write the column, and imports skip it.
    ReadOnly,
    /// The column describes an error of an earlier import.
    RejectionReason,
    /// The heading names no target.
    Unknown,
    /// The heading is empty.
    Nameless,
}

impl Match {
    /// The target, if the column is imported without a decision of the user.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Self::Given(target) | Self::Mapped(target) => Some(target),
            Self::Proposed { .. }
            | Self::Conflict { .. }
            | Self::Superseded { .. }
            | Self::ReadOnly
            | Self::RejectionReason
            | Self::Unknown
            | Self::Nameless => None,
        }
    }
}

/// The results for all columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadingMatches {
    /// One result for each column.
    pub columns: Vec<Match>,
    /// The languages of the headings, the most frequent one first.
    pub languages: Vec<Language>,
}

/// Matches headings with attributes and custom fields. `given` names the targets of some columns by their headings,
/// and [`Target::Skip`] skips one; these win over all guesses. A column without a heading is named by its position, such as
/// `#3`.
///
/// # Errors
/// `given` names a heading that the table does not have, one target twice, or a target for a heading that the table has
/// twice.
pub fn match_headings(
    headings: &[String],
    fields: &[CustomField],
    given: &[(String, Target)],
) -> Result<HeadingMatches, Vec<HeadingError>> {
    let given = given::resolve(headings, given)?;
    let meanings: Vec<_> = headings.iter().map(|heading| lookup(unguarded(heading), fields)).collect();
    let is_rejected = is_rejected(headings);
    let found = |place: usize| match (given.get(&place), meanings.get(place)) {
        (Some(target), _) => Some(target),
        (None, Some(Found::Target(target))) => Some(target),
        (None, _) => None,
    };
    let has = |target: &Target| (0..headings.len()).any(|place| found(place) == Some(target));
    let (has_first, has_last) = (has(&Target::FirstName), has(&Target::LastName));
    let has_external_id = has(&Target::ExternalId);
    let outcome = |(place, (heading, meaning)): (usize, (&String, &Found))| match (given.get(&place), meaning) {
        (Some(target), _) => Match::Given(target.clone()),
        _ if is_rejected && place < REJECTION.len() => Match::RejectionReason,
        _ if heading.is_empty() => Match::Nameless,
        (None, Found::ReadOnly) => Match::ReadOnly,
        (None, Found::Nothing) => Match::Unknown,
        (None, Found::Target(target)) => Match::Mapped(target.clone()),
        (None, Found::Meaning(_)) if heading == "id" && has_external_id => Match::ReadOnly,
        (None, Found::Meaning(meaning)) => by_meaning(*meaning, has_first, has_last),
    };
    let columns = headings.iter().zip(&meanings).enumerate().map(outcome).collect();
    Ok(HeadingMatches { columns: resolve_conflicts(columns), languages: languages(headings) })
}

/// The kind of a column whose heading can name the order of full names, such as "Name, Vorname".
pub fn kind_by_heading(kind: ColumnKind, heading: &str) -> ColumnKind {
    let is_reversed =
        matches!(kind, ColumnKind::FullName { .. }) && LAST_NAME_FIRST.contains(&fold(unguarded(heading)).as_str());
    if is_reversed { ColumnKind::FullName { order: NameOrder::LastFirst } } else { kind }
}

/// Whether the headings belong to a table of rejected rows.
pub(crate) fn is_rejected(headings: &[String]) -> bool {
    headings.get(..REJECTION.len()).is_some_and(|first| first.iter().eq(REJECTION.iter()))
}

/// The result of a look-up.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    Target(Target),
    Meaning(Meaning),
    ReadOnly,
    Nothing,
}

fn lookup(heading: &str, fields: &[CustomField]) -> Found {
    if READ_ONLY.contains(&heading) {
        return Found::ReadOnly;
    }
    // Exports and the API use the names of targets: such a heading is as good as a parameter.
    if let Some(target) = Target::parse(heading).filter(|it| it.is_exact_heading() && it.exists(fields)) {
        return Found::Target(target);
    }
    let folded = fold(heading);
    // "Email" and "First name" name attributes, even if a custom field has the same name.
    let own = Target::PLAIN.into_iter().find(|it| fold(&it.to_string()) == folded);
    if let Some(target) = own.filter(|it| it.is_exact_heading() && ![Target::Subscribed, Target::Status].contains(it)) {
        return Found::Target(target);
    }
    if let Some(field) = fields.iter().find(|it| fold(&it.key) == folded || fold(&it.name) == folded) {
        return Found::Target(Target::CustomField(field.key.clone()));
    }
    let exact = HEADINGS.iter().find(|(_, _, words)| words.contains(&folded.as_str())).map(|(meaning, _, _)| *meaning);
    let is_consent = !NO_CONSENT.iter().any(|end| folded.ends_with(end));
    let begins = || PREFIXES.iter().find(|(_, prefix)| is_consent && folded.starts_with(prefix)).map(|(it, _)| *it);
    match exact.or_else(begins) {
        Some(Meaning::Is(attribute)) => Found::Target(attribute.target()),
        Some(meaning) => Found::Meaning(meaning),
        None => Found::Nothing,
    }
}

fn by_meaning(meaning: Meaning, has_first: bool, has_last: bool) -> Match {
    let proposed = |target, is_inverted| Match::Proposed { target, is_inverted };
    match meaning {
        Meaning::Is(attribute) => Match::Mapped(attribute.target()),
        Meaning::MayBe(attribute) => proposed(attribute.target(), false),
        Meaning::Consent => proposed(Target::Subscribed, false),
        Meaning::Refusal => proposed(Target::Subscribed, true),
        Meaning::Name if has_first && !has_last => proposed(Target::LastName, false),
        Meaning::LastOrFull if has_first => Match::Mapped(Target::LastName),
        Meaning::FirstOrFull if has_last => Match::Mapped(Target::FirstName),
        Meaning::Name | Meaning::LastOrFull | Meaning::FirstOrFull => Match::Mapped(Target::FullName),
    }
}

/// Finds columns with the same target. Columns for the first and the last name win over full names. Beside one of them, a
/// full name gives the other part.
fn resolve_conflicts(mut columns: Vec<Match>) -> Vec<Match> {
    let before = columns.clone();
    let places = |is_it: &dyn Fn(&Match) -> bool| -> Vec<usize> {
        before.iter().enumerate().filter(|(_, it)| is_it(it)).map(|(place, _)| place).collect()
    };
    let parts = places(&|it| matches!(it.target(), Some(Target::FirstName | Target::LastName)));
    let has = |part: &Target| before.iter().any(|it| it.target() == Some(part));
    let has_both = has(&Target::FirstName) && has(&Target::LastName);
    for (place, column) in columns.iter_mut().enumerate() {
        let Match::Mapped(target) = column.clone() else { continue };
        let by = places(&|it| *it == Match::Given(target.clone()));
        let others: Vec<_> =
            places(&|it| *it == Match::Mapped(target.clone())).into_iter().filter(|it| *it != place).collect();
        if target == Target::FullName && has_both {
            *column = Match::Superseded { target, by: parts.clone() };
        } else if !by.is_empty() {
            *column = Match::Superseded { target, by };
        } else if !others.is_empty() {
            *column = Match::Conflict { target, others };
        }
    }
    columns
}

fn languages(headings: &[String]) -> Vec<Language> {
    let folded: Vec<_> = headings.iter().map(|heading| fold(heading)).collect();
    let has =
        |language: Language, word: &str| HEADINGS.iter().any(|(_, it, words)| *it == language && words.contains(&word));
    let count = |language: Language| folded.iter().filter(|word| has(language, word)).count();
    // Tables in other languages have English headings too, such as "Email". A heading that is not English decides.
    let is_foreign =
        |language: Language| folded.iter().any(|word| has(language, word) && !has(Language::English, word));
    let mut counted: Vec<_> =
        Language::ALL.into_iter().map(|it| (count(it), it)).filter(|(count, _)| *count > 0).collect();
    counted.sort_by_key(|(count, language)| (std::cmp::Reverse(*count), !is_foreign(*language)));
    counted.into_iter().map(|(_, language)| language).collect()
}

#[cfg(test)]
mod tests;

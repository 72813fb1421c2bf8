//! Conditions while options are being removed from contacts: a removed option is no value.

use super::operand::Operand;
use super::selection::{Place, Question, Selection};
use super::vocabulary::Vocabulary;
use crate::fields::CustomField;
use crate::text::fold;

/// Selects the contacts that have a remaining option of the field. `None` if no options are being removed.
pub(crate) fn presence(field: &CustomField) -> Option<Selection> {
    let others = || field.options.iter().map(|option| Operand::Text(fold(option))).collect();
    let place = Place::Custom(field.id, field.kind);
    (!field.retired.is_empty()).then(|| Selection::Holds(place, Question::OneOf(others())))
}

impl Selection {
    /// The same selection, without the options that are being removed.
    pub(crate) fn without_retired(self, vocabulary: &Vocabulary) -> Self {
        let all = |parts: Vec<Self>| parts.into_iter().map(|part| part.without_retired(vocabulary)).collect();
        match self {
            Self::All(parts) => Self::All(all(parts)),
            Self::Any(parts) => Self::Any(all(parts)),
            Self::Not(part) => Self::Not(Box::new(part.without_retired(vocabulary))),
            Self::Holds(Place::Custom(id, _), Question::Present) => {
                let field = vocabulary.custom_fields.values().find(|field| field.id == id);
                field.and_then(presence).unwrap_or(self)
            }
            Self::Constant(_) | Self::Holds(..) => self,
        }
    }
}

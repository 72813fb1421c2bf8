//! Binding of conditions that an earlier release stored without bindings.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::bound::{Bindings, BoundCondition, LostKind, Meaning};
use super::{Condition, Vocabulary};
use crate::ids::TagId;
use crate::text::fold;

impl BoundCondition {
    /// Binds a condition that an earlier release stored. `vocabulary` has the objects that were recorded as its
    /// references, or all objects of the workspace if none were recorded. A tag is considered renamed if exactly one
    /// name matches none of the recorded `tags` and exactly one of these is not matched by any name. `deleted` contains
    /// the names of tags that were deleted with `force`: such names refer to nothing, even if another tag has the name
    /// now.
    pub fn rebind(written: Value, vocabulary: &Vocabulary, tags: &[TagId], deleted: &[String]) -> Self {
        let Ok(read) = Condition::parse_stored(&written, vocabulary) else {
            return Self::stored(written, Some(Bindings::default()));
        };
        let deleted: BTreeSet<String> = deleted.iter().map(|name| fold(name)).collect();
        let mut unknown: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for word in read.lost_words().iter().filter(|word| word.kind == LostKind::Tag) {
            unknown.entry(fold(&word.name)).or_default().push(&word.pointer);
        }
        unknown.retain(|name, _| !deleted.contains(name));
        let named = read.names().tags;
        let unnamed: Vec<TagId> = tags.iter().copied().filter(|tag| !named.contains(tag)).collect();
        let mut bindings = read.bindings.clone();
        if let ([tag], 1) = (unnamed.as_slice(), unknown.len()) {
            unknown.values().flatten().for_each(|pointer| bindings.insert(*pointer, Meaning::Tag(*tag)));
        }
        Self::stored(written, Some(bindings))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::ids::TypedId;
    use crate::tags::Tag;
    use crate::time::Timestamp;

    fn id(number: u128) -> TagId {
        TagId::from_uuid(Uuid::from_u128(number))
    }

    fn named(words: &[&str]) -> Value {
        json!({"field": "tags", "op": "in", "value": words})
    }

    fn means(words: &[&str], recorded: &[(u128, &str)], deleted: &[&str]) -> Vec<Option<TagId>> {
        let tags: Vec<Tag> = recorded.iter().map(|(it, name)| Tag::new(id(*it), name, Timestamp::EPOCH_2026)).collect();
        let ids: Vec<TagId> = tags.iter().map(|tag| tag.id).collect();
        let deleted: Vec<String> = deleted.iter().map(|name| (*name).to_owned()).collect();
        let bound = BoundCondition::rebind(named(words), &Vocabulary::new([], [], tags), &ids, &deleted);
        let meaning = |place| bound.bindings().and_then(|it| it.get(&format!("/value/{place}")));
        let tag = |meaning| match meaning {
            Some(Meaning::Tag(tag)) => Some(tag),
            Some(Meaning::Field(_) | Meaning::BotField(_) | Meaning::Secret(_)) | None => None,
        };
        (0..words.len()).map(|place| tag(meaning(place))).collect()
    }

    #[test]
    fn matches_words_with_the_recorded_tags() {
        assert_eq!(means(&["vip", "Late"], &[(1, "VIP"), (2, "late")], &[]), [Some(id(1)), Some(id(2))]);
    }

    #[test]
    fn matches_a_single_renamed_tag_by_elimination() {
        assert_eq!(means(&["vip", "old", "OLD"], &[(1, "VIP"), (2, "new")], &[]), [1, 2, 2].map(|it| Some(id(it))));
    }

    #[test]
    fn two_renamed_tags_are_lost() {
        assert_eq!(means(&["a", "b"], &[(1, "c"), (2, "d")], &[]), [None, None]);
    }

    #[test]
    fn loses_a_deleted_tag_and_matches_a_renamed_one() {
        assert_eq!(means(&["gone", "old"], &[(2, "new")], &["Gone"]), [None, Some(id(2))]);
    }

    #[test]
    fn an_unreadable_condition_has_no_bindings() {
        let bound = BoundCondition::rebind(json!({"field": "shoe_size"}), &Vocabulary::default(), &[], &[]);
        assert_eq!(bound.bindings(), Some(&Bindings::default()));
    }
}

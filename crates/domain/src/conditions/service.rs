//! Loading of the vocabulary for conditions.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::{Mentions, Vocabulary};
use crate::access::Access;
use crate::fields::{BotField, CustomField};
use crate::ids::TagId;
use crate::list_filter::NameFilter;
use crate::pagination::{Position, Sort, SortBy, SortKey, SortedRequest};
use crate::ports::{FieldQueries, StoreError, TagQueries};
use crate::tags::Tag;
use crate::text::fold;

/// Number of tags loaded on either side of an unknown name, to suggest similar names.
const NEIGHBOURS: u32 = 50;
/// Maximum number of unknown names with suggestions.
const HINTED: usize = 3;

/// Loads the vocabulary of the workspace: all its fields, and the tags that conditions mention. In a flow, add
/// [`Vocabulary::with_vars`] and [`Vocabulary::with_event`].
///
/// # Errors
/// Those of the store.
pub async fn vocabulary_for(
    access: &Access,
    fields: &dyn FieldQueries,
    tags: &dyn TagQueries,
    mentions: &Mentions,
) -> Result<Vocabulary, StoreError> {
    let known = mentioned_tags(access, tags, mentions).await?;
    let vocabulary = Vocabulary::new(fields.all(access).await?, fields.bot_all(access).await?, known.iter().cloned());
    let mut hints = Vec::new();
    for name in mentions.tags.iter().filter(|tag| vocabulary.tag(tag).is_none()).take(HINTED) {
        hints.extend(neighbours(access, tags, name).await?);
    }
    Ok(vocabulary.with_tags(hints))
}

/// Builds the vocabulary from the workspace's catalog and the given bot fields. The change set that relies on it needs
/// a [guard](crate::ports::Guard::Catalog) on the catalog. Unknown names get no suggestions, so it is for conditions
/// that were parsed before.
pub(crate) fn vocabulary_of(
    (tags, custom_fields): (&BTreeMap<TagId, Tag>, &[CustomField]),
    bot_fields: Vec<BotField>,
    mentions: &Mentions,
) -> Vocabulary {
    let mentioned = mentions.tags.iter().filter_map(|tag| match tag.parse::<TagId>() {
        Ok(id) => tags.get(&id),
        Err(_) => {
            let key = fold(tag);
            tags.values().find(|it| it.name_key() == key)
        }
    });
    Vocabulary::new(custom_fields.iter().cloned(), bot_fields, mentioned.cloned())
}

/// Returns the tags around a name, sorted by folded name.
async fn neighbours(access: &Access, tags: &dyn TagQueries, name: &str) -> Result<Vec<Tag>, StoreError> {
    let mut found = Vec::new();
    for descending in [false, true] {
        let order = Sort { by: SortBy::FoldedName, descending };
        let after = Some(Position { at: SortKey::Text(Some(fold(name))), id: Uuid::nil() });
        found.extend(
            tags.list(
                access,
                &NameFilter::default(),
                SortedRequest { limit: NEIGHBOURS, order, after, counted: false },
            )
            .await?
            .items,
        );
    }
    Ok(found)
}

async fn mentioned_tags(access: &Access, tags: &dyn TagQueries, mentions: &Mentions) -> Result<Vec<Tag>, StoreError> {
    let ids: Vec<TagId> = mentions.tags.iter().filter_map(|tag| tag.parse().ok()).collect();
    let names: Vec<String> =
        mentions.tags.iter().filter(|tag| tag.parse::<TagId>().is_err()).map(|name| fold(name)).collect();
    let mut found = if ids.is_empty() { Vec::new() } else { tags.by_ids(access, &ids).await? };
    if !names.is_empty() {
        found.extend(tags.by_name_keys(access, &names).await?);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ids::TypedId;
    use crate::time::Timestamp;

    fn a_tag(number: u128, name: &str) -> (TagId, Tag) {
        let id = TagId::from_uuid(Uuid::from_u128(number));
        (id, Tag::new(id, name, Timestamp::EPOCH_2026))
    }

    #[test]
    fn finds_tags_in_the_catalog_by_id_and_name() {
        let tags: BTreeMap<_, _> = [a_tag(1, "VIP"), a_tag(2, "Ärzte"), a_tag(3, "other")].into();
        let by_id = json!({"field": "tags", "operator": "contains", "value": TagId::from_uuid(Uuid::from_u128(1))});
        let by_name = json!({"field": "tags", "operator": "contains_any", "value": ["ärzte", "gone"]});
        let vocabulary = vocabulary_of((&tags, &[]), Vec::new(), &Mentions::of([&by_id, &by_name]));
        assert_eq!(vocabulary.tag("vip"), Some(TagId::from_uuid(Uuid::from_u128(1))));
        assert_eq!(vocabulary.tag("ÄRZTE"), Some(TagId::from_uuid(Uuid::from_u128(2))));
        assert_eq!((vocabulary.tag("other"), vocabulary.tag("gone")), (None, None));
    }
}

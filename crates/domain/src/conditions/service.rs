//! Loading what conditions may speak of.

use serde_json::Value;
use uuid::Uuid;

use super::{Mentions, Vocabulary};
use crate::access::Access;
use crate::ids::TagId;
use crate::list_filter::NameFilter;
use crate::pagination::{Position, Sort, SortBy, SortKey, SortedRequest};
use crate::ports::{FieldQueries, StoreError, TagQueries};
use crate::tags::Tag;
use crate::text::fold;

/// How many tags on either side of an unknown name, in the order of names, are loaded to tell which are near.
const NEIGHBOURS: u32 = 50;
/// For how many unknown names that is done.
const HINTED: usize = 3;

/// The vocabulary of the workspace: all its fields, and those of its tags that the conditions mention.
/// In a flow, add [`Vocabulary::with_vars`] and [`Vocabulary::with_event`].
///
/// # Errors
/// Those of the store.
pub async fn vocabulary_for(
    access: &Access,
    fields: &dyn FieldQueries,
    tags: &dyn TagQueries,
    conditions: &[&Value],
) -> Result<Vocabulary, StoreError> {
    let mentions = Mentions::of(conditions.iter().copied());
    let known = mentioned_tags(access, tags, &mentions).await?;
    let vocabulary = Vocabulary::new(fields.all(access).await?, fields.bot_all(access).await?, known.iter().cloned());
    let mut hints = Vec::new();
    for name in mentions.tags.iter().filter(|tag| vocabulary.tag(tag).is_none()).take(HINTED) {
        hints.extend(neighbours(access, tags, name).await?);
    }
    Ok(vocabulary.with_tags(hints))
}

/// The tags that stand around a name in the order of names.
async fn neighbours(access: &Access, tags: &dyn TagQueries, name: &str) -> Result<Vec<Tag>, StoreError> {
    let mut found = Vec::new();
    for descending in [false, true] {
        let order = Sort { by: SortBy::Name, descending };
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

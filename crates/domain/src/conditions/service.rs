//! Loading what conditions may speak of.

use serde_json::Value;

use super::{Mentions, Vocabulary};
use crate::access::Access;
use crate::ids::TagId;
use crate::pagination::PageRequest;
use crate::ports::{FieldQueries, StoreError, TagQueries};
use crate::tags::Tag;
use crate::text::fold;

/// How many tags are loaded to tell which names are near.
const HINTS: u32 = 100;

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
    if mentions.tags.iter().all(|tag| vocabulary.tag(tag).is_some()) {
        return Ok(vocabulary);
    }
    let hints = tags.list(access, PageRequest { limit: HINTS, ..PageRequest::default() }).await?;
    Ok(vocabulary.with_tags(hints.items))
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

//! Lost references of stored conditions: objects deleted with `force`, and names without an object.

use super::{Audience, Audiences, Segment};
use crate::access::Access;
use crate::conditions::{BoundCondition, LostWord, Meaning};
use crate::ports::StoreError;
use crate::references::{LostReference, Referent, Referrer, lost_members};
use crate::time::Timestamp;

impl Audiences {
    /// The lost references of a segment.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn lost_of_segment(&self, access: &Access, it: &Segment) -> Result<Vec<LostReference>, StoreError> {
        self.lost_references(access, Referrer::Stored(it.id.into()), Some(&it.condition), it.updated_at).await
    }

    /// The lost references of an audience's owner, including its segment's.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn lost_of_audience(
        &self,
        access: &Access,
        owner: Referrer,
        audience: &Audience,
        since: Timestamp,
    ) -> Result<Vec<LostReference>, StoreError> {
        let mut lost = self.lost_references(access, owner, audience.condition(), since).await?;
        if let Audience::Segment(segment) = audience
            && let Some(segment) = self.ports.segments.get(access, *segment).await?
        {
            lost.extend(self.lost_of_segment(access, &segment).await?);
        }
        Ok(lost)
    }

    /// The members in a condition who left. Unlike other lost references, they do not stop the owner of the condition.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn lost_members(
        &self,
        access: &Access,
        condition: &BoundCondition,
        since: Timestamp,
    ) -> Result<Vec<LostReference>, StoreError> {
        lost_members(&*self.ports.members, access, condition.mentions().members, since).await
    }

    /// The lost references of an object with this as its only condition. Losses of unknown time get the time `since`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn lost_references(
        &self,
        access: &Access,
        owner: Referrer,
        condition: Option<&BoundCondition>,
        since: Timestamp,
    ) -> Result<Vec<LostReference>, StoreError> {
        let mut lost = self.ports.references.lost_references(access, owner).await?;
        let words = match condition {
            Some(condition) => self.lost_words(access, condition).await?,
            None => Vec::new(),
        };
        for word in words {
            let found = of_word(word, since);
            let is_told = |it: &LostReference| match (it.target, found.target) {
                (Some(one), Some(other)) => one == other,
                (Some(_) | None, _) => it.kind == found.kind && it.name == found.name,
            };
            if !lost.iter().any(is_told) {
                lost.push(found);
            }
        }
        Ok(lost)
    }
}

/// Converts a lost name to a lost reference.
fn of_word(word: LostWord, since: Timestamp) -> LostReference {
    let bound = word.meaning.map(|meaning| match meaning {
        Meaning::Tag(tag) => Referent::Tag(tag),
        Meaning::Field(field) => Referent::Field(field),
        Meaning::BotField(field) => Referent::BotField(field),
        Meaning::Secret(secret) => Referent::Secret(secret),
    });
    let target = bound.or_else(|| word.name.parse().ok().map(Referent::Channel));
    LostReference { kind: word.kind.as_str(), target, name: word.name, at: word.at.unwrap_or(since) }
}

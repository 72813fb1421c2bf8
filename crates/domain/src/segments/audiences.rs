//! Conditions that are kept and choose contacts later: what is wrong with them, what they name, and whom they choose.

use std::sync::Arc;

use serde_json::Value;

use super::Audience;
use crate::access::Access;
use crate::conditions::{Condition, Names, Selection, vocabulary_for};
use crate::error::Violation;
use crate::ports::{Ports, StoreError};
use crate::references::Referent;
use crate::sequences::zone_of;
use crate::time::Timestamp;

/// Whom a condition chooses, and what it names.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Whom it chooses.
    pub selection: Selection,
    /// What it names.
    pub names: Names,
}

/// Reads conditions that choose contacts.
#[derive(Clone)]
pub struct Audiences {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl Audiences {
    /// What is wrong with a condition, with pointers that begin with `pointer`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn check(&self, access: &Access, written: &Value, pointer: &str) -> Result<Vec<Violation>, StoreError> {
        let vocabulary = vocabulary_for(access, &*self.ports.fields, &*self.ports.tags, &[written]).await?;
        let violations = Condition::parse(written, &vocabulary).err().unwrap_or_default();
        Ok(violations.into_iter().map(|violation| violation.under(pointer)).collect())
    }

    /// What a condition that was kept names and is there.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn names(&self, access: &Access, written: &Value) -> Result<Vec<Referent>, StoreError> {
        let vocabulary = vocabulary_for(access, &*self.ports.fields, &*self.ports.tags, &[written]).await?;
        let names = Condition::parse_stored(written, &vocabulary).map_err(corrupt)?.names();
        let tags = names.tags.into_iter().map(Referent::Tag);
        let fields = names.custom_fields.into_iter().map(Referent::Field);
        let mut named: Vec<Referent> =
            tags.chain(fields).chain(names.bot_fields.into_iter().map(Referent::BotField)).collect();
        for channel in names.channels {
            if self.ports.channels.get(access, channel).await?.is_some() {
                named.push(Referent::Channel(channel));
            }
        }
        Ok(named)
    }

    /// The condition of an audience as it is now; `None` where its segment is gone.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn condition(&self, access: &Access, audience: &Audience) -> Result<Option<Value>, StoreError> {
        Ok(match audience {
            Audience::Condition(condition) => Some(condition.clone()),
            Audience::Segment(segment) => self.ports.segments.get(access, *segment).await?.map(|it| it.condition),
        })
    }

    /// Whom a condition chooses at an instant, or all that is wrong with it: that it names what is gone, too, with which it
    /// would choose others than were meant.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn choice(
        &self,
        access: &Access,
        written: &Value,
        now: Timestamp,
    ) -> Result<Result<Choice, Vec<Violation>>, StoreError> {
        let vocabulary = vocabulary_for(access, &*self.ports.fields, &*self.ports.tags, &[written]).await?;
        let zone = zone_of(&*self.ports.access, access).await?;
        Ok(Condition::parse(written, &vocabulary).map(|condition| Choice {
            selection: condition.selection(&vocabulary.bot_values(), now, zone).without_retired(&vocabulary),
            names: condition.names(),
        }))
    }

    /// Whom a condition that was kept chooses at an instant.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn selection(&self, access: &Access, written: &Value, now: Timestamp) -> Result<Selection, StoreError> {
        let vocabulary = vocabulary_for(access, &*self.ports.fields, &*self.ports.tags, &[written]).await?;
        let condition = Condition::parse_stored(written, &vocabulary).map_err(corrupt)?;
        let zone = zone_of(&*self.ports.access, access).await?;
        Ok(condition.selection(&vocabulary.bot_values(), now, zone).without_retired(&vocabulary))
    }
}

fn corrupt(_: Vec<Violation>) -> StoreError {
    StoreError::Corrupt("a condition that was kept".to_owned())
}

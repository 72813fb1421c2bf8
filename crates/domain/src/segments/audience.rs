//! Conditions that are kept and choose contacts later: what is wrong with them, what they name, and whom they choose.

use std::sync::Arc;

use serde_json::Value;

use crate::access::Access;
use crate::conditions::{Condition, Selection, vocabulary_for};
use crate::error::Violation;
use crate::ports::{Ports, StoreError};
use crate::references::Referent;
use crate::time::Timestamp;

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

    /// Whom a condition that was kept chooses at an instant.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn selection(&self, access: &Access, written: &Value, now: Timestamp) -> Result<Selection, StoreError> {
        let vocabulary = vocabulary_for(access, &*self.ports.fields, &*self.ports.tags, &[written]).await?;
        let condition = Condition::parse_stored(written, &vocabulary).map_err(corrupt)?;
        Ok(condition.selection(&vocabulary.bot_values(), now).without_retired(&vocabulary))
    }
}

fn corrupt(_: Vec<Violation>) -> StoreError {
    StoreError::Corrupt("a condition that was kept".to_owned())
}

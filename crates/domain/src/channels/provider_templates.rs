//! The templates that the provider of a channel stores, and their copy in memory.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;

use super::model::Channel;
use crate::ids::ChannelId;
use crate::time::Timestamp;
use crate::words::words;

/// Maximum age of a copy that is used.
const LIFE: Duration = Duration::from_secs(15 * 60);
/// Maximum number of channels with a copy.
const MAX_COPIES: usize = 64;

/// The templates of a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderTemplates {
    /// The templates.
    pub data: Vec<ProviderTemplate>,
    /// When the server asked the provider for them.
    pub fetched_at: Timestamp,
}

/// A template that the provider stores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderTemplate {
    /// The name.
    pub name: String,
    /// The language, such as `en_US`.
    pub language: String,
    /// The provider's word for the category, such as `MARKETING`.
    pub category: String,
    /// The provider's word for the status. Only a template with `APPROVED` can be sent.
    pub status: String,
    /// The header, the text, the footer and the buttons.
    pub components: Vec<ProviderTemplateComponent>,
    /// The parameters that a message with the template must have.
    pub parameters: Vec<ProviderTemplateParameter>,
}

/// A component of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderTemplateComponent {
    /// The provider's word for the type, such as `BODY`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The provider's word for the format of a header, such as `IMAGE`.
    pub format: Option<String>,
    /// The text with its placeholders.
    pub text: Option<String>,
    /// The buttons.
    pub buttons: Vec<ProviderTemplateButton>,
}

/// A button of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderTemplateButton {
    /// The provider's word for the type, such as `URL`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The title.
    pub text: Option<String>,
    /// The link with its placeholder.
    pub url: Option<String>,
}

/// A parameter of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderTemplateParameter {
    /// The name in `template.parameters` of a message.
    #[cfg_attr(feature = "openapi", schema(example = "header.1"))]
    pub name: String,
    /// Type of the value.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
}

words! {
    /// Type of a parameter's value.
    ParameterKind {
        /// A text.
        Text = "text",
        /// A file.
        Media = "media",
    }
}

/// The copies of this process, by channel. A change of the channel makes its copy invalid.
#[derive(Debug, Default)]
pub(crate) struct TemplateCopies(Mutex<HashMap<ChannelId, (i64, ProviderTemplates)>>);

impl TemplateCopies {
    /// Returns the copy of a channel, if it is at most 15 minutes old.
    pub fn get(&self, channel: &Channel, now: Timestamp) -> Option<ProviderTemplates> {
        let copies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (version, copy) = copies.get(&channel.id)?;
        let is_recent = *version == channel.version && now.since(copy.fetched_at) <= LIFE;
        is_recent.then(|| copy.clone())
    }

    /// Keeps a copy, in place of the oldest one if there are too many.
    pub fn keep(&self, channel: &Channel, templates: &ProviderTemplates) {
        let mut copies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if copies.len() >= MAX_COPIES && !copies.contains_key(&channel.id) {
            let oldest = copies.iter().min_by_key(|(_, (_, copy))| copy.fetched_at).map(|(id, _)| *id);
            if let Some(id) = oldest {
                copies.remove(&id);
            }
        }
        copies.insert(channel.id, (channel.version, templates.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypedId;
    use crate::testing::a_channel;
    use uuid::Uuid;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn at(seconds: u64) -> Timestamp {
        NOW.plus(Duration::from_secs(seconds))
    }

    #[test]
    fn a_copy_is_used_for_15_minutes_and_until_the_channel_changes() {
        let (copies, channel) = (TemplateCopies::default(), a_channel());
        let templates = ProviderTemplates { data: Vec::new(), fetched_at: NOW };
        assert_eq!(copies.get(&channel, NOW), None);
        copies.keep(&channel, &templates);
        assert_eq!(copies.get(&channel, at(900)), Some(templates));
        assert_eq!(copies.get(&channel, at(901)), None);
        let changed = Channel { version: channel.version + 1, ..channel };
        assert_eq!(copies.get(&changed, NOW), None);
    }

    #[test]
    fn the_oldest_copy_is_replaced() {
        let copies = TemplateCopies::default();
        let channel = |number: u64| Channel { id: ChannelId::from_uuid(Uuid::from_u128(number.into())), ..a_channel() };
        for number in 0..=64 {
            copies.keep(&channel(number), &ProviderTemplates { data: Vec::new(), fetched_at: at(number) });
        }
        let kept = |number: u64| copies.get(&channel(number), at(64)).is_some();
        assert_eq!([kept(0), kept(1), kept(64)], [false, true, true]);
    }
}

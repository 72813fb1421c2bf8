//! `/channel-types`: the types of channels that the server supports.

use serde::Serialize;
use serde_json::Value;
use tidings_domain::channels::{
    CapabilitiesView, ChannelKind, ChannelType, ConfigField, SetupStep, TextUnit, schema_of,
};
use utoipa::ToSchema;

use crate::request::RequestContext;
use crate::request::paging::List;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// A type of channel.
#[derive(Serialize, ToSchema)]
#[schema(as = ChannelType)]
struct ChannelTypeView {
    /// Word of the type.
    kind: ChannelKind,
    /// Name of the type.
    title: &'static str,
    /// JSON Schema of `config` of a new channel.
    #[schema(value_type = Object)]
    config_schema: Value,
    /// JSON Schema of `secrets` of a new channel.
    #[schema(value_type = Object)]
    secrets_schema: Value,
    /// Members of `config` that cannot be changed later. A member of an object is named `object.member`.
    fixed: Vec<String>,
    /// Capabilities of its channels.
    capabilities: CapabilitiesView,
    /// Limits of its messages.
    limits: MessageLimitsView,
    /// Steps to set up a channel at the provider.
    setup: Vec<SetupStepView>,
}

/// Limits of the messages of a channel.
#[derive(Serialize, ToSchema)]
#[schema(as = MessageLimits)]
struct MessageLimitsView {
    /// Maximum length of a text.
    text: usize,
    /// Unit of `text`: `characters`, `utf16` or `bytes`.
    #[schema(example = "characters")]
    unit: &'static str,
}

/// A step to set up a channel at the provider.
#[derive(Serialize, ToSchema)]
#[schema(as = SetupStep)]
struct SetupStepView {
    /// Instruction.
    text: &'static str,
    /// Field of the channel. The user copies its value to the provider.
    #[schema(example = "inbound_path")]
    copy: Option<&'static str>,
}

impl From<&'static ChannelType> for ChannelTypeView {
    fn from(it: &'static ChannelType) -> Self {
        let unit = match it.limits.unit {
            TextUnit::Characters => "characters",
            TextUnit::Utf16 => "utf16",
            TextUnit::Bytes => "bytes",
        };
        Self {
            kind: it.kind,
            title: it.title,
            config_schema: schema_of(it.config),
            secrets_schema: schema_of(it.secrets),
            fixed: fixed_members(it.config, ""),
            capabilities: it.capabilities.into(),
            limits: MessageLimitsView { text: it.limits.text, unit },
            setup: it.setup.iter().map(|SetupStep { text, copy }| SetupStepView { text, copy: *copy }).collect(),
        }
    }
}

/// Returns the names of fixed members, also in objects.
fn fixed_members(fields: &[ConfigField], prefix: &str) -> Vec<String> {
    let named = |field: &ConfigField| format!("{prefix}{}", field.name);
    fields
        .iter()
        .flat_map(|field| {
            let own = field.fixed.then(|| named(field));
            own.into_iter().chain(fixed_members(field.shape.members(), &format!("{}.", named(field))))
        })
        .collect()
}

/// List channel types.
///
/// Returns all types of channels that this server serves on one page, each with the schema of its configuration.
#[utoipa::path(get, path = "/api/v1/channel-types", tag = "Channels",
    responses((status = 200, description = "All types of channels.", body = List<ChannelTypeView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let data = cx.services().ports.connectors.types().map(ChannelTypeView::from).collect();
    Ok(Answer::json(&List { data, next_cursor: None, total: None, total_is_capped: None }))
}

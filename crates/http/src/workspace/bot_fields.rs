//! `/bot-fields`: values of the workspace itself.

use serde_json::Value;
use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::fields::{BotField, BotFieldView, FieldKind, FieldRef, NewBotField};
use tidings_domain::ids::BotFieldId;
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::choice;
use tidings_domain::read::{any, name};

use crate::contacts::SetValue;
use crate::contacts::custom_fields::key;
use crate::request::paging::{List, PageParams};
use crate::request::path::BOT_FIELD;
use crate::request::{ForceParams, RequestContext};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

const READ_ONLY: &[&str] = &["id", "created_at", "updated_at", "version"];

/// Key and type never change; the value is set by its own request.
const READ_ONLY_IN_UPDATES: &[&str] = &["id", "key", "type", "value", "created_at", "updated_at", "version"];

body! {
    /// A bot field to create.
    #[read_only(READ_ONLY)]
    struct CreateBotField {
        /// Key for templates (`bot_fields.KEY`); derived from `name` if absent.
        nullable key: String = key();
        /// Display name.
        required name: String = name(1..=100);
        /// Type of the value.
        required kind as "type": FieldKind = choice(
            "BotFieldType", "Type of the value of a bot field.", &FieldKind::OF_BOT_FIELDS, of_bot_field);
        /// The first value.
        or_default value: Value = any();
    }
}

body! {
    /// A new name of a bot field.
    #[read_only(READ_ONLY_IN_UPDATES)]
    struct RenameBotField {
        /// Display name.
        optional name: String = name(1..=100);
    }
}

/// List bot fields.
///
/// Each bot field includes its value.
#[utoipa::path(get, path = "/api/v1/bot-fields", tag = "Bot fields", params(PageParams),
    responses((status = 200, description = "A page of bot fields.", body = List<BotFieldView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().bot_fields.list(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, |field| BotFieldView::from(field)))
}

/// Create a bot field.
///
/// The server derives the key from the name if it is absent. Templates use the value as `bot_fields.KEY`.
#[utoipa::path(post, path = "/api/v1/bot-fields", tag = "Bot fields", request_body = CreateBotField, responses(
    (status = 201, description = "The bot field.", body = BotFieldView),
    (status = 409, description = "`key_taken`: another bot field has this key.")))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let CreateBotField { key, name, kind, value } = cx.body()?;
    let command = NewBotField { key, name, kind, value };
    let render = |done: &Done<BotField>| {
        show(&done.value).outcome(done.outcome).located(format!("/api/v1/bot-fields/{}", done.value.id))
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().bot_fields.create(cx.access(), command, idempotency).await
    })
    .await
}

/// Get a bot field.
///
/// Includes the value; `null` if it has none.
#[utoipa::path(get, path = "/api/v1/bot-fields/{id}", tag = "Bot fields",
    responses((status = 200, description = "The bot field.", body = BotFieldView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(load_answer(&cx, &field_ref(&cx)?).await?)
}

/// Set the value of a bot field.
///
/// The value must match the type of the field; `null` clears it. Flows and templates use the new value from then on.
#[utoipa::path(post, path = "/api/v1/bot-fields/{id}", tag = "Bot fields",
    request_body = SetValue,
    responses((status = 200, description = "The updated bot field.", body = BotFieldView)))]
pub async fn set(cx: RequestContext) -> Result<Answer, Problem> {
    let SetValue { value } = cx.body()?;
    let value = value.unwrap_or_default();
    let field = field_ref(&cx)?;
    cx.run_idempotent(
        |done: &Done<BotField>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(load_answer(&cx, &field)).await?;
            cx.services().bot_fields.set(cx.access(), &field, &value, &expected, idempotency).await
        },
    )
    .await
}

/// Update a bot field.
///
/// Changes the name. The key never changes; `POST` sets the value.
#[utoipa::path(patch, path = "/api/v1/bot-fields/{id}", tag = "Bot fields",
    request_body = RenameBotField,
    responses((status = 200, description = "The updated bot field.", body = BotFieldView)))]
pub async fn patch(cx: RequestContext) -> Result<Answer, Problem> {
    let RenameBotField { name } = cx.body()?;
    let field = field_ref(&cx)?;
    let expected = cx.expected(load_answer(&cx, &field)).await?;
    Ok(show(&cx.services().bot_fields.rename(cx.access(), &field, name.as_deref(), &expected).await?))
}

/// Delete a bot field.
///
/// Fails with `in_use` if other objects use the field, unless `force` is set.
#[utoipa::path(delete, path = "/api/v1/bot-fields/{id}", tag = "Bot fields",
    params(ForceParams),
    responses((status = 204, description = "Deleted."),
    (status = 409, description = "`in_use`: other objects use it; `dependents` lists them.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let field = field_ref(&cx)?;
    let expected = cx.expected(load_answer(&cx, &field)).await?;
    cx.services().bot_fields.delete(cx.access(), &field, deletion, &expected).await?;
    Ok(Answer::no_content())
}

fn of_bot_field(word: &str) -> Option<FieldKind> {
    FieldKind::parse(word).filter(|kind| FieldKind::OF_BOT_FIELDS.contains(&kind.as_str()))
}

fn field_ref(cx: &RequestContext) -> Result<FieldRef<BotFieldId>, Problem> {
    cx.path_parameter(&BOT_FIELD)
}

async fn load_answer(cx: &RequestContext, field: &FieldRef<BotFieldId>) -> Result<Answer, Error> {
    Ok(show(&cx.services().bot_fields.get(cx.access(), field).await?))
}

fn show(field: &BotField) -> Answer {
    Answer::object(&BotFieldView::from(field), field.version)
}

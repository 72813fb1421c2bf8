//! `/bot-fields`: values of the workspace itself.

use serde_json::Value;
use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::fields::{BotField, BotFieldView, FieldKind, FieldRef, NewBotField};
use tidings_domain::ids::BotFieldId;
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::choice;
use tidings_domain::read::{any, name};

use crate::answer::Answer;
use crate::contacts::SetValue;
use crate::custom_fields::key;
use crate::paging::{List, PageParams};
use crate::path::BOT_FIELD;
use crate::problem::Problem;
use crate::request::{Cx, ForceParams};

const READ_ONLY: &[&str] = &["id", "created_at", "updated_at", "version"];

/// Key and type never change, and the value has a request of its own.
const READ_ONLY_IN_UPDATES: &[&str] = &["id", "key", "type", "value", "created_at", "updated_at", "version"];

body! {
    /// A bot field to be created.
    #[read_only(READ_ONLY)]
    struct CreateBotField {
        /// The name in templates (`bot_fields.KEY`); made from `name` when absent.
        nullable key: String = key();
        /// What people call it.
        required name: String = name(1..=100);
        /// The type of its value.
        required kind as "type": FieldKind = choice(
            "BotFieldType", "The type of a bot field's value.", &FieldKind::OF_BOT_FIELDS, of_bot_field);
        /// Its first value.
        or_default value: Value = any();
    }
}

body! {
    /// A new name.
    #[read_only(READ_ONLY_IN_UPDATES)]
    struct RenameBotField {
        /// What people call it.
        optional name: String = name(1..=100);
    }
}

/// Lists bot fields.
///
/// Each with its value.
#[utoipa::path(get, path = "/api/v1/bot-fields", tag = "Bot fields", params(PageParams),
    responses((status = 200, description = "A page of bot fields.", body = List<BotFieldView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().bot_fields.list(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, |field| BotFieldView::from(field)))
}

/// Creates a bot field.
///
/// Its key is made of the name where none is given; templates name it as `bot_fields.KEY`.
#[utoipa::path(post, path = "/api/v1/bot-fields", tag = "Bot fields", request_body = CreateBotField, responses(
    (status = 201, description = "The bot field.", body = BotFieldView),
    (status = 409, description = "`key_taken`: another bot field has this key.")))]
pub async fn create(cx: Cx) -> Result<Answer, Problem> {
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

/// Shows a bot field.
///
/// With its value; `null` where it has none.
#[utoipa::path(get, path = "/api/v1/bot-fields/{id}", tag = "Bot fields",
    responses((status = 200, description = "The bot field.", body = BotFieldView)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    Ok(shown(&cx, &named(&cx)?).await?)
}

/// Sets the value of a bot field.
///
/// The value must be of the field's type; `null` takes it away. Flows and templates that are rendered afterwards have it.
#[utoipa::path(post, path = "/api/v1/bot-fields/{id}", tag = "Bot fields",
    request_body = SetValue,
    responses((status = 200, description = "The bot field afterwards.", body = BotFieldView)))]
pub async fn set(cx: Cx) -> Result<Answer, Problem> {
    let SetValue { value } = cx.body()?;
    let value = value.unwrap_or_default();
    let field = named(&cx)?;
    cx.run_idempotent(
        |done: &Done<BotField>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(shown(&cx, &field)).await?;
            cx.services().bot_fields.set(cx.access(), &field, &value, &expected, idempotency).await
        },
    )
    .await
}

/// Renames a bot field.
///
/// Its key stays, and its value is set by POST.
#[utoipa::path(patch, path = "/api/v1/bot-fields/{id}", tag = "Bot fields",
    request_body = RenameBotField,
    responses((status = 200, description = "The bot field afterwards.", body = BotFieldView)))]
pub async fn patch(cx: Cx) -> Result<Answer, Problem> {
    let RenameBotField { name } = cx.body()?;
    let field = named(&cx)?;
    let expected = cx.expected(shown(&cx, &field)).await?;
    Ok(show(&cx.services().bot_fields.rename(cx.access(), &field, name.as_deref(), &expected).await?))
}

/// Deletes a bot field.
///
/// One that others name is `in_use`, unless it is forced.
#[utoipa::path(delete, path = "/api/v1/bot-fields/{id}", tag = "Bot fields",
    params(ForceParams),
    responses((status = 204, description = "It is gone."),
    (status = 409, description = "`in_use`: other objects name it; `dependents` lists them.")))]
pub async fn delete(cx: Cx) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let field = named(&cx)?;
    let expected = cx.expected(shown(&cx, &field)).await?;
    cx.services().bot_fields.delete(cx.access(), &field, deletion, &expected).await?;
    Ok(Answer::no_content())
}

fn of_bot_field(word: &str) -> Option<FieldKind> {
    FieldKind::parse(word).filter(|kind| FieldKind::OF_BOT_FIELDS.contains(&kind.as_str()))
}

fn named(cx: &Cx) -> Result<FieldRef<BotFieldId>, Problem> {
    cx.named(&BOT_FIELD)
}

async fn shown(cx: &Cx, field: &FieldRef<BotFieldId>) -> Result<Answer, Error> {
    Ok(show(&cx.services().bot_fields.get(cx.access(), field).await?))
}

fn show(field: &BotField) -> Answer {
    Answer::object(&BotFieldView::from(field), field.version)
}

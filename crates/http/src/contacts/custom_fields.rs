//! `/custom-fields`: attributes that a workspace defines for its contacts.

use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::fields::{
    CustomField, CustomFieldPatch, CustomFieldView, FieldKind, FieldRef, NewCustomField, Rules,
};
use tidings_domain::ids::FieldId;
use tidings_domain::outcome::Done;
use tidings_domain::read;
use tidings_domain::read::schema::{Annotate, Describe, Described, described};
use tidings_domain::read::{Input, Read, Violation, integer, list as items, name, object, string, text, word};
use tidings_domain::text::is_key;

use crate::request::paging::{List, PageParams};
use crate::request::path::CUSTOM_FIELD;
use crate::request::{ForceParams, RemovalParams, RequestContext};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

const READ_ONLY: &[&str] = &["id", "created_at", "updated_at", "version"];
/// Key and type never change.
const READ_ONLY_IN_UPDATES: &[&str] = &["id", "key", "type", "created_at", "updated_at", "version"];

body! {
    /// A custom field to create.
    #[read_only(READ_ONLY)]
    struct CreateCustomField {
        /// Key in `custom_fields` of contacts; derived from `name` if absent.
        nullable key: String = key();
        /// Display name.
        required name: String = name(1..=100);
        /// Type of the values.
        required kind as "type": FieldKind = word(FieldKind::WORDS, FieldKind::parse);
        /// Options of `select` and `multi_select`.
        or_default options: Vec<String> = items(0..=100, read::name(1..=100));
        /// Rules for values, in addition to the type.
        or_default validation: Rules = rules();
    }
}

body! {
    /// Fields to update. Absent fields stay, `null` clears. Values of contacts stay, except removed options.
    #[read_only(READ_ONLY_IN_UPDATES)]
    struct UpdateCustomField {
        /// Display name.
        optional name: String = name(1..=100);
        /// Options of `select` and `multi_select`.
        optional options: Vec<String> = items(0..=100, read::name(1..=100));
        /// Rules for values, in addition to the type; replaced as a whole.
        patch validation: Rules = rules();
    }
}

/// List custom fields.
///
/// Includes type, validation and options. The values are in the contacts.
#[utoipa::path(get, path = "/api/v1/custom-fields", tag = "Custom fields", params(PageParams),
    responses((status = 200, description = "A page of custom fields.", body = List<CustomFieldView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().fields.list(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, |field| CustomFieldView::from(field)))
}

/// Create a custom field.
///
/// Key and type never change. Templates and conditions use it as `custom_fields.KEY`.
#[utoipa::path(post, path = "/api/v1/custom-fields", tag = "Custom fields", request_body = CreateCustomField,
    responses(
    (status = 201, description = "The custom field.", body = CustomFieldView),
    (status = 409, description = "`key_taken`: another custom field has this key.")))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let CreateCustomField { key, name, kind, options, validation } = cx.body()?;
    let command = NewCustomField { key, name, kind, options, rules: validation };
    let render = |done: &Done<CustomField>| {
        show(&done.value).outcome(done.outcome).located(format!("/api/v1/custom-fields/{}", done.value.id))
    };
    cx.run_idempotent(render, async |idempotency| cx.services().fields.create(cx.access(), command, idempotency).await)
        .await
}

/// Get a custom field.
///
/// Includes type, validation and options. The values are in the contacts.
#[utoipa::path(get, path = "/api/v1/custom-fields/{id}", tag = "Custom fields",
    responses((status = 200, description = "The custom field.", body = CustomFieldView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(load_answer(&cx, &field_ref(&cx)?).await?)
}

/// Update a custom field.
///
/// Present fields replace, absent fields stay, `null` clears. Removing an option that contacts, flows or sequences use
/// needs `?force=true`, and a key with the scope `full`. The option disappears at once. A job removes it from the
/// contacts, with one `contact.field_changed` event each.
#[utoipa::path(method(put, patch), path = "/api/v1/custom-fields/{id}", tag = "Custom fields", params(RemovalParams),
    request_body = UpdateCustomField,
    responses((status = 200, description = "The updated custom field.", body = CustomFieldView),
    (status = 409, description = "`in_use`: an option to be removed is used by `contacts` contacts (counted up to 10 \
                                  000, then `contacts_is_capped`) or by the objects in `dependents`.")))]
pub async fn update(cx: RequestContext) -> Result<Answer, Problem> {
    let (removal, query) = cx.removal()?;
    let UpdateCustomField { name, options, validation } = cx.body_with(query)?;
    let patch = CustomFieldPatch { name, options, rules: validation };
    let field = field_ref(&cx)?;
    let expected = cx.expected(load_answer(&cx, &field)).await?;
    Ok(show(&cx.services().fields.update(cx.access(), &field, patch, removal, &expected).await?))
}

/// Delete a custom field.
///
/// Its values are removed from all contacts at once.
#[utoipa::path(delete, path = "/api/v1/custom-fields/{id}", tag = "Custom fields",
    params(ForceParams),
    responses((status = 204, description = "Deleted."),
    (status = 409, description = "`in_use`: other objects use it; `dependents` lists them.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let field = field_ref(&cx)?;
    let expected = cx.expected(load_answer(&cx, &field)).await?;
    cx.services().fields.delete(cx.access(), &field, deletion, &expected).await?;
    Ok(Answer::no_content())
}

fn field_ref(cx: &RequestContext) -> Result<FieldRef<FieldId>, Problem> {
    cx.path_parameter(&CUSTOM_FIELD)
}

async fn load_answer(cx: &RequestContext, field: &FieldRef<FieldId>) -> Result<Answer, Error> {
    Ok(show(&cx.services().fields.get(cx.access(), field).await?))
}

fn show(field: &CustomField) -> Answer {
    Answer::object(&CustomFieldView::from(field), field.version)
}

/// Reads the key of a field.
pub(crate) fn key() -> impl Read<String> + Describe {
    const SHAPE: &str = "expected a lower-case letter, then up to 35 lower-case letters, digits and underscores";
    string(|text| match is_key(text) {
        true => Ok(text.to_owned()),
        false => Err(Violation::at_root("invalid_format", SHAPE)),
    })
    .with(|it| it.pattern(Some("^[a-z][a-z0-9_]{0,35}$")))
}

fn rules() -> impl Read<Rules> + Describe {
    let rules = object(|rules| {
        Some(Rules {
            min: rules.nullable("min", number),
            max: rules.nullable("max", number),
            max_length: rules.nullable("max_length", integer(1..=4_096)).and_then(|it| u32::try_from(it).ok()),
            pattern: rules.nullable("pattern", text(1..=500)),
        })
    });
    described(rules, Described::named::<Rules>)
}

fn number(input: Input<'_>) -> Result<f64, Vec<Violation>> {
    match input {
        Input::Number(number) => {
            number.as_f64().ok_or_else(|| Violation::at_root("wrong_type", "expected a number").into())
        }
        other => Err(Violation::at_root("wrong_type", format!("expected a number, got {}", other.kind())).into()),
    }
}

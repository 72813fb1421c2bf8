//! Actions on one contact: its tags and values, messages, events and flows.

use tidings_domain::contacts::{Contact, ContactView};
use tidings_domain::conversations::{Message, MessageView};
use tidings_domain::custom_events::{CustomEvent, CustomEventView};
use tidings_domain::flows::{Run, RunView};
use tidings_domain::outcome::Done;

use super::body::{self, AddTag, CreateCustomEvent, ReplaceTags, SendMessageBody, SetValue, StartFlowBody};
use super::{contact_ref, created_answer, load_answer, show};
use crate::request::RequestContext;
use crate::request::path::{CUSTOM_FIELD, TAG_OF_CONTACT};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// Add a tag to a contact.
///
/// An unknown tag name is created.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/tags", tag = "Contacts",
    request_body = AddTag, responses(
    (status = 201, description = "The contact with the new tag.", body = ContactView),
    (status = 200, description = "The contact, which already had the tag.", body = ContactView)))]
pub async fn add_tag(cx: RequestContext) -> Result<Answer, Problem> {
    let tag = body::add_tag(&cx)?;
    let contact = contact_ref(&cx)?;
    cx.run_idempotent(created_answer, async |idempotency| {
        let expected = cx.expected(load_answer(&cx, &contact)).await?;
        cx.services().contacts.add_tag(cx.access(), &contact, tag, &expected, idempotency).await
    })
    .await
}

/// Remove a tag from a contact.
///
/// The tag itself stays, also for other contacts.
#[utoipa::path(delete, path = "/api/v1/contacts/{id}/tags/{tag_id}", tag = "Contacts",
    responses((status = 204, description = "The tag is removed from the contact.")))]
pub async fn remove_tag(cx: RequestContext) -> Result<Answer, Problem> {
    let (contact, tag) = (contact_ref(&cx)?, cx.path_parameter(&TAG_OF_CONTACT)?);
    let expected = cx.expected(load_answer(&cx, &contact)).await?;
    cx.services().contacts.remove_tag(cx.access(), &contact, &tag, &expected).await?;
    Ok(Answer::no_content())
}

/// Replace the tags of a contact.
///
/// Unknown tag names are created. Each added or removed tag is a separate event. To remove a tag, a key needs the scope
/// `full`.
#[utoipa::path(put, path = "/api/v1/contacts/{id}/tags", tag = "Contacts",
    request_body = ReplaceTags, responses(
    (status = 200, description = "The updated contact.", body = ContactView)))]
pub async fn replace_tags(cx: RequestContext) -> Result<Answer, Problem> {
    let tags = body::tags(&cx)?;
    let contact = contact_ref(&cx)?;
    let expected = cx.expected(load_answer(&cx, &contact)).await?;
    Ok(show(&cx.services().contacts.replace_tags(cx.access(), &contact, &tags, &expected).await?))
}

/// Set the value of a custom field.
///
/// The value must match the type and the validation of the field; `null` clears it. A change creates one
/// `contact.field_changed` event; an equal value creates none.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/custom-fields/{field_id}", tag = "Contacts", request_body = SetValue,
    responses((status = 200, description = "The updated contact.", body = ContactView)))]
pub async fn set_field(cx: RequestContext) -> Result<Answer, Problem> {
    let SetValue { value } = cx.body()?;
    let value = value.unwrap_or_default();
    let contact = contact_ref(&cx)?;
    let field = cx.path_parameter(&CUSTOM_FIELD)?;
    cx.run_idempotent(
        |done: &Done<Contact>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(load_answer(&cx, &contact)).await?;
            cx.services().contacts.set_field(cx.access(), &contact, &field, &value, &expected, idempotency).await
        },
    )
    .await
}

/// Send a message to a contact.
///
/// The message is queued, or suppressed with a reason. `Location` is `GET /messages/{id}`, which returns its status.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/send-message", tag = "Contacts",
    request_body = SendMessageBody, responses(
    (status = 202, description = "The message, `queued` or `suppressed`.", body = MessageView),
    (status = 409, description = "`no_channel`: the workspace has no channel that can send the message. \
        `no_public_url`: the message has a file that the provider must load from the server.")))]
pub async fn send_message(cx: RequestContext) -> Result<Answer, Problem> {
    let command = body::send_message(&cx)?;
    let contact = contact_ref(&cx)?;
    let render = |done: &Done<Message>| {
        Answer::object(&MessageView::from(&done.value), done.value.version)
            .outcome(done.outcome)
            .located(format!("/api/v1/messages/{}", done.value.id))
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().conversations.send(cx.access(), &contact, command, idempotency).await
    })
    .await
}

/// Record a custom event.
///
/// A custom event is something that happened to a contact outside the service. It can trigger flows. Webhooks and
/// `GET /events` do not include it.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/events", tag = "Contacts", request_body = CreateCustomEvent,
    responses((status = 201, description = "The event.", body = CustomEventView)))]
pub async fn record_event(cx: RequestContext) -> Result<Answer, Problem> {
    let command = body::custom_event(&cx)?;
    let contact = contact_ref(&cx)?;
    let render = |done: &Done<CustomEvent>| Answer::json(&CustomEventView::from(&done.value)).outcome(done.outcome);
    cx.run_idempotent(render, async |idempotency| {
        cx.services().custom_events.record(cx.access(), &contact, command, idempotency).await
    })
    .await
}

/// Start a flow for a contact.
///
/// If the contact already has a live run of the flow, `mode` decides, or else the `reentry` setting of the flow: `skip`
/// returns the live run, `restart` interrupts it, and `parallel` starts another run.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/start-flow", tag = "Contacts",
    request_body = StartFlowBody, responses(
    (status = 202, description = "The new run.", body = RunView),
    (status = 200, description = "The live run.", body = RunView),
    (status = 409, description = "`flow_not_active`: the flow has no active published version.")))]
pub async fn start_flow(cx: RequestContext) -> Result<Answer, Problem> {
    let command = body::start_flow(&cx)?;
    let contact = contact_ref(&cx)?;
    let render = |done: &Done<Run>| {
        let run = format!("/api/v1/flow-runs/{}", done.value.id);
        Answer::object(&RunView::from(&done.value), done.value.version).outcome(done.outcome).located(run)
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().flows.start(cx.access(), &contact, command, idempotency).await
    })
    .await
}

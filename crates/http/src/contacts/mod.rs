//! `/contacts`: the people whom a workspace talks to.

pub mod batch;
mod body;
pub mod bulk;
pub mod export;
mod filter;
pub mod imports;
#[cfg(test)]
mod list_tests;
mod search;
#[cfg(test)]
mod tests;
mod wishes;

use actix_web::http::header::CONTENT_LOCATION;
use tidings_domain::Error;
use tidings_domain::contacts::{Contact, ContactFilter, ContactRef, ContactView};
use tidings_domain::conversations::{Message, MessageView};
use tidings_domain::custom_events::{CustomEvent, CustomEventView};
use tidings_domain::flows::{Run, RunView};
use tidings_domain::ids::ContactId;
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::{Annotate, Describe};
use tidings_domain::read::{Read, Violation, string};

pub(crate) use self::body::SetValue;
use self::body::{
    AddTag, CreateContact, CreateCustomEvent, CreateParams, ReplaceTags, SendMessageBody, StartFlowBody, UpdateContact,
};
use self::filter::{ContactFilters, ContactPage};
use self::search::SearchBody;
use self::wishes::{CreatedContact, Wishes};
use crate::answer::Answer;
use crate::paging::{Asked, List, Rows};
use crate::path::{CONTACT, CUSTOM_FIELD, DELETED_CONTACT, TAG_OF_CONTACT};
use crate::problem::{FieldError, Problem};
use crate::request::Cx;

/// How many contacts are read at once, if nothing is known of how long they are.
const AT_ONCE: u32 = 25;

/// Lists contacts that pass all filters.
///
/// What filters cannot say is asked by `POST /contacts/search`.
#[utoipa::path(get, path = "/api/v1/contacts", tag = "Contacts", params(ContactFilters, ContactPage),
    responses((status = 200, description = "A page of contacts.", body = List<ContactView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<ContactPage>()?;
    let filters: ContactFilters = query.read();
    query.finish().map_err(Problem::validation)?;
    let contacts = &cx.services().contacts;
    let filter = filter::resolve(&cx, filters).await?;
    let ask = async |request| contacts.list(cx.access(), &filter, request).await;
    let rows = Rows::gather(&paging, AT_ONCE, ask, |contact| ContactView::from(contact)).await?;
    Ok(cx.rows(&paging, rows))
}

/// Finds the contacts that satisfy a condition.
///
/// It only reads, so `Idempotency-Key` is ignored. The next page is asked for by the same request with `cursor`.
#[utoipa::path(post, path = "/api/v1/contacts/search", tag = "Contacts", request_body = SearchBody,
    responses((status = 200, description = "A page of contacts.", body = List<ContactView>)))]
pub async fn search(cx: Cx) -> Result<Answer, Problem> {
    let SearchBody { filter, sort: order, limit, cursor } = cx.body()?;
    let limit = limit.and_then(|limit| u32::try_from(limit).ok());
    let asked = Asked { limit, order, counted: false, cursor };
    let (selection, by_id) = cx.services().contacts.selection(cx.access(), &filter, "/filter").await?;
    // A cursor is for the tags and fields that were meant, whatever has their names now.
    let paging = cx.paging(asked, &search::normal_form(&by_id))?;
    let filter = ContactFilter { selection: Some(selection), ..ContactFilter::default() };
    let ask = async |request| cx.services().contacts.list(cx.access(), &filter, request).await;
    let rows = Rows::gather(&paging, AT_ONCE, ask, |contact| ContactView::from(contact)).await?;
    Ok(cx.rows_of_body(&paging, rows))
}

/// Creates a contact, with tags and custom field values.
///
/// Tags that are named and not there yet are created too. With `on_conflict=update` the contact that has one of the
/// identifiers is updated instead, by merge: what is absent stays, `null` clears, and tags are added. The identifiers rank:
/// external ID, email address, phone number. A contact that has another value for a higher-ranked identifier is another
/// person: 409 `contact_exists`.
///
/// A contact that opted out stays so: the answer has `subscribed` as `false` and `still_opted_out` as `true`.
#[utoipa::path(post, path = "/api/v1/contacts", tag = "Contacts", params(CreateParams),
    request_body = CreateContact, responses(
    (status = 201, description = "The contact that was created.", body = CreatedContact),
    (status = 200, description = "With `on_conflict=update`: the contact that was there, afterwards.", body = CreatedContact),
    (status = 409, description = "`contact_exists`: another contact has this e-mail address, phone number, external id or address on a channel; `existing_id` names it.")))]
pub async fn create(cx: Cx) -> Result<Answer, Problem> {
    let (patch, tags, upserts) = match body::create(&cx) {
        Ok(it) => it,
        Err(problem) => return Err(body::with_wrong_names(&cx, problem).await),
    };
    let contacts = &cx.services().contacts;
    let wishes = Wishes::of(&patch);
    let render = |done: &Done<Contact>| wishes.answer(done);
    cx.run_idempotent(render, async |idempotency| match upserts {
        None => contacts.create(cx.access(), patch.into_new(tags), idempotency).await,
        Some(key) => contacts.upsert(cx.access(), patch, tags, key, idempotency).await,
    })
    .await
}

/// Shows a contact.
///
/// Of one that was merged into another, that one is the answer. `Content-Location` is the address of what is shown, where
/// the path has another name for it.
#[utoipa::path(get, path = "/api/v1/contacts/{id}", tag = "Contacts",
    responses((status = 200, description = "The contact.", body = ContactView)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    let named = named(&cx)?;
    let contact = cx.services().contacts.look_up(cx.access(), &named).await?;
    let answer = show(&contact);
    Ok(if named == ContactRef::Id(contact.id) {
        answer
    } else {
        answer.with(CONTENT_LOCATION, &format!("/api/v1/contacts/{}", contact.id))
    })
}

/// Updates a contact.
///
/// Merges, as PATCH does: what is absent stays, `null` clears, and so do the values inside `custom_fields`.
#[utoipa::path(put, path = "/api/v1/contacts/{id}", tag = "Contacts",
    request_body = UpdateContact, responses(
    (status = 200, description = "The contact afterwards.", body = ContactView),
    (status = 409, description = "`contact_exists`: another contact has this e-mail address, phone number, external id or address on a channel; `existing_id` names it.")))]
pub async fn update(cx: Cx) -> Result<Answer, Problem> {
    let patch = match body::update(&cx) {
        Ok(patch) => patch,
        Err(problem) => return Err(body::with_wrong_fields(&cx, problem).await),
    };
    let contact = named(&cx)?;
    if patch.may_enlarge() {
        cx.make_room().await?;
    }
    let expected = cx.expected(shown(&cx, &contact)).await?;
    Ok(show(&cx.services().contacts.update(cx.access(), &contact, patch, &expected).await?))
}

/// Updates a contact.
///
/// Merges, as PUT does: what is absent stays, `null` clears, and so do the values inside `custom_fields`.
#[utoipa::path(patch, path = "/api/v1/contacts/{id}", tag = "Contacts",
    request_body = UpdateContact, responses(
    (status = 200, description = "The contact afterwards.", body = ContactView),
    (status = 409, description = "`contact_exists`: another contact has this e-mail address, phone number, external id or address on a channel; `existing_id` names it.")))]
pub async fn patch(cx: Cx) -> Result<Answer, Problem> {
    update(cx).await
}

/// Deletes a contact.
///
/// It is hidden everywhere, its identifiers are free again, and its runs end.
#[utoipa::path(delete, path = "/api/v1/contacts/{id}", tag = "Contacts",
    responses((status = 204, description = "It is gone.")))]
pub async fn delete(cx: Cx) -> Result<Answer, Problem> {
    let contact = named(&cx)?;
    let expected = cx.expected(shown(&cx, &contact)).await?;
    cx.services().contacts.delete(cx.access(), &contact, &expected).await?;
    Ok(Answer::no_content())
}

/// Restores a deleted contact.
///
/// Within 30 days of its deletion it comes back with its identifiers, addresses, tags and values; runs that ended do
/// not go on. A contact that is not deleted stays as it is.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/restore", tag = "Contacts",
    responses(
    (status = 200, description = "The contact, which lives.", body = ContactView),
    (status = 409, description = "`contact_exists`: another contact has its e-mail address, phone number, external id or address on a channel by now; `existing_id` names it.")))]
pub async fn restore(cx: Cx) -> Result<Answer, Problem> {
    let contact = cx.named(&DELETED_CONTACT)?;
    let contacts = &cx.services().contacts;
    let shown = async || Ok(show(&contacts.get_restorable(cx.access(), contact).await?));
    cx.run_idempotent(
        |done: &Done<Contact>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(shown()).await?;
            contacts.restore(cx.access(), contact, &expected, idempotency).await
        },
    )
    .await
}

/// Puts a tag on a contact.
///
/// A tag that is named and not there yet is created.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/tags", tag = "Contacts",
    request_body = AddTag, responses(
    (status = 201, description = "The contact with the tag.", body = ContactView),
    (status = 200, description = "The contact, which carried the tag already.", body = ContactView)))]
pub async fn add_tag(cx: Cx) -> Result<Answer, Problem> {
    let tag = body::add_tag(&cx)?;
    let contact = named(&cx)?;
    cx.run_idempotent(made, async |idempotency| {
        let expected = cx.expected(shown(&cx, &contact)).await?;
        cx.services().contacts.add_tag(cx.access(), &contact, tag, &expected, idempotency).await
    })
    .await
}

/// Takes a tag off a contact.
///
/// The tag itself stays, for other contacts.
#[utoipa::path(delete, path = "/api/v1/contacts/{id}/tags/{tag_id}", tag = "Contacts",
    responses((status = 204, description = "The contact no longer carries the tag.")))]
pub async fn remove_tag(cx: Cx) -> Result<Answer, Problem> {
    let (contact, tag) = (named(&cx)?, cx.named(&TAG_OF_CONTACT)?);
    let expected = cx.expected(shown(&cx, &contact)).await?;
    cx.services().contacts.remove_tag(cx.access(), &contact, &tag, &expected).await?;
    Ok(Answer::no_content())
}

/// Makes these the tags of a contact.
///
/// A tag that is named and not there yet is created. Each that comes or goes is an event of its own. Where a tag is
/// taken off, a key needs the scope `full`.
#[utoipa::path(put, path = "/api/v1/contacts/{id}/tags", tag = "Contacts",
    request_body = ReplaceTags, responses(
    (status = 200, description = "The contact afterwards.", body = ContactView)))]
pub async fn replace_tags(cx: Cx) -> Result<Answer, Problem> {
    let tags = body::tags(&cx)?;
    let contact = named(&cx)?;
    let expected = cx.expected(shown(&cx, &contact)).await?;
    Ok(show(&cx.services().contacts.replace_tags(cx.access(), &contact, &tags, &expected).await?))
}

/// Sets the value of a custom field of a contact.
///
/// The value must be of the field's type and fit its validation; `null` takes it away. A change is one event,
/// `contact.field_changed`; the same value once more is none.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/custom-fields/{field_id}", tag = "Contacts", request_body = SetValue,
    responses((status = 200, description = "The contact afterwards.", body = ContactView)))]
pub async fn set_field(cx: Cx) -> Result<Answer, Problem> {
    let SetValue { value } = cx.body()?;
    let value = value.unwrap_or_default();
    let contact = named(&cx)?;
    let field = cx.named(&CUSTOM_FIELD)?;
    cx.run_idempotent(
        |done: &Done<Contact>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(shown(&cx, &contact)).await?;
            cx.services().contacts.set_field(cx.access(), &contact, &field, &value, &expected, idempotency).await
        },
    )
    .await
}

/// Sends a message to a contact.
///
/// It is queued, or suppressed with its reason; `GET /messages/{id}`, to which `Location` leads, tells how far it came.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/send-message", tag = "Contacts",
    request_body = SendMessageBody, responses(
    (status = 202, description = "The message, `queued` or `suppressed`.", body = MessageView),
    (status = 409, description = "`no_channel`: the workspace has no channel that could carry the message.")))]
pub async fn send_message(cx: Cx) -> Result<Answer, Problem> {
    let command = body::send_message(&cx)?;
    let contact = named(&cx)?;
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

/// Records a custom event: something that happened to a contact outside of the service.
///
/// Flows are triggered by it; webhooks and `GET /events` do not tell of it.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/events", tag = "Contacts", request_body = CreateCustomEvent,
    responses((status = 201, description = "The event.", body = CustomEventView)))]
pub async fn record_event(cx: Cx) -> Result<Answer, Problem> {
    let command = body::custom_event(&cx)?;
    let contact = named(&cx)?;
    let render = |done: &Done<CustomEvent>| Answer::json(&CustomEventView::from(&done.value)).outcome(done.outcome);
    cx.run_idempotent(render, async |idempotency| {
        cx.services().custom_events.record(cx.access(), &contact, command, idempotency).await
    })
    .await
}

/// Starts a flow for a contact.
///
/// While a run of the flow lives for the contact, `mode` decides, else the flow's `reentry`: that run is
/// the answer (`skip`), it is interrupted (`restart`), or another begins beside it (`parallel`).
#[utoipa::path(post, path = "/api/v1/contacts/{id}/start-flow", tag = "Contacts",
    request_body = StartFlowBody, responses(
    (status = 202, description = "The run that began.", body = RunView),
    (status = 200, description = "The run that lives already.", body = RunView),
    (status = 409, description = "`flow_not_active`: the flow has no published version that may be started.")))]
pub async fn start_flow(cx: Cx) -> Result<Answer, Problem> {
    let command = body::start_flow(&cx)?;
    let contact = named(&cx)?;
    let render = |done: &Done<Run>| {
        let run = format!("/api/v1/flow-runs/{}", done.value.id);
        Answer::object(&RunView::from(&done.value), done.value.version).outcome(done.outcome).located(run)
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().flows.start(cx.access(), &contact, command, idempotency).await
    })
    .await
}

/// How a filter names a contact, as paths do; the `+` of a telephone number that was not percent-encoded arrives as a
/// space.
pub(crate) fn reference() -> impl Read<ContactRef> + Describe {
    const EXPECTED: &str = "expected a contact's id, or `external_id:…`, `email:…` or `phone:…`";
    string(|text| {
        let text = text.replacen("phone: ", "phone:+", 1);
        ContactRef::parse(&text).ok_or_else(|| Violation::here("invalid_id", EXPECTED))
    })
    .example("contact_01h455vb4pex5vsknk084sn02q")
}

/// The id of the contact whom the filter `contact_id` names. An id is taken as it is: what was said with somebody who
/// is deleted by now can still be read.
///
/// # Errors
/// 422 where nobody has that other name.
pub(crate) async fn filtered(cx: &Cx, contact: Option<ContactRef>) -> Result<Option<ContactId>, Problem> {
    let contact = match contact {
        None => return Ok(None),
        Some(ContactRef::Id(id)) => return Ok(Some(id)),
        Some(contact) => contact,
    };
    match cx.services().contacts.get(cx.access(), &contact).await {
        Ok(found) => Ok(Some(found.id)),
        Err(Error::NotFound) => {
            let unknown = FieldError::in_parameter("contact_id", "unknown_contact", "no contact is called so");
            Err(Problem::validation(vec![unknown]))
        }
        Err(error) => Err(error.into()),
    }
}

fn named(cx: &Cx) -> Result<ContactRef, Problem> {
    cx.named(&CONTACT)
}

async fn shown(cx: &Cx, contact: &ContactRef) -> Result<Answer, Error> {
    Ok(show(&cx.services().contacts.get(cx.access(), contact).await?))
}

pub(crate) fn show(contact: &Contact) -> Answer {
    Answer::object(&ContactView::from(contact), contact.version)
}

fn made(done: &Done<Contact>) -> Answer {
    show(&done.value).outcome(done.outcome).located(format!("/api/v1/contacts/{}", done.value.id))
}

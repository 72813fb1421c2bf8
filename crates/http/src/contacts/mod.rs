//! `/contacts`: the contacts of a workspace.

pub(crate) mod actions;
pub mod batch;
mod body;
pub mod bulk;
pub(crate) mod custom_fields;
pub(crate) mod disclosure;
pub(crate) mod erasures;
pub mod export;
mod filter;
pub mod imports;
#[cfg(test)]
mod list_tests;
pub(crate) mod merges;
mod opt_in_request;
mod search;
mod searches;
pub(crate) mod segments;
pub(crate) mod tags;
#[cfg(test)]
mod tests;
pub(crate) mod timeline;

use actix_web::http::header::CONTENT_LOCATION;
use tidings_domain::Error;
use tidings_domain::contacts::{Contact, ContactFilter, ContactRef, ContactView};
use tidings_domain::ids::ContactId;
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::{Annotate, Describe};
use tidings_domain::read::{Read, Violation, string};

pub(crate) use self::body::SetValue;
use self::body::{CreateContact, CreateParams, UpdateContact};
use self::filter::{ContactFilters, ContactPage};
pub(crate) use self::filter::{MAX_TAGS, find_tags, tag};
use self::opt_in_request::{CreatedContact, OptInRequest};
use self::search::SearchBody;
use crate::request::RequestContext;
use crate::request::paging::{List, ListQuery, Rows};
use crate::request::path::{CONTACT, DELETED_CONTACT};
use crate::response::answer::Answer;
use crate::response::problem::{FieldError, Problem};

/// The number of contacts that are read at once while their size is unknown.
const AT_ONCE: u32 = 25;

/// List contacts.
///
/// Returns contacts that match all filters. `POST /contacts/search` supports more complex conditions.
#[utoipa::path(get, path = "/api/v1/contacts", tag = "Contacts", params(ContactFilters, ContactPage),
    responses((status = 200, description = "A page of contacts.", body = List<ContactView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<ContactPage>();
    let filters: ContactFilters = query.read();
    query.finish()?;
    let contacts = &cx.services().contacts;
    let filter = filter::resolve(&cx, filters).await?;
    let ask = async |request| contacts.list(cx.access(), &filter, request).await;
    let rows = Rows::gather(&paging, AT_ONCE, ask, |contact| ContactView::from(contact)).await?;
    Ok(cx.rows(&paging, rows))
}

/// Search contacts.
///
/// Returns the contacts that satisfy a condition. It only reads, so `Idempotency-Key` is ignored. Send the same request
/// with `cursor` to get the next page.
#[utoipa::path(post, path = "/api/v1/contacts/search", tag = "Contacts", request_body = SearchBody,
    responses((status = 200, description = "A page of contacts.", body = List<ContactView>)))]
pub async fn search(cx: RequestContext) -> Result<Answer, Problem> {
    let SearchBody { filter, sort: order, limit, cursor } = cx.body()?;
    let limit = limit.and_then(|limit| u32::try_from(limit).ok());
    let asked = ListQuery { limit, order, counted: false, cursor };
    let (selection, by_id) = cx.services().contacts.selection(cx.access(), &filter, "/filter").await?;
    // A cursor belongs to the IDs of tags and fields, even if their names change.
    let paging = cx.paging(asked, &search::normal_form(&by_id))?;
    let filter = ContactFilter { selection: Some(selection), ..ContactFilter::default() };
    let ask = async |request| cx.services().contacts.list(cx.access(), &filter, request).await;
    let rows = Rows::gather(&paging, AT_ONCE, ask, |contact| ContactView::from(contact)).await?;
    Ok(cx.rows_of_body(&paging, rows))
}

/// Create a contact.
///
/// Sets tags and custom field values, too. Unknown tags are created. With `on_conflict=update`, an existing contact
/// with one of the identifiers is updated instead: present fields replace, absent fields stay, `null` clears, and tags
/// are added. Identifiers are tried in this order: external ID, email address, phone number. If the found contact has
/// another value for an identifier that comes earlier in this order, the response is 409 `contact_exists`.
///
/// A contact that opted out stays opted out. The response then has `subscribed` as `false` and `still_opted_out` as
/// `true`.
#[utoipa::path(post, path = "/api/v1/contacts", tag = "Contacts", params(CreateParams),
    request_body = CreateContact, responses(
    (status = 201, description = "The new contact.", body = CreatedContact),
    (status = 200, description = "With `on_conflict=update`: the updated contact.", body = CreatedContact),
    (status = 409, description = "`contact_exists`: another contact has this email address, phone number, external ID \
                                  or address on a channel; see `existing_id`.")))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let (patch, tags, upserts) = match body::create(&cx) {
        Ok(it) => it,
        Err(problem) => return Err(body::with_wrong_names(&cx, problem).await),
    };
    let contacts = &cx.services().contacts;
    let wishes = OptInRequest::of(&patch);
    let render = |done: &Done<Contact>| wishes.answer(done);
    cx.run_idempotent(render, async |idempotency| match upserts {
        None => contacts.create(cx.access(), patch.into_new(tags), idempotency).await,
        Some(key) => contacts.upsert(cx.access(), patch, tags, key, idempotency).await,
    })
    .await
}

/// Get a contact.
///
/// If the contact was merged into another, the response is that contact. `Content-Location` is the URL of the returned
/// contact, if the path uses another identifier.
#[utoipa::path(get, path = "/api/v1/contacts/{id}", tag = "Contacts",
    responses((status = 200, description = "The contact.", body = ContactView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    let named = contact_ref(&cx)?;
    let contact = cx.services().contacts.look_up(cx.access(), &named).await?;
    let answer = show(&contact);
    Ok(if named == ContactRef::Id(contact.id) {
        answer
    } else {
        answer.with(CONTENT_LOCATION, &format!("/api/v1/contacts/{}", contact.id))
    })
}

/// Update a contact.
///
/// Present fields replace, absent fields stay, `null` clears. The same applies to the values inside `custom_fields`.
#[utoipa::path(method(put, patch), path = "/api/v1/contacts/{id}", tag = "Contacts",
    request_body = UpdateContact, responses(
    (status = 200, description = "The updated contact.", body = ContactView),
    (status = 409, description = "`contact_exists`: another contact has this email address, phone number, external ID \
                                  or address on a channel; see `existing_id`.")))]
pub async fn update(cx: RequestContext) -> Result<Answer, Problem> {
    let patch = match body::update(&cx) {
        Ok(patch) => patch,
        Err(problem) => return Err(body::with_wrong_fields(&cx, problem).await),
    };
    let contact = contact_ref(&cx)?;
    if patch.may_enlarge() {
        cx.make_room().await?;
    }
    let expected = cx.expected(load_answer(&cx, &contact)).await?;
    Ok(show(&cx.services().contacts.update(cx.access(), &contact, patch, &expected).await?))
}

/// Delete a contact.
///
/// The contact is hidden everywhere, its identifiers become free, and its runs end. It can be restored for 30 days.
#[utoipa::path(delete, path = "/api/v1/contacts/{id}", tag = "Contacts",
    responses((status = 204, description = "Deleted.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    let contact = contact_ref(&cx)?;
    let expected = cx.expected(load_answer(&cx, &contact)).await?;
    cx.services().contacts.delete(cx.access(), &contact, &expected).await?;
    Ok(Answer::no_content())
}

/// Restore a contact.
///
/// Works for 30 days after the deletion. Restores the identifiers, addresses, tags and values; ended runs stay ended. A
/// contact that is not deleted stays unchanged.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/restore", tag = "Contacts",
    responses(
    (status = 200, description = "The restored contact.", body = ContactView),
    (status = 409, description = "`contact_exists`: another contact now has its email address, phone number, external \
                                  ID or address on a channel; see `existing_id`.")))]
pub async fn restore(cx: RequestContext) -> Result<Answer, Problem> {
    let contact = cx.path_parameter(&DELETED_CONTACT)?;
    let contacts = &cx.services().contacts;
    let load_deleted = async || Ok(show(&contacts.get_restorable(cx.access(), contact).await?));
    cx.run_idempotent(
        |done: &Done<Contact>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(load_deleted()).await?;
            contacts.restore(cx.access(), contact, &expected, idempotency).await
        },
    )
    .await
}

/// Reads a contact reference in a filter, in the form of paths. The `+` of a phone number arrives as a space if it is
/// not percent-encoded.
pub(crate) fn reference() -> impl Read<ContactRef> + Describe {
    const EXPECTED: &str = "expected the ID of a contact, or `external_id:…`, `email:…` or `phone:…`";
    string(|text| {
        let text = text.replacen("phone: ", "phone:+", 1);
        ContactRef::parse(&text).ok_or_else(|| Violation::at_root("invalid_id", EXPECTED))
    })
    .example("contact_01h455vb4pex5vsknk084sn02q")
}

/// Returns the ID of the contact in the filter `contact_id`. An ID is not looked up, so that the history of a deleted
/// contact stays readable.
///
/// # Errors
/// 422 if no contact has this identifier.
pub(crate) async fn filtered(cx: &RequestContext, contact: Option<ContactRef>) -> Result<Option<ContactId>, Problem> {
    let contact = match contact {
        None => return Ok(None),
        Some(ContactRef::Id(id)) => return Ok(Some(id)),
        Some(contact) => contact,
    };
    match cx.services().contacts.get(cx.access(), &contact).await {
        Ok(found) => Ok(Some(found.id)),
        Err(Error::NotFound) => {
            let unknown = FieldError::in_parameter("contact_id", "unknown_contact", "no contact has this identifier");
            Err(Problem::validation(vec![unknown]))
        }
        Err(error) => Err(error.into()),
    }
}

fn contact_ref(cx: &RequestContext) -> Result<ContactRef, Problem> {
    cx.path_parameter(&CONTACT)
}

async fn load_answer(cx: &RequestContext, contact: &ContactRef) -> Result<Answer, Error> {
    Ok(show(&cx.services().contacts.get(cx.access(), contact).await?))
}

pub(crate) fn show(contact: &Contact) -> Answer {
    Answer::object(&ContactView::from(contact), contact.version)
}

fn created_answer(done: &Done<Contact>) -> Answer {
    show(&done.value).outcome(done.outcome).located(format!("/api/v1/contacts/{}", done.value.id))
}

//! `/webhooks`: subscriptions of other systems, and their deliveries.

pub(crate) mod actions;

use secrecy::ExposeSecret;
use serde_json::json;
use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::events::EventKind;
use tidings_domain::ids::WebhookId;
use tidings_domain::list_filter::ListFilter;
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::{Annotate, Describe, described};
use tidings_domain::read::{Input, Read, Violation, entries, list as items, map, named_entries, string, text, word};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::{
    AttemptView, CreatedWebhook, CustomHeaders, DeliveryDetailView, DeliveryFilter, DeliveryStatus, DeliveryView,
    HeaderFault, MAX_HEADERS, NewWebhook, PayloadForm, RevealedWebhook, SealedHeaders, ShownWebhook, Subscription,
    WebhookPatch, WebhookStatus, WebhookView,
};

use crate::request::RequestContext;
use crate::request::paging::{List, PageParams, UncountedPageParams};
use crate::request::path::{DELIVERY, WEBHOOK};
use crate::request::query::{parameters, time};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

const READ_ONLY: &[&str] = &[
    "id",
    "status",
    "disabled_reason",
    "secret",
    "secret_hint",
    "last_delivery_at",
    "stats",
    "created_at",
    "updated_at",
    "version",
];

parameters! {
    struct DeliveryFilters {
        /// Only deliveries with this status.
        one status: DeliveryStatus = word(&DeliveryStatus::WORDS, DeliveryStatus::parse);
        /// Only deliveries of events of this type.
        one event_type: EventKind = string(kind).example("contact.created");
        /// Only deliveries created at this time or later.
        one since: Timestamp = time();
        /// Only deliveries created before this time.
        one until: Timestamp = time();
    }
}

body! {
    /// A webhook to create.
    #[read_only(READ_ONLY)]
    struct CreateWebhook {
        /// URL that receives deliveries: an `https:` URL that is not private.
        required url: String = text(1..=2_048).example("https://example.com/hooks");
        /// `["*"]`, or types from `GET /event-types`.
        required events: Subscription = events();
        /// Description.
        nullable description: String = text(0..=500);
        /// `full` (default): envelopes contain whole objects; `thin`: only IDs.
        nullable payload: PayloadForm = word(&PayloadForm::WORDS, PayloadForm::parse);
        /// Headers of each delivery, at most 20. Headers of the service or of the connection are not allowed.
        or_default headers: CustomHeaders = headers(CustomHeaders::check);
    }
}

body! {
    /// Fields to update. Absent fields stay, `null` clears.
    #[read_only(READ_ONLY)]
    struct UpdateWebhook {
        /// URL that receives deliveries: an `https:` URL that is not private.
        optional url: String = text(1..=2_048).example("https://example.com/hooks");
        /// `["*"]`, or types from `GET /event-types`.
        optional events: Subscription = events();
        /// Description.
        patch description: String = text(0..=500);
        /// `full`: envelopes contain whole objects; `thin`: only IDs.
        optional payload: PayloadForm = word(&PayloadForm::WORDS, PayloadForm::parse);
        /// Headers of each delivery, at most 20; replaced as a whole. A value that is sent as it was shown, such as
        /// `••••6789`, stays unchanged.
        patch headers: CustomHeaders = headers(given_or_shown);
    }
}

parameters! {
    struct WebhookFilters {
        /// Only webhooks with this text in the URL or the description, case-insensitive. `%` and `_` are ordinary
        /// characters.
        one q: String = text(1..=100);
        /// Only webhooks with this status.
        one status: WebhookStatus = word(WebhookStatus::WORDS, WebhookStatus::parse);
    }
}

/// List webhooks.
///
/// Includes recent delivery statistics. Signing secrets are never returned.
#[utoipa::path(get, path = "/api/v1/webhooks", tag = "Webhooks", params(WebhookFilters, PageParams),
    responses((status = 200, description = "A page of webhooks.", body = List<WebhookView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>();
    let WebhookFilters { q, status } = query.read();
    query.finish()?;
    let filter = ListFilter::default().containing(q.as_deref()).of(status);
    let page = cx.services().webhooks.list(cx.access(), &filter, paging.request).await?;
    Ok(cx.page(&paging, page, |webhook| WebhookView::from(webhook)))
}

/// Create a webhook.
///
/// The response contains the signing secret, which is never shown again.
#[utoipa::path(post, path = "/api/v1/webhooks", tag = "Webhooks", request_body = CreateWebhook,
    responses((status = 201, description = "The webhook with its secret.", body = CreatedWebhook)))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let CreateWebhook { url, events, description, payload, headers } =
        cx.body().map_err(|problem| with_wrong_address(&cx, problem))?;
    let payload = payload.unwrap_or(PayloadForm::Full);
    let command = NewWebhook { url, events, description, payload, headers };
    let render = |done: &Done<RevealedWebhook>| {
        let location = format!("/api/v1/webhooks/{}", done.value.shown.webhook.id);
        reveal(&done.value).outcome(done.outcome).located(location)
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().webhooks.create(cx.access(), command, idempotency).await
    })
    .await
}

/// Adds the errors of the URL to a problem of validation.
fn with_wrong_address(cx: &RequestContext, problem: Problem) -> Problem {
    let url = cx.salvage(|fields| fields.given("url", text(1..=2_048))).flatten();
    problem.and(url.and_then(|url| cx.services().webhooks.wrong_address(&url)).into_iter().collect())
}

/// Get a webhook.
///
/// Includes recent delivery statistics. The signing secret is never returned.
#[utoipa::path(get, path = "/api/v1/webhooks/{id}", tag = "Webhooks",
    responses((status = 200, description = "The webhook.", body = WebhookView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(load_answer(&cx, cx.path_parameter(&WEBHOOK)?).await?)
}

/// Update a webhook.
///
/// Present fields replace, absent fields stay, `null` clears. `headers` are replaced as a whole.
#[utoipa::path(method(put, patch), path = "/api/v1/webhooks/{id}", tag = "Webhooks",
    request_body = UpdateWebhook,
    responses((status = 200, description = "The updated webhook.", body = WebhookView)))]
pub async fn update(cx: RequestContext) -> Result<Answer, Problem> {
    let UpdateWebhook { url, events, description, payload, headers } =
        cx.body().map_err(|problem| with_wrong_address(&cx, problem))?;
    let patch = WebhookPatch { url, events, description, payload, headers };
    let webhook = cx.path_parameter(&WEBHOOK)?;
    let expected = cx.expected(load_answer(&cx, webhook)).await?;
    Ok(show(&cx.services().webhooks.update(cx.access(), webhook, patch, &expected).await?))
}

/// Delete a webhook.
///
/// Deliveries in progress fail on their next attempt.
#[utoipa::path(delete, path = "/api/v1/webhooks/{id}", tag = "Webhooks",
    responses((status = 204, description = "Deleted.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    let webhook = cx.path_parameter(&WEBHOOK)?;
    let expected = cx.expected(load_answer(&cx, webhook)).await?;
    cx.services().webhooks.delete(cx.access(), webhook, &expected).await?;
    Ok(Answer::no_content())
}

/// List deliveries.
///
/// Returns the deliveries of a webhook that match all filters. A delivery is one event for one webhook.
#[utoipa::path(get, path = "/api/v1/webhooks/{id}/deliveries", tag = "Webhooks",
    params(DeliveryFilters, UncountedPageParams),
    responses((status = 200, description = "A page of deliveries.", body = List<DeliveryView>)))]
pub async fn list_deliveries(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<UncountedPageParams>();
    let DeliveryFilters { status, event_type, since, until } = query.read();
    query.finish()?;
    let filter = DeliveryFilter { status, event_kind: event_type, since, until };
    let page =
        cx.services().webhooks.deliveries(cx.access(), cx.path_parameter(&WEBHOOK)?, &filter, paging.request).await?;
    Ok(cx.page(&paging, page, |delivery| DeliveryView::from(delivery)))
}

/// Get a delivery.
///
/// Includes the newest 100 attempts, with the response of the receiver.
#[utoipa::path(get, path = "/api/v1/webhooks/{id}/deliveries/{delivery_id}", tag = "Webhooks",
    responses((status = 200, description = "The delivery.", body = DeliveryDetailView)))]
pub async fn get_delivery(cx: RequestContext) -> Result<Answer, Problem> {
    let (webhook, delivery) = (cx.path_parameter(&WEBHOOK)?, cx.path_parameter(&DELIVERY)?);
    let (delivery, attempts) = cx.services().webhooks.delivery(cx.access(), webhook, delivery).await?;
    let view = DeliveryDetailView {
        delivery: DeliveryView::from(&delivery),
        attempts: attempts.iter().map(AttemptView::from).collect(),
    };
    Ok(Answer::object(&view, delivery.version))
}

async fn load_answer(cx: &RequestContext, webhook: WebhookId) -> Result<Answer, Error> {
    Ok(show(&cx.services().webhooks.get(cx.access(), webhook).await?))
}

fn show(shown: &ShownWebhook) -> Answer {
    Answer::object(&WebhookView::from(shown), shown.webhook.version)
}

/// Returns the webhook with its secret, which is shown once.
fn reveal(revealed: &RevealedWebhook) -> Answer {
    let secret = revealed.secret.expose_secret().to_owned();
    let view = CreatedWebhook { webhook: WebhookView::from(&revealed.shown), secret };
    Answer::object(&view, revealed.shown.webhook.version)
}

/// Checks the value of a header: a new one, or the masked form of a response.
fn given_or_shown(name: &str, value: &str) -> Result<(), HeaderFault> {
    // Only the webhook's service can check whether a masked value is current.
    CustomHeaders::check(name, if SealedHeaders::is_shown_form(value) { "shown" } else { value })
}

/// Reads at most 20 headers by name.
fn headers(check: fn(&str, &str) -> Result<(), HeaderFault>) -> impl Read<CustomHeaders> + Describe {
    let read = move |input: Input<'_>| {
        let read = named_entries(MAX_HEADERS, |name, value| {
            string(|value| match check(name, value) {
                Ok(()) => Ok(value.to_owned()),
                Err(fault) => Err(Violation::at_root(fault.code, fault.message)),
            })
            .read(value)
        })(input)?;
        for (place, (name, _)) in read.iter().enumerate() {
            if read.iter().take(place).any(|(earlier, _)| earlier.eq_ignore_ascii_case(name)) {
                let message = "appears more than once; names are case-insensitive";
                return Err(Violation::at_root("duplicate_name", message).within(name).into());
            }
        }
        Ok(CustomHeaders::new(read))
    };
    let shown = || entries(MAX_HEADERS, string(|_| Ok::<(), Violation>(()))).describe();
    described(read, shown).example(json!({"Authorization": "Bearer …"}))
}

/// Reads types of events, or `*` for all.
fn events() -> impl Read<Subscription> + Describe {
    let event = string(|word| if word == "*" { Ok(None) } else { kind(word).map(Some) });
    map(items(1..=100, event), |events: Vec<_>| subscription(&events)).example(json!(["contact.created"]))
}

/// Parses a type of event.
pub(crate) fn kind(word: &str) -> Result<EventKind, Violation> {
    // No type is this long, and the comparison takes time in proportion to the length.
    let near = if word.len() > 64 { Vec::new() } else { EventKind::nearest(word) };
    let hint = match near.is_empty() {
        true => "; see `GET /api/v1/event-types`".to_owned(),
        false => format!("; did you mean `{}`?", near.join("` or `")),
    };
    let named = if word.len() > 64 { String::new() } else { format!(" `{word}`") };
    let message = format!("unknown event type{named}, or one that is never sent{hint}");
    EventKind::parse(word).filter(|kind| kind.can_happen()).ok_or_else(|| Violation::at_root("invalid_value", message))
}

fn subscription(events: &[Option<EventKind>]) -> Subscription {
    let mut kinds: Vec<EventKind> = Vec::new();
    for event in events {
        match event {
            None => return Subscription::All,
            Some(kind) if kinds.contains(kind) => {}
            Some(kind) => kinds.push(*kind),
        }
    }
    Subscription::Kinds(kinds)
}

#[cfg(test)]
mod tests {
    use actix_web::http::Method;

    use super::*;
    use crate::testing::{FULL, Mocks, request};

    const WEBHOOKS: &str = "/api/v1/webhooks";

    #[test]
    fn reads_a_star_as_all_events_and_drops_duplicates() {
        let (created, deleted) = (EventKind::ContactCreated, EventKind::ContactDeleted);
        assert_eq!(subscription(&[Some(created), None]), Subscription::All);
        let twice = subscription(&[Some(deleted), Some(created), Some(deleted)]);
        assert_eq!(twice, Subscription::Kinds(vec![deleted, created]));
    }

    #[actix_web::test]
    async fn neither_compresses_nor_caches_the_secret() {
        let mut ports = Mocks::with_keys();
        ports.addresses.expect_check().returning(|_| Ok(()));
        ports.ledger.expect_commit().returning(|_| Ok(()));
        let url = format!("https://example.com/{}", "x".repeat(1_500));
        let body = json!({"url": url, "events": ["contact.created"]}).to_string();
        let post = request(Method::POST, WEBHOOKS, FULL).insert_header(("content-type", "application/json"));
        let reply = ports.serve().send(post.insert_header(("accept-encoding", "gzip")).set_payload(body)).await;
        assert_eq!((reply.status, reply.header("content-encoding")), (201, None));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        let made = reply.json();
        assert_eq!((&made["secret"], &made["events"]), (&json!("whsec_dGVzdA=="), &json!(["contact.created"])));
    }

    #[actix_web::test]
    async fn rejects_unknown_events_and_private_addresses() {
        let mut ports = Mocks::with_keys();
        ports.addresses.expect_check().returning(|_| Err("is private".to_owned()));
        let api = ports.serve();
        let post = async |body: &str| {
            let reply = api.json(Method::POST, WEBHOOKS, body).await;
            assert_eq!(reply.problem().0, 422);
            reply
        };
        let near =
            post(r#"{"url":"https://example.com/","events":["contact.create","*",7],"headers":{"host":"a"}}"#).await;
        let places: Vec<_> = near.errors().into_iter().map(|(place, _)| place).collect();
        assert_eq!(places, ["/events/0", "/events/2", "/headers/host", "/url"]);
        assert!(near.json()["errors"][0]["message"].as_str().unwrap().contains("`contact.created`"));
        assert_eq!(post(r#"{"url":"","events":[]}"#).await.errors().len(), 2);
        let walled = post(r#"{"url":"http://10.0.0.1/","events":["*"]}"#).await;
        assert_eq!(walled.errors(), [("/url".to_owned(), "forbidden_address".to_owned())]);
    }
}

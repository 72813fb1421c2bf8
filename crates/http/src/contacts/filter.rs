//! The filters of a list of contacts.

use std::borrow::Cow;

use tidings_domain::Error;
use tidings_domain::conditions::Selection;
use tidings_domain::contacts::{
    Contact, ContactFilter, ContactStatus, Deleted, Email, ExternalId, FieldMatch, InvalidAttribute, Phone, TagRef,
};
use tidings_domain::fields::{Comparison, FieldKind};
use tidings_domain::ids::{ChannelId, SegmentId, TagId};
use tidings_domain::pagination::Sort;
use tidings_domain::read::schema::{Annotate, Describe, choice};
use tidings_domain::read::{Read, Violation, id, string, texts, word};
use tidings_domain::text::{fold, nearest};
use tidings_domain::time::Timestamp;

use crate::request::RequestContext;
use crate::request::paging::{Include, ListParameters, ListQuery, cursor, include, sort};
use crate::request::query::{any_text, flag, limit, parameters, plus_in_offset, time, words};
use crate::response::problem::{FieldError, Problem};

pub(crate) const MAX_TAGS: usize = 20;
const MAX_FIELDS: usize = 20;

const FIELD_PREFIX: &str = "custom_fields.";

parameters! {
    pub(super) struct ContactFilters {
        /// Only contacts with each of these words in the name, email address, phone number or external ID. Case and
        /// diacritics are ignored: `alvaro` finds Álvaro, `strasse` finds Straße.
        one words as "q": Vec<String> = words();
        /// Only the contact with this email address.
        one email: Email = string(attribute);
        /// Only the contact with this phone number.
        one phone: Phone = string(|phone| attribute(&plus_in_front(phone)));
        /// Only the contact with this external ID.
        one external_id: ExternalId = string(attribute);
        /// Only contacts created at this time or later.
        one created_after: Timestamp = time();
        /// Only contacts created before this time.
        one created_before: Timestamp = time();
        /// Only contacts updated at this time or later.
        one updated_after: Timestamp = time();
        /// Only contacts updated before this time.
        one updated_before: Timestamp = time();
        /// Only contacts with this status.
        one status: ContactStatus = word(&ContactStatus::WORDS, ContactStatus::parse);
        /// Only contacts that accept messages (`true`), or that do not (`false`).
        one subscribed: bool = flag();
        /// Only contacts with an address on this channel.
        one channel_id: ChannelId = id();
        /// Only contacts that currently match this segment.
        one segment: SegmentId = id();
        /// Whether to return deleted contacts; they can be restored for 30 days.
        one deleted: Deleted = deleted();
        /// Only contacts with this tag, by ID or name. If repeated, contacts must have all tags.
        many tags as "tag": TagRef = tag(), MAX_TAGS;
        /// Only contacts with this value of the custom field KEY, such as `custom_fields.plan=gold`. For lists of
        /// options: with this option. An operator can follow in brackets: `eq`, `ne`, `exists` (`true` or `false`), and
        /// for numbers, dates and times also `gt`, `gte`, `lt`, `lte`, such as `custom_fields.age[gte]=18`.
        prefixed fields as FIELD_PREFIX: String = any_text(), MAX_FIELDS;
    }
}

parameters! {
    pub(super) struct ContactPage {
        /// At most this many items, 1 to 100.
        one limit: u32 = limit();
        /// Attribute to sort by; a leading `-` reverses the order. Contacts without the value come last in both
        /// directions. Names are sorted case-insensitively.
        one sort: Sort = sort("ContactSort", &Contact::SORTS);
        /// `total` also counts the items on all pages.
        one include: Include = include();
        /// `next_cursor` of the previous page. Send the same filters again.
        one cursor: String = cursor();
    }
}

impl ListParameters for ContactPage {
    type Order = Sort;

    fn into_list_query(self) -> ListQuery<Sort> {
        ListQuery { limit: self.limit, order: self.sort, counted: self.include.is_some(), cursor: self.cursor }
    }
}

/// Resolves the names of tags and fields in a filter.
///
/// # Errors
/// 422 for unknown tags, fields and segments, and for values of a wrong type.
pub(super) async fn resolve(cx: &RequestContext, it: ContactFilters) -> Result<ContactFilter, Problem> {
    let (fields, present) = match_fields(cx, it.fields).await?;
    let chosen = match it.segment {
        Some(segment) => Some(chosen_by(cx, segment).await?),
        None => None,
    };
    let selection = match (present, chosen) {
        (Some(present), Some(chosen)) => Some(Selection::All(vec![present, chosen])),
        (present, chosen) => present.or(chosen),
    };
    Ok(ContactFilter {
        words: it.words.unwrap_or_default(),
        email: it.email,
        phone: it.phone,
        external_id: it.external_id,
        created_after: it.created_after,
        created_before: it.created_before,
        updated_after: it.updated_after,
        updated_before: it.updated_before,
        status: it.status,
        subscribed: it.subscribed,
        channel: it.channel_id,
        opted_in: None,
        unreached: None,
        deleted: it.deleted.unwrap_or_default(),
        tags: find_tags(cx, it.tags).await?,
        fields,
        selection,
    })
}

/// Returns the contacts of a segment, as a selection.
///
/// # Errors
/// 422 if the segment is missing.
async fn chosen_by(cx: &RequestContext, segment: SegmentId) -> Result<Selection, Problem> {
    match cx.services().segments.selection(cx.access(), segment).await {
        Err(Error::NotFound) => {
            let error =
                FieldError::in_parameter("segment", "unknown_segment", "no segment in this workspace has this ID");
            Err(Problem::validation(vec![error]))
        }
        selection => Ok(selection?),
    }
}

/// Returns the patterns of the field values. While options of a field are being removed from contacts, a filter for the
/// presence of a value becomes a selection instead.
async fn match_fields(
    cx: &RequestContext,
    wanted: Vec<(String, String)>,
) -> Result<(Vec<FieldMatch>, Option<Selection>), Problem> {
    if wanted.is_empty() {
        return Ok((Vec::new(), None));
    }
    let known = cx.services().fields.all(cx.access()).await?;
    let (mut matches, mut present, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for (name, value) in wanted {
        let parameter = format!("{FIELD_PREFIX}{name}");
        let Some((key, comparison)) = compared(&name) else {
            let words = Comparison::WORDS.join("`, `");
            let message = format!("the operator in brackets must be one of `{words}`");
            errors.push(FieldError::in_parameter(parameter, "invalid_operator", message));
            continue;
        };
        match known.iter().find(|field| field.key == key) {
            None => {
                let near = nearest(key, known.iter().map(|field| field.key.as_str()));
                let hint = match near.is_empty() {
                    true => "; `GET /api/v1/custom-fields` lists the fields".to_owned(),
                    false => format!("; did you mean `{}`?", near.join("` or `")),
                };
                let message = format!("no custom field has this key{hint}");
                errors.push(FieldError::in_parameter(parameter, "unknown_parameter", message));
            }
            Some(field) => match field.compare_pattern(comparison, &without_space(field.kind, &value)) {
                Ok(pattern) => match field.presence_matching(&pattern) {
                    Some(selection) => present.push(selection),
                    None => matches.push(FieldMatch { field: field.id, pattern }),
                },
                Err(wrong) => errors.push(FieldError::in_parameter(parameter, wrong.code, wrong.message)),
            },
        }
    }
    let present = (!present.is_empty()).then_some(Selection::All(present));
    if errors.is_empty() { Ok((matches, present)) } else { Err(Problem::validation(errors)) }
}

/// Splits the operator off a name; `age` means `age[eq]`. Returns `None` for an unknown operator.
fn compared(name: &str) -> Option<(&str, Comparison)> {
    match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((key, operator)) => Some((key, Comparison::parse(operator)?)),
        None => Some((name, Comparison::Equal)),
    }
}

/// Restores the `+` of an offset or a phone number: without percent-encoding, it arrives as a space.
fn without_space(kind: FieldKind, value: &str) -> Cow<'_, str> {
    match kind {
        FieldKind::Datetime => plus_in_offset(value),
        FieldKind::Phone => plus_in_front(value),
        _ => Cow::Borrowed(value),
    }
}

fn plus_in_front(value: &str) -> Cow<'_, str> {
    match value.strip_prefix(' ') {
        Some(digits) if digits.starts_with(|c: char| c.is_ascii_digit()) => Cow::Owned(format!("+{digits}")),
        _ => Cow::Borrowed(value),
    }
}

/// Reads an ID or a name.
pub(crate) fn tag() -> impl Read<TagRef> + Describe {
    string(|text_or_id| match text_or_id.parse() {
        Ok(id) => Ok(TagRef::Id(id)),
        Err(_) => texts::name(1..=100)(text_or_id).map(TagRef::Name),
    })
}

fn deleted() -> impl Read<Deleted> + Describe {
    choice("Deleted", "Whether to return deleted contacts.", &Deleted::WORDS, Deleted::parse).default("exclude")
}

/// Returns the IDs of the tags.
///
/// # Errors
/// 422 for an unknown tag, as in a search.
pub(crate) async fn find_tags(cx: &RequestContext, wanted: Vec<TagRef>) -> Result<Vec<TagId>, Problem> {
    let (mut names, mut given) = (Vec::new(), Vec::new());
    for tag in &wanted {
        match tag {
            TagRef::Id(id) => given.push(*id),
            TagRef::Name(name) => names.push(fold(name)),
        }
    }
    let tags = &cx.services().ports.tags;
    let mut known =
        if given.is_empty() { Vec::new() } else { tags.by_ids(cx.access(), &given).await.map_err(Error::Store)? };
    if !names.is_empty() {
        known.extend(tags.by_name_keys(cx.access(), &names).await.map_err(Error::Store)?);
    }
    let (mut ids, mut errors): (Vec<TagId>, _) = (Vec::new(), Vec::new());
    for tag in wanted {
        let found = known.iter().find(|known| match &tag {
            TagRef::Id(id) => known.id == *id,
            TagRef::Name(name) => known.name_key() == fold(name),
        });
        match found {
            Some(tag) if ids.contains(&tag.id) => {}
            Some(tag) => ids.push(tag.id),
            None => {
                let named = match &tag {
                    TagRef::Id(id) => id.to_string(),
                    TagRef::Name(name) => name.clone(),
                };
                errors.push(FieldError::in_parameter(
                    "tag",
                    "unknown_tag",
                    format!("no tag has the ID or name `{named}`"),
                ));
            }
        }
    }
    if errors.is_empty() { Ok(ids) } else { Err(Problem::validation(errors)) }
}

fn attribute<T: std::str::FromStr<Err = InvalidAttribute>>(text: &str) -> Result<T, Violation> {
    text.parse().map_err(|InvalidAttribute(why)| Violation::at_root("invalid_format", why))
}

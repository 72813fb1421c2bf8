//! Which contacts a list shows.

use std::borrow::Cow;

use tidings_domain::Error;
use tidings_domain::conditions::Selection;
use tidings_domain::contacts::{ContactFilter, ContactStatus, Deleted, FieldMatch, InvalidAttribute, TagRef};
use tidings_domain::fields::{Comparison, FieldKind};
use tidings_domain::ids::{ChannelId, TagId};
use tidings_domain::read::Violation;
use tidings_domain::read::texts::{boolean, id, text, word};
use tidings_domain::text::{fold, nearest};
use tidings_domain::time::Timestamp;
use utoipa::{IntoParams, ToSchema};

use crate::paging::Include;
use crate::problem::{FieldError, Problem};
use crate::query::{Query, plus_in_offset, time};
use crate::request::Cx;

/// How many tags, and how many fields, one list filters by.
const MOST: usize = 20;

const FIELD_PREFIX: &str = "custom_fields.";

/// The filters; all must hold.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
pub(super) struct ContactFilters {
    /// Words, each of which stands somewhere in name, e-mail address, telephone number or external id.
    #[param(min_length = 1, max_length = 200)]
    q: Option<String>,
    /// With this e-mail address.
    email: Option<String>,
    /// With this telephone number.
    phone: Option<String>,
    /// With this external id.
    external_id: Option<String>,
    /// Carrying this tag, by id or name; repeated: all of them.
    #[param(style = Form, explode, max_items = 20)]
    tag: Option<Vec<String>>,
    /// With this status.
    #[param(inline)]
    status: Option<ContactStatus>,
    /// Who wants to be written to, or who does not.
    subscribed: Option<bool>,
    /// Reached on this channel.
    #[param(inline)]
    channel_id: Option<ChannelId>,
    /// With this value of the custom field KEY, as in `custom_fields.plan=gold`. Lists of options: with this option.
    /// An operator may follow in brackets: `eq`, `ne`, `exists` (`true` or `false`), and for numbers, dates and times
    /// `gt`, `gte`, `lt`, `lte`, as in `custom_fields.age[gte]=18`.
    #[param(rename = "custom_fields.KEY")]
    custom_field: Option<String>,
    /// Created at this time or later.
    #[param(inline)]
    created_after: Option<Timestamp>,
    /// Created before this time.
    #[param(inline)]
    created_before: Option<Timestamp>,
    /// Last changed at this time or later.
    #[param(inline)]
    updated_after: Option<Timestamp>,
    /// Last changed before this time.
    #[param(inline)]
    updated_before: Option<Timestamp>,
    /// Whether deleted contacts are shown; they can be restored for 30 days.
    #[param(inline)]
    deleted: Option<DeletedWord>,
}

/// Whether deleted contacts are shown.
#[derive(ToSchema)]
#[schema(default = "exclude")]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "describes the parameter")]
enum DeletedWord {
    Exclude,
    Include,
    Only,
}

/// The page.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
pub(super) struct ContactPage {
    /// How many rows at the most.
    #[param(minimum = 1, maximum = 100, default = 25)]
    limit: Option<u32>,
    /// By which attribute; a `-` in front turns the order around. Contacts without the value come last both ways;
    /// names are compared without regard to case.
    #[param(inline)]
    sort: Option<ContactSort>,
    /// `next_cursor` of the page before, with the same filters.
    #[param(max_length = 1024)]
    cursor: Option<String>,
    /// `total` counts the rows of all pages.
    #[param(inline)]
    include: Option<Include>,
}

/// In which order the list runs.
#[derive(ToSchema)]
#[schema(default = "-created_at")]
#[allow(dead_code, reason = "describes the parameter")]
pub(super) enum ContactSort {
    #[schema(rename = "created_at")]
    Created,
    #[schema(rename = "-created_at")]
    CreatedBackwards,
    #[schema(rename = "updated_at")]
    Updated,
    #[schema(rename = "-updated_at")]
    UpdatedBackwards,
    #[schema(rename = "last_message_at")]
    LastMessage,
    #[schema(rename = "-last_message_at")]
    LastMessageBackwards,
    #[schema(rename = "name")]
    Name,
    #[schema(rename = "-name")]
    NameBackwards,
}

/// The filters as they were written: names of tags and fields still are names.
pub(super) struct Filters {
    filter: ContactFilter,
    tags: Vec<TagRef>,
    fields: Vec<(String, String)>,
}

pub(super) fn read(query: &mut Query) -> Filters {
    let filter = ContactFilter {
        words: query.one("q", words).unwrap_or_default(),
        email: query.one("email", attribute),
        phone: query.one("phone", |phone| attribute(&plus_in_front(phone))),
        external_id: query.one("external_id", attribute),
        created_after: query.one("created_after", time),
        created_before: query.one("created_before", time),
        updated_after: query.one("updated_after", time),
        updated_before: query.one("updated_before", time),
        status: query.one("status", word(&ContactStatus::WORDS, ContactStatus::parse)),
        subscribed: query.one("subscribed", boolean),
        channel: query.one("channel_id", id),
        deleted: query.one("deleted", word(&Deleted::WORDS, Deleted::parse)).unwrap_or_default(),
        ..ContactFilter::default()
    };
    let tag = |text_or_id: &str| match text_or_id.parse() {
        Ok(id) => Ok(TagRef::Id(id)),
        Err(_) => text(1..=100)(text_or_id).map(TagRef::Name),
    };
    Filters { filter, tags: query.many("tag", MOST, tag), fields: query.prefixed(FIELD_PREFIX, MOST) }
}

/// Finds tags and fields.
///
/// # Errors
/// 422 for unknown tags and fields, and values that are not of the field's type.
pub(super) async fn resolve(cx: &Cx, filters: Filters) -> Result<ContactFilter, Problem> {
    let Filters { mut filter, tags, fields } = filters;
    (filter.fields, filter.selection) = match_fields(cx, fields).await?;
    filter.tags = find_tags(cx, tags).await?;
    Ok(filter)
}

/// How values are matched; and, for fields of which options are being taken off contacts, who has a value at all.
async fn match_fields(cx: &Cx, wanted: Vec<(String, String)>) -> Result<(Vec<FieldMatch>, Option<Selection>), Problem> {
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
                let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
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

/// `age` means `age[eq]`; `None` for an operator that is none.
fn compared(name: &str) -> Option<(&str, Comparison)> {
    match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((key, operator)) => Some((key, Comparison::parse(operator)?)),
        None => Some((name, Comparison::Equal)),
    }
}

/// The `+` of an offset or of a telephone number that was not percent-encoded arrives as a space.
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

/// The folded words of a search.
fn words(q: &str) -> Result<Vec<String>, Violation> {
    let mut words: Vec<String> = fold(&text(1..=200)(q)?).split(' ').map(str::to_owned).collect();
    words.sort_unstable();
    words.dedup();
    Ok(words)
}

/// The ids of the tags.
///
/// # Errors
/// 422 for one that is not there, as in a search.
async fn find_tags(cx: &Cx, wanted: Vec<TagRef>) -> Result<Vec<TagId>, Problem> {
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
            None => errors.push(FieldError::in_parameter("tag", "unknown_tag", "no tag has this id or name")),
        }
    }
    if errors.is_empty() { Ok(ids) } else { Err(Problem::validation(errors)) }
}

fn attribute<T: std::str::FromStr<Err = InvalidAttribute>>(text: &str) -> Result<T, Violation> {
    text.parse().map_err(|InvalidAttribute(why)| Violation::here("invalid_format", why))
}

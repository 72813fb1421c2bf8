//! Which contacts a list shows.

use tidings_domain::Error;
use tidings_domain::contacts::{ContactFilter, FieldMatch, InvalidAttribute, TagRef};
use tidings_domain::ids::TagId;
use tidings_domain::text::{fold, nearest};
use tidings_domain::time::Timestamp;
use utoipa::IntoParams;

use crate::problem::{Fault, FieldError, Problem};
use crate::query::{Query, time};
use crate::request::Cx;
use crate::values::text;

/// How many tags, and how many fields, one list filters by.
const MOST: usize = 20;

const FIELD_PREFIX: &str = "custom_fields.";

/// The filters; all must hold.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
pub(super) struct ContactFilters {
    /// With this e-mail address.
    email: Option<String>,
    /// With this telephone number.
    phone: Option<String>,
    /// With this external id.
    external_id: Option<String>,
    /// Carrying this tag, by id or name; repeated: all of them.
    #[param(style = Form, explode, max_items = 20)]
    tag: Option<Vec<String>>,
    /// With this value of the custom field KEY, as in `custom_fields.plan=gold`. Lists of options: with this option.
    #[param(rename = "custom_fields.KEY")]
    custom_field: Option<String>,
    /// Created at this time or later.
    #[param(inline)]
    created_after: Option<Timestamp>,
    /// Created before this time.
    #[param(inline)]
    created_before: Option<Timestamp>,
}

/// The filters as they were written: names of tags and fields still are names.
pub(super) struct Filters {
    filter: ContactFilter,
    tags: Vec<TagRef>,
    fields: Vec<(String, String)>,
}

pub(super) fn read(query: &mut Query) -> Filters {
    let filter = ContactFilter {
        email: query.one("email", attribute),
        phone: query.one("phone", attribute),
        external_id: query.one("external_id", attribute),
        created_after: query.one("created_after", time),
        created_before: query.one("created_before", time),
        ..ContactFilter::default()
    };
    let tag = |text_or_id: &str| match text_or_id.parse() {
        Ok(id) => Ok(TagRef::Id(id)),
        Err(_) => text(1..=100)(text_or_id).map(TagRef::Name),
    };
    Filters { filter, tags: query.many("tag", MOST, tag), fields: query.prefixed(FIELD_PREFIX, MOST) }
}

/// Finds tags and fields; `None` where a tag is not there, so that nobody carries it.
///
/// # Errors
/// 422 for unknown fields and values that are not of the field's type.
pub(super) async fn resolve(cx: &Cx, filters: Filters) -> Result<Option<ContactFilter>, Problem> {
    let Filters { mut filter, tags, fields } = filters;
    filter.fields = match_fields(cx, fields).await?;
    match find_tags(cx, tags).await? {
        Some(tags) => Ok(Some(ContactFilter { tags, ..filter })),
        None => Ok(None),
    }
}

async fn match_fields(cx: &Cx, wanted: Vec<(String, String)>) -> Result<Vec<FieldMatch>, Problem> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let known = cx.services().fields.all(cx.access()).await?;
    let (mut matches, mut errors) = (Vec::new(), Vec::new());
    for (key, value) in wanted {
        let parameter = format!("{FIELD_PREFIX}{key}");
        match known.iter().find(|field| field.key == key) {
            None => {
                let near = nearest(&key, known.iter().map(|field| field.key.as_str()));
                let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
                let message = format!("no custom field has this key{hint}");
                errors.push(FieldError::in_parameter(parameter, "unknown_parameter", message));
            }
            Some(field) => match field.match_pattern(&value) {
                Ok(pattern) => matches.push(FieldMatch { field: field.id, pattern }),
                Err(wrong) => errors.push(FieldError::in_parameter(parameter, wrong.code, wrong.message)),
            },
        }
    }
    if errors.is_empty() { Ok(matches) } else { Err(Problem::validation(errors)) }
}

/// The ids of the tags; `None` where one is not there.
async fn find_tags(cx: &Cx, wanted: Vec<TagRef>) -> Result<Option<Vec<TagId>>, Problem> {
    let keys: Vec<String> =
        wanted.iter().filter_map(|tag| if let TagRef::Name(name) = tag { Some(fold(name)) } else { None }).collect();
    let named = match keys.is_empty() {
        true => Vec::new(),
        false => cx.services().contacts.tags.by_name_keys(cx.access(), &keys).await.map_err(Error::Store)?,
    };
    let mut ids: Vec<TagId> = Vec::new();
    for tag in wanted {
        let id = match tag {
            TagRef::Id(id) => Some(id),
            TagRef::Name(name) => named.iter().find(|tag| tag.name_key() == fold(&name)).map(|tag| tag.id),
        };
        match id {
            Some(id) if ids.contains(&id) => {}
            Some(id) => ids.push(id),
            None => return Ok(None),
        }
    }
    Ok(Some(ids))
}

fn attribute<T: std::str::FromStr<Err = InvalidAttribute>>(text: &str) -> Result<T, Fault> {
    text.parse().map_err(|InvalidAttribute(why)| Fault::new("invalid_format", why))
}

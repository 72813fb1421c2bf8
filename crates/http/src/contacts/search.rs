//! What a search for contacts says.

use serde_json::Value;
use tidings_domain::conditions::Condition;
use tidings_domain::contacts::Contact;
use tidings_domain::pagination::Sort;
use tidings_domain::read::{Violation, any, integer, string};
use utoipa::ToSchema;

use super::filter::ContactSort;
use crate::paging::sort;
use crate::problem::Problem;
use crate::request::Cx;

/// A search for contacts.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SearchContacts)]
#[allow(dead_code, reason = "describes the body")]
pub(super) struct SearchBody {
    /// Which contacts.
    filter: Condition,
    /// By which attribute; a `-` in front turns the order around. `-created_at` when absent.
    sort: Option<ContactSort>,
    /// How many rows at the most; 25 when absent.
    #[schema(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// `next_cursor` of the page before, with the same filter and sort.
    #[schema(max_length = 1024)]
    cursor: Option<String>,
}

/// A search, its condition still as it was written.
pub(super) struct Search {
    pub(super) filter: Value,
    pub(super) order: Option<Sort>,
    pub(super) limit: Option<u32>,
    pub(super) cursor: Option<String>,
}

pub(super) fn read(cx: &Cx) -> Result<Search, Problem> {
    cx.read(&[], |body| {
        let filter = body.required("filter", any());
        let order = body.nullable("sort", string(sort(&Contact::SORTS)));
        let limit = body.nullable("limit", integer(1..=100)).and_then(|limit| u32::try_from(limit).ok());
        let cursor = body.nullable("cursor", string(|text| Ok::<_, Violation>(text.to_owned())));
        Some(Search { filter: filter?, order, limit, cursor })
    })
}

/// A text that is the same for one condition, in whatever order its members stand.
pub(super) fn normal_form(json: &Value) -> String {
    match json {
        Value::Object(members) => {
            let mut members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), normal_form(value)))
                .collect();
            members.sort_unstable();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(normal_form).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

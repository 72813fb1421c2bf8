//! The body of a search for contacts.

use serde_json::Value;
use tidings_domain::body;
use tidings_domain::conditions::Condition;
use tidings_domain::contacts::Contact;
use tidings_domain::pagination::Sort;
use tidings_domain::read::schema::{Describe, Described, described};
use tidings_domain::read::{Read, any, integer};

use crate::request::paging::{cursor, sort};

body! {
    /// A search for contacts.
    pub(super) struct SearchBody as "SearchContacts" {
        /// The condition that contacts must satisfy.
        required filter: Value = condition();
        /// Attribute to sort by; a leading `-` reverses the order. `-created_at` if absent.
        nullable sort: Sort = sort("ContactSort", &Contact::SORTS);
        /// At most this many items, 1 to 100; 25 if absent.
        nullable limit: i64 = integer(1..=100);
        /// `next_cursor` of the previous page. Send the same filter and sort again.
        nullable cursor: String = cursor();
    }
}

/// Reads a condition, without checking it.
fn condition() -> impl Read<Value> + Describe {
    described(any(), Described::named::<Condition>)
}

/// Returns a text that does not depend on the order of members.
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

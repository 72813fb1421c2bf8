//! Workspaces with many contacts.
//!
//! Ten contacts are created through the API. All others are copies of their rows with other numbers, so every column
//! contains values that the service wrote.

mod postgres;
mod sqlite;

use anyhow::{Context, Result};
use serde_json::json;
use tidings_domain::ids::{ContactId, TypedId, WorkspaceId};
use uuid::Uuid;

use crate::postgres::MARKER;
use crate::service::{Program, Service, word};

pub(crate) const FIRST: u64 = 100_000_000_000;
/// The number of contacts created through the API.
pub(crate) const PATTERNS: u64 = 10;
/// The prefix of the IDs of copied contacts; their number follows.
const ID_HEAD: &str = "01900000-0000-7000-8000-";
/// The creation time of the first contact, in milliseconds since 1970; each later one is a millisecond younger.
const EPOCH_MILLIS: u64 = 1_767_225_600_000;
/// The tables of a contact, and the column that references it.
const TABLES: &[(&str, &str)] = &[
    ("contacts", "id"),
    ("contact_tags", "contact_id"),
    ("contact_values", "contact_id"),
    ("contact_identities", "contact_id"),
];
/// The history tables, emptied after the seed is complete.
pub(crate) const HISTORY: &[&str] = &[
    "delivery_attempts",
    "deliveries",
    "jobs",
    "events",
    "idempotency_keys",
    "analytics_facts",
    "analytics_counters",
    "api_usage",
    "api_usage_hours",
    "api_usage_sums",
];

/// A store with one workspace of contacts.
#[derive(Debug, Clone)]
pub(crate) struct Seed {
    /// The database on PostgreSQL, or the file on SQLite.
    pub(crate) name: String,
    /// Its URL for the service.
    pub(crate) storage: String,
    pub(crate) workspace: Uuid,
    pub(crate) key: String,
    pub(crate) contacts: u64,
}

/// A contact that is copied.
#[derive(Debug, Clone)]
struct Pattern {
    id: ContactId,
}

impl Seed {
    /// Creates a workspace, a key and the patterns in an empty store.
    async fn found(name: &str, storage: &str, program: &Program, role: &str) -> Result<(Self, Vec<Pattern>)> {
        let seed = Self::empty(name, storage, program)?;
        let service = program.serve(storage, role, &seed.key)?;
        let patterns = patterns(&service).await?;
        Ok((seed, patterns))
    }

    /// Creates a workspace and a key in an empty store.
    ///
    /// # Errors
    /// The program fails.
    pub(crate) fn empty(name: &str, storage: &str, program: &Program) -> Result<Self> {
        program.run(storage, &["migrate"])?;
        let workspace = program.run(storage, &["workspace", "create", "--name", "Bench", "--plan", "business"])?;
        let id: WorkspaceId = word(&workspace, "id")?.parse()?;
        let key = ["key", "create", "--workspace", &id.to_string(), "--scope", "full", "--name", "bench"];
        let key = word(&program.run(storage, &key)?, "key")?.to_owned();
        let (name, storage) = (name.to_owned(), storage.to_owned());
        Ok(Self { name, storage, workspace: id.uuid(), key, contacts: 0 })
    }

    /// Returns the seed for a copy of the store.
    pub(crate) fn at(&self, name: &str, storage: String) -> Self {
        Self { name: name.to_owned(), storage, ..self.clone() }
    }
}

/// Returns the ID of the contact with this number, from [`FIRST`] on.
///
/// # Errors
/// The number does not have twelve digits.
pub(crate) fn contact_id(number: u64) -> Result<ContactId> {
    Ok(ContactId::from_uuid(Uuid::try_parse(&format!("{ID_HEAD}{number}")).context("a number of twelve digits")?))
}

async fn patterns(service: &Service) -> Result<Vec<Pattern>> {
    let options: Vec<String> = (0..PATTERNS).map(|number| format!("plan-{number}")).collect();
    let plan = json!({"name": "Plan", "type": "select", "options": options});
    service.post("/api/v1/custom-fields", &plan, 201).await?;
    service.post("/api/v1/custom-fields", &json!({"name": "City", "type": "text"}), 201).await?;
    let mut patterns = Vec::new();
    for number in 0..PATTERNS {
        let contact = json!({
            "external_id": format!("customer-{number}-{MARKER}"),
            "first_name": (["Ada", "Grace", "Edsger", "Barbara", "Donald"].get(usize::try_from(number % 5)?)),
            "last_name": format!("Number{MARKER}"),
            "email": format!("customer-{number}-{MARKER}@example.com"),
            "tags": ["everybody", format!("group-{number}")],
            "custom_fields": {"plan": format!("plan-{number}"), "city": format!("City {number}")},
        });
        let made = service.post("/api/v1/contacts", &contact, 201).await?;
        patterns.push(Pattern { id: word(&made, "id")?.parse()? });
    }
    Ok(patterns)
}

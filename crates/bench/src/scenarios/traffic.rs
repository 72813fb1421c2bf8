//! Requests of the scenarios and their expected responses.

use anyhow::{Result, bail};
use serde_json::json;

use crate::http::{Answer, Connection, Traffic, request};
use crate::seed::{FIRST, contact_id};
use crate::service::Service;

/// The same request repeatedly; the response never changes.
pub(crate) struct Same {
    request: Vec<u8>,
    pub(crate) body: Vec<u8>,
}

impl Same {
    /// Sends the request once and stores the response.
    ///
    /// # Errors
    /// The response is not a success.
    pub(crate) async fn of(service: &Service, key: &str, path: &str) -> Result<Self> {
        let mut bytes = Vec::new();
        request("GET", path, key, "", "", &mut bytes);
        let mut connection = Connection::open(service.address()?).await?;
        let answer = connection.exchange(&bytes).await?;
        answer.expect(200)?;
        let body = answer.body.to_vec();
        Ok(Self { request: bytes, body })
    }
}

impl Traffic for Same {
    fn write(&self, _: u64, request: &mut Vec<u8>) {
        request.extend_from_slice(&self.request);
    }

    fn check(&self, _: u64, answer: Answer<'_>) -> Result<()> {
        if answer.status != 200 || answer.body != self.body {
            bail!("{}: a different response: {}", answer.status, String::from_utf8_lossy(answer.body));
        }
        Ok(())
    }
}

/// Random contacts by ID.
pub(crate) struct ById {
    key: String,
    contacts: u64,
}

impl ById {
    pub(crate) fn new(key: &str, contacts: u64) -> Self {
        Self { key: key.to_owned(), contacts }
    }

    fn id(&self, number: u64) -> String {
        contact_id(FIRST + spread(number) % self.contacts.max(1)).map(|id| id.to_string()).unwrap_or_default()
    }
}

/// One step of splitmix64: spreads consecutive numbers over the whole table.
pub(super) fn spread(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ (mixed >> 27)
}

impl Traffic for ById {
    fn write(&self, number: u64, out: &mut Vec<u8>) {
        request("GET", &format!("/api/v1/contacts/{}", self.id(number)), &self.key, "", "", out);
    }

    fn check(&self, number: u64, answer: Answer<'_>) -> Result<()> {
        if answer.status != 200 || !answer.body.starts_with(format!("{{\"id\":\"{}\"", self.id(number)).as_bytes()) {
            bail!("{}: a different contact: {}", answer.status, String::from_utf8_lossy(answer.body));
        }
        Ok(())
    }
}

/// New contacts, each with its own idempotency key.
pub(crate) struct Create {
    key: String,
    first: u64,
}

impl Create {
    /// Creates the traffic. `series` keeps the names of each round distinct.
    pub(crate) fn new(key: &str, series: u64) -> Self {
        Self { key: key.to_owned(), first: 200_000_000_000 + series * 100_000_000 }
    }

    pub(crate) fn request(key: &str, number: u64, out: &mut Vec<u8>) {
        let body = json!({
            "external_id": format!("new-{number}"),
            "first_name": "Radia",
            "last_name": format!("Number{number}"),
            "email": format!("new-{number}@example.com"),
        });
        request("POST", "/api/v1/contacts", key, &format!("idempotency-key: new-{number}\r\n"), &body.to_string(), out);
    }
}

impl Traffic for Create {
    fn write(&self, number: u64, out: &mut Vec<u8>) {
        Self::request(&self.key, self.first + number, out);
    }

    fn check(&self, number: u64, answer: Answer<'_>) -> Result<()> {
        let wanted = format!("\"external_id\":\"new-{}\"", self.first + number);
        if answer.status != 201 || !contains(answer.body, wanted.as_bytes()) {
            bail!("{}: not created: {}", answer.status, String::from_utf8_lossy(answer.body));
        }
        Ok(())
    }
}

fn contains(body: &[u8], wanted: &[u8]) -> bool {
    body.windows(wanted.len()).any(|window| window == wanted)
}

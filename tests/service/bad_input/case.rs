//! An invalid request and the expected problem.

use std::fmt;

use serde_json::Value;

use super::setup::Setup;
use crate::support::{Client, Reply};

/// The key of the request.
pub enum Key {
    /// The workspace's `full` key.
    Full,
    /// Another key, or none.
    Other(Option<String>),
}

/// An invalid request and the expected problem.
pub struct Case {
    method: &'static str,
    path: String,
    key: Key,
    headers: Vec<(&'static str, String)>,
    body: Option<Vec<u8>>,
    status: u16,
    code: &'static str,
    /// All expected errors with their places and codes; not checked if empty.
    errors: Vec<(String, &'static str)>,
    hint: Option<&'static str>,
    extension: Option<(&'static str, String)>,
    answered_with: Option<(&'static str, &'static str)>,
}

pub fn bare(method: &'static str, path: impl Into<String>) -> Case {
    Case {
        method,
        path: path.into(),
        key: Key::Full,
        headers: Vec::new(),
        body: None,
        status: 0,
        code: "",
        errors: Vec::new(),
        hint: None,
        extension: None,
        answered_with: None,
    }
}

pub fn get(path: impl Into<String>) -> Case {
    bare("GET", path)
}

/// A request with these bytes as its JSON body.
pub fn raw(method: &'static str, path: impl Into<String>, body: impl Into<Vec<u8>>) -> Case {
    Case { body: Some(body.into()), ..bare(method, path) }.header("content-type", "application/json")
}

pub fn post(path: impl Into<String>, body: Value) -> Case {
    raw("POST", path, body.to_string())
}

pub fn put(path: impl Into<String>, body: Value) -> Case {
    raw("PUT", path, body.to_string())
}

impl Case {
    pub fn with_key(self, key: Option<String>) -> Self {
        Self { key: Key::Other(key), ..self }
    }

    /// Sets a header. `Content-Type` replaces the default.
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        if name == "content-type" {
            self.headers.retain(|(earlier, _)| *earlier != name);
        }
        self.headers.push((name, value.into()));
        self
    }

    /// Expects this status and code.
    pub fn earns(self, status: u16, code: &'static str) -> Self {
        Self { status, code, ..self }
    }

    /// Expects status 422 with an error at this pointer or parameter. Several calls expect several errors.
    pub fn wrong_at(mut self, place: impl Into<String>, code: &'static str) -> Self {
        self.errors.push((place.into(), code));
        self.earns(422, "validation_failed")
    }

    /// Expects this text in an error message.
    pub fn hinting(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// Expects this member in the problem.
    pub fn telling(self, name: &'static str, value: &str) -> Self {
        Self { extension: Some((name, value.to_owned())), ..self }
    }

    pub fn answered_with(self, name: &'static str, value: &'static str) -> Self {
        Self { answered_with: Some((name, value)), ..self }
    }

    pub async fn play(&self, setup: &Setup) -> Reply {
        let key = match &self.key {
            Key::Full => Some(setup.seed.full.as_str()),
            Key::Other(key) => key.as_deref(),
        };
        let headers: Vec<(&str, &str)> = self.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let client: Client = setup.client.with_key(key);
        let reply = client.send(self.method, &self.path, &headers, self.body.clone()).await;
        reply.unwrap_or_else(|error| panic!("{self}: {error:?}"))
    }

    pub fn judge(&self, reply: &Reply) -> Result<(), String> {
        let must = |holds: bool, what: &dyn Fn() -> String| if holds { Ok(()) } else { Err(what()) };
        assert!(self.status >= 400, "{self} has no expected status");
        must(reply.status == self.status, &|| format!("earns {} {}", self.status, self.code))?;
        let form = reply.header("content-type");
        must(form == Some("application/problem+json"), &|| format!("comes as {form:?}"))?;
        let problem = reply.json();
        must(problem["code"] == self.code, &|| format!("earns {} {}", self.status, self.code))?;
        must(problem["status"] == self.status, &|| "names another status".to_owned())?;
        must(problem["request_id"].as_str() == reply.header("x-request-id"), &|| "names another request".to_owned())?;
        if !self.errors.is_empty() {
            let none = Vec::new();
            let place = |error: &Value| error.get("pointer").or(error.get("parameter")).cloned().unwrap_or_default();
            let told = problem["errors"].as_array().unwrap_or(&none).iter();
            let mut told: Vec<(Value, Value)> = told.map(|error| (place(error), error["code"].clone())).collect();
            let mut wanted: Vec<(Value, Value)> =
                self.errors.iter().map(|(place, code)| (Value::from(place.as_str()), Value::from(*code))).collect();
            told.sort_by_key(|(place, _)| place.to_string());
            wanted.sort_by_key(|(place, _)| place.to_string());
            must(told == wanted, &|| format!("is wrong at {wanted:?}"))?;
        }
        if let Some(hint) = self.hint {
            must(problem["errors"].to_string().contains(hint), &|| format!("deserves the hint {hint}"))?;
        }
        if let Some((name, value)) = &self.extension {
            must(problem[*name] == value.as_str(), &|| format!("tells {name} = {value}"))?;
        }
        if let Some((name, value)) = self.answered_with {
            must(reply.header(name) == Some(value), &|| format!("answers with {name}: {value}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for Case {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = self.body.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        let body: String = body.chars().take(200).collect();
        let path: String = self.path.chars().take(200).collect();
        write!(out, "{} {path} {:?} {body}", self.method, self.headers)
    }
}

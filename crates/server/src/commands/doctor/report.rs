//! The report of `tidings doctor`.

use serde::Serialize;

use crate::output::print_line;
use crate::settings::Effective;

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    Ok,
    Warning,
    Wrong,
}

#[derive(Debug, Serialize)]
pub(super) struct Check {
    name: &'static str,
    pub(super) status: Status,
    found: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) ok: bool,
    pub(super) environment: String,
    pub(super) checks: Vec<Check>,
    pub(super) settings: Vec<Effective>,
}

impl Report {
    fn add(&mut self, name: &'static str, status: Status, found: &str, advice: Option<&str>) {
        let advice = advice.map(ToOwned::to_owned);
        self.checks.push(Check { name, status, found: found.to_owned(), advice });
    }

    pub(super) fn fine(&mut self, name: &'static str, found: &str) {
        self.add(name, Status::Ok, found, None);
    }

    pub(super) fn warn(&mut self, name: &'static str, found: &str, advice: &str) {
        self.add(name, Status::Warning, found, Some(advice));
    }

    pub(super) fn wrong(&mut self, name: &'static str, found: impl Into<String>, advice: &str) {
        self.add(name, Status::Wrong, &found.into(), Some(advice));
    }

    pub(super) fn print(&self) {
        print_line(&format!("Settings for the environment `{}` (TIDINGS_ENV):", self.environment));
        for Effective { key, value } in &self.settings {
            print_line(&format!("  {key} = {value}"));
        }
        print_line("");
        for check in &self.checks {
            let word = match check.status {
                Status::Ok => "ok",
                Status::Warning => "warn",
                Status::Wrong => "WRONG",
            };
            print_line(&format!("{word:<6}{:<14}{}", check.name, check.found));
            if let Some(advice) = &check.advice {
                print_line(&format!("{:<20}{advice}", ""));
            }
        }
    }
}

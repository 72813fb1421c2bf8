//! Findings of the scripts in a definition. They are warnings, because the author may have changed the flow on
//! purpose.

use super::script::Script;
use super::view::Simulated;
use crate::error::{Error, Violation};
use crate::flows::{Finding, Severity};
use crate::read::{Input, Params};

const CODE: &str = "expectation_failed";
/// Pointer prefix of a definition in a request.
const KEPT: &str = "/definition";
const HINT: &str = "change the flow or the expectation of the script; simulate the script to see each step";

impl Simulated {
    /// Returns a finding for each expectation that was not met; pointers are relative to the definition.
    pub fn findings(&self) -> Vec<Finding> {
        let of_script = self.simulations.iter().enumerate().flat_map(|(place, simulation)| {
            let named =
                simulation.name.as_ref().map_or_else(|| format!("script {place}"), |name| format!("script “{name}”"));
            let end = simulation.end.message.as_str();
            simulation.failed_expectations.iter().map(move |failed| {
                let message = format!("{named}: {}; the simulation ended: {end}", failed.message);
                let mut params = failed.params.clone();
                params.insert("script", simulation.name.clone().unwrap_or_else(|| place.to_string()));
                params.insert("failure", failed.code.to_owned());
                Finding { params, ..finding(format!("/scripts/{place}{}", failed.pointer), message) }
            })
        });
        of_script.collect()
    }
}

/// Whether a definition contains scripts with expectations.
pub fn expects_something(definition: &serde_json::Value) -> bool {
    let scripts = definition.get("scripts").and_then(serde_json::Value::as_array);
    let expects =
        |script: &serde_json::Value| Script::parse(Input::from(script)).is_ok_and(|script| !script.expect.is_empty());
    scripts.into_iter().flatten().any(expects)
}

/// Returns findings for scripts that could not run: errors in their contacts, or the failure itself. Other errors in
/// the definition are reported elsewhere.
pub fn findings_of_failure(error: &Error) -> Vec<Finding> {
    match error {
        Error::Invalid(violations) => {
            let of_scripts = |wrong: &Violation| {
                let pointer = wrong.pointer.strip_prefix(KEPT)?;
                let message = format!("the script cannot be simulated: {}", wrong.message);
                let found = || Finding { params: wrong.params.clone(), ..finding(pointer.to_owned(), message) };
                pointer.starts_with("/scripts/").then(found)
            };
            violations.iter().filter_map(of_scripts).collect()
        }
        _ => {
            vec![finding("/scripts".to_owned(), "the scripts were not run; simulate them to see the result".to_owned())]
        }
    }
}

fn finding(pointer: String, message: String) -> Finding {
    Finding {
        severity: Severity::Warning,
        code: CODE,
        pointer,
        node_path: Vec::new(),
        message,
        params: Params::new(),
        hint: Some(HINT.to_owned()),
        did_you_mean: Vec::new(),
    }
}

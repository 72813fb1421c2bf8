//! `http_request`: sends an HTTP request and saves parts of the response in variables. `execute/call.rs` sends it
//! between two steps of the run; this module prepares the request and reads the response.

mod answer;
mod body;
mod forms;
mod headers;
mod request;
mod secrets;
#[cfg(test)]
mod tests;

use super::kind::{FieldContent, Kind, NodeField};
use crate::flows::Template;
use crate::flows::caller::{Called, Method};
use crate::flows::definition::{Fields, FlowFields};
use crate::flows::interpret::{Input, Interpreter, NodeOutcome};
use crate::flows::run::{Wait, WaitKind};
use crate::step_outcome::StepOutcome;

use answer::Saved;
use body::Body;

pub(in crate::flows) use request::{SECRET_NOT_BARE, secrets_in};
pub use secrets::OpenSecrets;

/// Maximum size of a run's variables in bytes, as JSON, after a response was saved.
const MAX_VARS: usize = 256 * 1_024;

/// Sends an HTTP request.
#[derive(Debug, Clone, PartialEq)]
pub struct HttpRequest {
    /// The HTTP method.
    pub method: Method,
    /// The URL.
    pub url: Template,
    /// Headers, by name.
    pub headers: Vec<(String, Template)>,
    /// The body.
    pub body: Option<Body>,
    /// The parts of the response to save.
    pub save: Vec<Saved>,
}

impl Kind for HttpRequest {
    const WORD: &'static str = "http_request";
    const ABOUT: &'static str = "Sends an HTTP request, and saves parts of the response in variables.";
    const FIELDS: &'static [NodeField] = &[
        NodeField::must("method", "`GET`, `POST`, `PUT`, `PATCH` or `DELETE`.").of(FieldContent::Word(&Method::WORDS)),
        NodeField::must("url", "The URL: an absolute URL, as a template."),
        NodeField::may(
            "headers",
            "Up to 20 headers by name, each a template. A header with an empty value is omitted.",
        )
        .of(FieldContent::TextByName),
        NodeField::may("body", "The body: a template, or any other JSON with templates as texts.")
            .of(FieldContent::Anything),
        NodeField::may(
            "save",
            "The parts of the response to save: `status`, `body` or `body.PATH` by the key of the variable.",
        )
        .of(FieldContent::TextByName),
        NodeField::NEXT,
        NodeField::exit("on_error", "The next node if the call fails permanently; if absent, the run fails."),
    ];

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let method = fields.word("method", &Method::WORDS).and_then(Method::parse);
        let url = request::read_url(fields);
        let headers = headers::read(fields);
        let body = Body::read(fields, method);
        let save = Saved::read(fields);
        Some(Self { method: method?, url: url?, headers, body, save })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
        NodeOutcome::wait(at, Wait::for_call(interpreter.environment.now), StepOutcome::Calls.text())
    }

    fn resume(
        &self,
        interpreter: &mut Interpreter<'_>,
        at: &str,
        wait: &Wait,
        input: Input<'_>,
    ) -> Option<NodeOutcome> {
        if wait.kind != WaitKind::Http {
            return None;
        }
        let Input::Called(called) = input else { return Some(NodeOutcome::wait(at, wait.clone(), "")) };
        interpreter.enter(at, Self::WORD, true);
        Some(match called {
            Called::Saved { status, vars } => match answer::save(interpreter, vars) {
                Ok(saved) => NodeOutcome::next(format!("{}{saved}", StepOutcome::CallAnswered.with(status))),
                Err(why) => failed(interpreter, at, "answer_too_large", why),
            },
            Called::Failed { code, message } => failed(interpreter, at, code, message.clone()),
        })
    }
}

/// Returns the turn after a permanent failure.
fn failed(interpreter: &Interpreter<'_>, at: &str, code: &str, message: String) -> NodeOutcome {
    match interpreter.has_exit("on_error") {
        true => NodeOutcome::leave("on_error", format!("{code}: {message}")),
        false => NodeOutcome::failed(code, message, at),
    }
}

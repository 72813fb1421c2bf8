//! `delay`: waits for a duration, until a time, or until a send window opens.

use chrono::NaiveDateTime;

use super::kind::{FieldContent, Kind, NodeField};
use crate::flows::Template;
use crate::flows::definition::{Fields, FlowFields};
use crate::flows::interpret::{Input, Interpreter, NodeOutcome};
use crate::flows::run::{Wait, WaitKind};
use crate::read;
use crate::send_window::{SendWindow, Zone, after, instant_of};
use crate::step_outcome::StepOutcome;
use crate::time::{IsoDuration, Timestamp};

/// A wait.
#[derive(Debug, Clone, PartialEq)]
pub struct Delay {
    /// Its end, without the window.
    pub moment: Moment,
    /// The send window for its end.
    pub window: Option<SendWindow>,
}

/// The end of a wait, without its window.
#[derive(Debug, Clone, PartialEq)]
pub enum Moment {
    /// At once.
    Now,
    /// After this duration, with calendar days in the time zone of the window, otherwise of the contact.
    For(IsoDuration),
    /// At an instant.
    Instant(Timestamp),
    /// At this local time, in the time zone of the window, otherwise of the contact.
    Local(NaiveDateTime),
    /// At the time that a template renders.
    Template(Template),
}

impl Moment {
    /// Parses an RFC 3339 time, or a local time without an offset.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(instant) = text.parse() {
            return Some(Self::Instant(instant));
        }
        let formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"];
        formats.iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok()).map(Self::Local)
    }

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let text = fields.text("until")?;
        if Template::stands_in(text) {
            return fields.parse_template("until", text).map(Self::Template);
        }
        let moment = Self::parse(text);
        if moment.is_none() {
            let expected = "expected a time such as 2026-12-24T18:00:00Z, or a local one such as 2026-12-24T18:00";
            fields.wrong("until", "invalid_format", expected);
        }
        moment
    }
}

impl Delay {
    /// Whether it may wait.
    pub fn lasts(&self) -> bool {
        let lasts = match &self.moment {
            Moment::Now => false,
            Moment::For(duration) => !duration.get().is_zero(),
            Moment::Instant(_) | Moment::Local(_) | Moment::Template(_) => true,
        };
        lasts || self.window.is_some()
    }
}

impl Kind for Delay {
    const WORD: &'static str = "delay";
    const ABOUT: &'static str = "Waits for a duration, until a time, or until a window opens.";
    const FIELDS: &'static [NodeField] = &[
        NodeField::may(
            "for",
            "The duration of the wait, in ISO 8601 such as `P1D`. Weeks and days are calendar days in the time zone of \
             the window, otherwise of the contact, otherwise of the workspace. Hours, minutes and seconds are added \
             after the days.",
        )
        .of(FieldContent::Duration),
        NodeField::may(
            "until",
            "When the wait ends: an RFC 3339 time, a local time such as `2026-12-24T18:00`, or a template that renders \
             one.",
        ),
        NodeField::may("window", "The wait ends only within these hours: `days`, `from`, `to`, `time_zone`.")
            .of(FieldContent::Window),
        NodeField::NEXT,
    ];
    const WAITS: bool = true;
    const ASKS_SETTINGS: bool = true;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (lasts, until) = (fields.get("for").is_some(), fields.get("until").is_some());
        if lasts && until {
            fields.wrong("until", "not_allowed", "use either `for` or `until`, not both");
            return None;
        }
        let moment = match (lasts, until) {
            (true, _) => fields.calendar_duration("for").map(Moment::For),
            (_, true) => Moment::read(fields),
            _ => Some(Moment::Now),
        };
        let window = window(fields)?;
        if !lasts && !until && window.is_none() {
            fields.wrong("for", "required", "`for`, `until` or `window` is required");
            return None;
        }
        Some(Self { moment: moment?, window })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
        let until = match self.instant(interpreter) {
            Ok(instant) => self.opening(interpreter, instant),
            Err(why) => return NodeOutcome::failed("template_error", why, at),
        };
        if until <= interpreter.environment.now && !matches!(self.moment, Moment::For(_)) {
            return NodeOutcome::next(StepOutcome::NoWaitNeeded.text());
        }
        NodeOutcome::wait(at, Wait::until(until), StepOutcome::WaitsUntil.with(until))
    }

    fn resume(
        &self,
        interpreter: &mut Interpreter<'_>,
        at: &str,
        wait: &Wait,
        _input: Input<'_>,
    ) -> Option<NodeOutcome> {
        if wait.kind != WaitKind::Until {
            return None;
        }
        let early = wait.until.filter(|until| interpreter.environment.now < *until);
        // A late step, for example after a downtime, still respects the window.
        let later = early.or_else(|| {
            Some(self.opening(interpreter, interpreter.environment.now)).filter(|at| *at > interpreter.environment.now)
        });
        if let Some(until) = later {
            return Some(NodeOutcome::wait(at, Wait::until(until), ""));
        }
        interpreter.enter(at, Self::WORD, true);
        Some(NodeOutcome::next(StepOutcome::Continued.text()))
    }
}

impl Delay {
    /// Returns the end of the wait, without the window.
    fn instant(&self, interpreter: &Interpreter<'_>) -> Result<Timestamp, String> {
        let local = |time| instant_of(time, self.zone(interpreter));
        Ok(match &self.moment {
            Moment::Now => interpreter.environment.now,
            Moment::For(duration) => after(interpreter.environment.now, *duration, self.zone(interpreter)),
            Moment::Instant(instant) => *instant,
            Moment::Local(time) => local(*time),
            Moment::Template(template) => {
                let text = interpreter.render(template)?;
                match Moment::parse(&text) {
                    Some(Moment::Instant(instant)) => instant,
                    Some(Moment::Local(time)) => local(time),
                    _ => return Err(format!("{text} is not a time such as 2026-12-24T18:00:00Z")),
                }
            }
        })
    }

    /// Returns the first instant, at or after this one, that the window allows.
    fn opening(&self, interpreter: &Interpreter<'_>, instant: Timestamp) -> Timestamp {
        self.window.as_ref().map_or(instant, |window| window.next_allowed(instant, self.zone(interpreter)))
    }

    fn zone(&self, interpreter: &Interpreter<'_>) -> chrono_tz::Tz {
        let zone = self.window.as_ref().map_or(Zone::Contact, |window| window.zone());
        zone.of(interpreter.contact.time_zone.as_ref(), interpreter.environment.zone)
    }
}

/// Reads the optional window; `None` if it is invalid.
#[allow(clippy::option_option, reason = "absent and wrong are different")]
fn window(fields: &mut Fields<'_>) -> Option<Option<SendWindow>> {
    let Some(written) = fields.get("window") else { return Some(None) };
    let window = fields.take("window", written, |written: read::Input<'_>| SendWindow::parse(written))?;
    if window.is_empty() {
        fields.never_opens("window");
    }
    Some(Some(window))
}

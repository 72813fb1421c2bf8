//! The node that waits for a time: `delay`.

use std::time::Duration;

use chrono::NaiveDateTime;

use super::Action;
use super::read::Fields;
use crate::flows::Template;
use crate::read::Input;
use crate::send_window::SendWindow;
use crate::time::{IsoDuration, Timestamp};

/// A wait for a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Delay {
    /// For how long, or until when; at once where there is only a window.
    pub moment: Moment,
    /// Only within these hours.
    pub window: Option<SendWindow>,
}

/// Until when a wait lasts, its window aside.
#[derive(Debug, Clone, PartialEq)]
pub enum Moment {
    /// It does not last.
    Now,
    /// So long.
    For(Duration),
    /// Until an instant.
    Instant(Timestamp),
    /// Until the clocks show this, in the zone of the window, else of the contact.
    Local(NaiveDateTime),
    /// Until the time that a template makes.
    Template(Template),
}

impl Moment {
    /// Reads an RFC 3339 time, or a local one without an offset.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(instant) = text.parse() {
            return Some(Self::Instant(instant));
        }
        let formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"];
        formats.iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok()).map(Self::Local)
    }
}

pub(super) fn delay(fields: &mut Fields<'_>) -> Option<Action> {
    let (lasts, until) = (fields.get("for").is_some(), fields.get("until").is_some());
    if lasts && until {
        fields.wrong("until", "not_allowed", "give either for or until");
        return None;
    }
    let moment = match (lasts, until) {
        (true, _) => duration(fields, "for").map(Moment::For),
        (_, true) => moment(fields),
        _ => Some(Moment::Now),
    };
    let window = window(fields)?;
    if !lasts && !until && window.is_none() {
        fields.wrong("for", "required", "give for, until or window");
        return None;
    }
    Some(Action::Delay(Delay { moment: moment?, window }))
}

fn moment(fields: &mut Fields<'_>) -> Option<Moment> {
    let text = fields.text("until")?;
    if is_template(text) {
        return fields.parse_template("until", text).map(Moment::Template);
    }
    let moment = Moment::parse(text);
    if moment.is_none() {
        let expected = "expected a time such as 2026-12-24T18:00:00Z, or a local one such as 2026-12-24T18:00";
        fields.wrong("until", "invalid_format", expected);
    }
    moment
}

/// The window, if there is one; `None` outside where it is wrong.
#[allow(clippy::option_option, reason = "absent and wrong are different")]
fn window(fields: &mut Fields<'_>) -> Option<Option<SendWindow>> {
    let Some(written) = fields.get("window") else { return Some(None) };
    let window = fields.take("window", written, |written: Input<'_>| SendWindow::parse(written))?;
    if window.is_empty() {
        fields.never_opens("window");
    }
    Some(Some(window))
}

/// An ISO 8601 duration.
pub(super) fn duration(fields: &mut Fields<'_>, name: &str) -> Option<Duration> {
    match fields.text(name)?.parse::<IsoDuration>() {
        Ok(duration) => Some(duration.get()),
        Err(error) => {
            fields.wrong(name, "invalid_format", error.to_string());
            None
        }
    }
}

/// Whether a text holds anything that a template would replace.
pub(super) fn is_template(text: &str) -> bool {
    text.contains("{{") || text.contains("{%") || text.contains("{#")
}

//! How runs of a flow are started and ended.

use std::time::Duration;

use super::fields::Fields;

/// What a start does while a run of the flow lives for the contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reentry {
    /// Nothing: the run that lives is the answer.
    #[default]
    Skip,
    /// The run that lives is interrupted, and a new one begins.
    Restart,
    /// A new one begins beside it.
    Parallel,
}

impl Reentry {
    /// The words of all.
    pub const WORDS: [&str; 3] = ["skip", "restart", "parallel"];

    /// The one with this word.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "skip" => Some(Self::Skip),
            "restart" => Some(Self::Restart),
            "parallel" => Some(Self::Parallel),
            _ => None,
        }
    }
}

/// The settings of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// What a start does while a run lives.
    pub reentry: Reentry,
    /// How long a run lives at the most.
    pub expires_after: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { reentry: Reentry::Skip, expires_after: Duration::from_secs(30 * 86_400) }
    }
}

impl Settings {
    pub(super) fn read(fields: &mut Fields<'_>) -> Self {
        let read = fields.inside("settings", |fields| {
            fields.only(&["reentry", "expires_after"]);
            let mut settings = Self::default();
            if fields.get("reentry").is_some() {
                settings.reentry = fields.word("reentry", &Reentry::WORDS).and_then(Reentry::parse)?;
            }
            if fields.get("expires_after").is_some() {
                settings.expires_after = fields.duration("expires_after")?;
                if settings.expires_after.is_zero() {
                    fields.wrong("expires_after", "out_of_range", "must be longer than zero");
                }
            }
            Some(settings)
        });
        read.unwrap_or_default()
    }
}

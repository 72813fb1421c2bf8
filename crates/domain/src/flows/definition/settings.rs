//! Settings for the start and end of a flow's runs.

use std::time::Duration;

use super::fields::{Fields, FlowFields};

/// The effect of a start if a run of the flow is live for the contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reentry {
    /// None: the live run is returned.
    #[default]
    Skip,
    /// The live run is interrupted and a new run starts.
    Restart,
    /// A new run starts and the live run continues.
    Parallel,
}

impl Reentry {
    /// All words.
    pub const WORDS: [&str; 3] = ["skip", "restart", "parallel"];

    /// Returns the variant with this word.
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
    /// The effect of a start if a run is live.
    pub reentry: Reentry,
    /// Maximum duration of a run.
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

//! What changes that is to be counted.

use super::{Fact, ReplyTime};
use crate::ports::Touches;

/// A change to what is counted.
#[derive(Debug, Clone, PartialEq)]
pub enum AnalyticsChange {
    /// Notes something to be counted.
    Record(Fact),
    /// Notes a reply time to be counted.
    RecordReply(ReplyTime),
}

impl AnalyticsChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Record(_) | Self::RecordReply(_) => Touches::Beside,
        }
    }
}

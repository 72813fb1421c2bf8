use super::{Fact, ReplyTime};
use crate::ports::Touches;

/// A change that records something to be counted.
#[derive(Debug, Clone, PartialEq)]
pub enum AnalyticsChange {
    /// Records a fact.
    Record(Fact),
    /// Records a reply time.
    RecordReply(ReplyTime),
}

impl AnalyticsChange {
    /// Returns the rows that it touches.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Record(_) | Self::RecordReply(_) => Touches::Beside,
        }
    }
}

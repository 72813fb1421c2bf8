use super::{Fact, ReplyTime};
use crate::ports::RowEffect;

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
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::Record(_) | Self::RecordReply(_) => RowEffect::Unguarded,
        }
    }
}

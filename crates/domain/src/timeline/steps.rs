//! Steps of runs, the newest first. They are in the traces of runs, which overlap. Traces are read by last update,
//! until the remaining ones cannot contain a newer step.

use std::cmp::Reverse;
use std::time::Duration;

use uuid::Uuid;

use super::model::rank;
use super::sources::Reading;
use super::{RunSpan, TimelineEntry};
use crate::flows::Run;
use crate::pagination::{Order, PageRequest, Position};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// Number of runs per read, without their traces.
const SPANS: u32 = 500;
/// Number of traces per read.
const TRACES: usize = 10;
/// Maximum time that the last step of a run can be later than its last update, because several servers with different
/// clocks write them.
const SLACK: Duration = Duration::from_secs(60);

impl Reading<'_> {
    pub(super) async fn steps(&self, wanted: bool) -> Result<Vec<TimelineEntry>, StoreError> {
        if !wanted {
            return Ok(Vec::new());
        }
        let (most, mut found) = (self.request.limit as usize + 1, Vec::new());
        let spans = self.spans().await?;
        for (runs, next) in spans.chunks(TRACES).zip(1..) {
            let ids: Vec<_> = runs.iter().map(|span| span.run).collect();
            for run in self.ports.timeline.runs(self.access, &ids).await? {
                found.extend(self.steps_of(run));
            }
            found.sort_by_key(|entry: &TimelineEntry| Reverse(entry.rank()));
            found.truncate(most);
            let last = found.last().filter(|_| found.len() == most).map(|entry| entry.position().at.at);
            let left = spans.get(next * TRACES).map(newest);
            if left.is_none_or(|left| last.is_some_and(|last| last > left)) {
                break;
            }
        }
        Ok(found)
    }

    /// Returns all runs that had started at the start of the page, those with the newest steps first.
    async fn spans(&self) -> Result<Vec<RunSpan>, StoreError> {
        let after = self.request.after.map(|place| Position { at: place.at.at, id: Uuid::max() });
        let mut page = PageRequest { limit: SPANS, order: Order::NewestFirst, after, counted: false };
        let mut spans = Vec::new();
        loop {
            let read = self.ports.timeline.spans(self.access, self.contact, page).await?;
            spans.extend(read.items);
            match read.next {
                Some(next) => page.after = Some(next),
                None => break,
            }
        }
        spans.sort_by_key(|span| Reverse((newest(span), span.run)));
        Ok(spans)
    }

    fn steps_of(&self, run: Run) -> impl Iterator<Item = TimelineEntry> {
        let after = self.request.after.map(|place| rank(&place));
        let (id, flow) = (run.id, run.flow);
        let steps = run.trace.into_iter().zip(0..);
        let steps =
            steps.map(move |(entry, place)| TimelineEntry::Step { run: id, flow, place, entry: Box::new(entry) });
        steps.filter(move |step| after.is_none_or(|after| step.rank() < after))
    }
}

/// Returns a time that no step of the run is later than.
fn newest(span: &RunSpan) -> Timestamp {
    span.updated_at.plus(SLACK)
}

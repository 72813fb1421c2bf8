//! `/contacts/{id}/timeline`: the history of a contact.

use std::collections::BTreeSet;

use tidings_domain::read::schema::Annotate;
use tidings_domain::read::{Violation, string};
use tidings_domain::time::Timestamp;
use tidings_domain::timeline::{Source, TimelineEntryView, TimelineKey, TimelineKind, TimelineOrder};

use crate::request::RequestContext;
use crate::request::paging::{CursorKey, List, ListOrder, ListParameters, ListQuery, cursor};
use crate::request::path::CONTACT;
use crate::request::query::{limit, parameters};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

parameters! {
    /// The filter of a timeline.
    struct TimelineFilters {
        /// Only entries of these types, separated by commas: `event`, `custom_event`, `message`, `suppression`,
        /// `run_step`, `enrollment`.
        one kind: Vec<TimelineKind> = string(kinds).example("message,suppression");
    }
}

parameters! {
    struct TimelineParams {
        /// At most this many items, 1 to 100.
        one limit: u32 = limit();
        /// `next_cursor` of the previous page. Send the same filters again.
        one cursor: String = cursor();
    }
}

impl ListParameters for TimelineParams {
    type Order = TimelineOrder;

    fn into_list_query(self) -> ListQuery<TimelineOrder> {
        ListQuery { limit: self.limit, order: None, counted: false, cursor: self.cursor }
    }
}

impl ListOrder for TimelineOrder {
    type Key = TimelineKey;
}

/// The index of the source, the index in a trace, and milliseconds, big-endian.
impl CursorKey for TimelineKey {
    fn write(&self) -> Vec<u8> {
        let source = Source::ALL.iter().position(|it| *it == self.source).and_then(|it| u8::try_from(it).ok());
        source.into_iter().chain(self.step.to_be_bytes()).chain(self.at.write()).collect()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (source, rest) = bytes.split_first()?;
        let (step, at) = rest.split_first_chunk::<4>()?;
        let source = *Source::ALL.get(usize::from(*source))?;
        Some(Self { at: Timestamp::read(at)?, source, step: u32::from_be_bytes(*step) })
    }
}

fn kinds(text: &str) -> Result<Vec<TimelineKind>, Violation> {
    let kind = |word: &str| {
        TimelineKind::parse(word.trim()).ok_or_else(|| {
            let words = TimelineKind::ALL.map(TimelineKind::as_str).join("`, `");
            Violation::at_root("invalid_value", format!("must be one or more of `{words}`"))
        })
    };
    text.split(',').map(kind).collect()
}

/// List the timeline of a contact.
///
/// Returns, newest first: events, custom events, messages, suppressed messages with the reason, steps of runs, and
/// enrollments. Each type goes back as far as its own retention.
#[utoipa::path(get, path = "/api/v1/contacts/{id}/timeline", tag = "Contacts", params(TimelineFilters, TimelineParams),
    responses((status = 200, description = "A page of the timeline.", body = List<TimelineEntryView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<TimelineParams>();
    let TimelineFilters { kind } = query.read();
    query.finish()?;
    let kinds: BTreeSet<TimelineKind> = kind.into_iter().flatten().collect();
    let contact = cx.path_parameter(&CONTACT)?;
    let page = cx.services().timeline.of(cx.access(), &contact, &kinds, paging.request).await?;
    Ok(cx.page(&paging, page, |entry| TimelineEntryView::from(entry)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeline_keys_round_trip() {
        for (source, step) in Source::ALL.into_iter().zip([0, 1, 256, 999, u32::MAX]) {
            let key = TimelineKey { at: Timestamp::EPOCH_2026, source, step };
            assert_eq!(TimelineKey::read(&key.write()), Some(key));
        }
        assert_eq!(TimelineKey::read(&[9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), None, "an unknown source is rejected");
        assert_eq!(TimelineKey::read(&[]), None);
    }

    #[test]
    fn reads_types_separated_by_commas() {
        assert_eq!(kinds("message, run_step"), Ok(vec![TimelineKind::Message, TimelineKind::RunStep]));
        assert_eq!(kinds("message,msg").map_err(|wrong| wrong.code), Err("invalid_value"));
    }
}

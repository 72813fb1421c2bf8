//! The check for channels with problems at their providers.

use tidings_storage::{ChannelState, Storage};

use super::report::Report;

/// The number of channels per query.
const PAGE: u16 = 200;
/// The number of channels that the report names.
const NAMED: usize = 20;

/// Reports channels with problems at the last check, and those with messages that wait for the provider. The providers
/// are not asked.
pub(super) async fn look_at_channels(report: &mut Report, storage: &Storage) {
    let (mut after, mut looked_at, mut found) = (None, 0, Vec::new());
    loop {
        let page = match storage.channel_states(after, PAGE).await {
            Ok(page) => page,
            Err(error) => return report.wrong("channels", error.to_string(), "Check the log of the database."),
        };
        looked_at += page.len();
        found.extend(page.iter().filter_map(problem));
        match page.last() {
            Some(last) if page.len() == usize::from(PAGE) => after = Some((last.workspace, last.channel)),
            _ => break,
        }
    }
    if found.is_empty() {
        return report.fine("channels", &format!("no problem of {looked_at} channels at their providers is known"));
    }
    let named: Vec<&str> = found.iter().take(NAMED).map(String::as_str).collect();
    report.warn(
        "channels",
        &format!("{} of {looked_at} channels have problems at their providers: {}", found.len(), named.join(", ")),
        "Open the channel in the panel, or read `health` of `GET /api/v1/channels/{id}`.",
    );
}

/// Describes the problem of a channel; `None` if it has none.
fn problem(state: &ChannelState) -> Option<String> {
    let ChannelState { workspace, channel, is_waiting, problems } = state;
    let waits = is_waiting.then_some("messages wait for the provider");
    let words: Vec<&str> = problems.iter().map(String::as_str).chain(waits).collect();
    (!words.is_empty()).then(|| format!("{channel} ({workspace}, {})", words.join(", ")))
}

#[cfg(test)]
mod tests {
    use tidings_domain::ids::{ChannelId, TypedId, WorkspaceId};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn names_the_problems_of_a_channel() {
        let (workspace, channel) = (WorkspaceId::from_uuid(Uuid::nil()), ChannelId::from_uuid(Uuid::nil()));
        let with = |is_waiting: bool, problems: &[&str]| {
            let problems = problems.iter().map(|it| (*it).to_owned()).collect();
            problem(&ChannelState { workspace, channel, is_waiting, problems })
        };
        assert_eq!(with(false, &[]), None);
        let expected = format!("{channel} ({workspace}, invalid_token, messages wait for the provider)");
        assert_eq!(with(true, &["invalid_token"]), Some(expected));
        assert_eq!(with(false, &["webhook_taken"]), Some(format!("{channel} ({workspace}, webhook_taken)")));
    }
}

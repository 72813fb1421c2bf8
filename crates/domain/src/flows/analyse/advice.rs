//! What to do about what was found: said with the finding, or here for all of its code.

use super::Finding;

/// Completes a finding that does not say what to do.
pub(super) fn give(finding: &mut Finding) {
    if finding.hint.is_none() && finding.did_you_mean.is_empty() {
        finding.hint = of(finding.code).map(ToOwned::to_owned);
    }
}

/// What to do about findings with this code; nothing where their sentences say it.
fn of(code: &str) -> Option<&'static str> {
    Some(match code {
        "unknown_node" => "name a node of this flow, or add one with this id",
        "unknown_tag" => "make the tag first, or name one that is there",
        "unknown_field" => "name a field that is there, or make it first",
        "unknown_flow" => "name a flow of this workspace by its id",
        "unknown_sequence" => "name a sequence of this workspace by its id",
        "unknown_channel" => "name a channel of this workspace by its id",
        "unknown_member" => {
            "name a member of this workspace by its id, or leave it out to assign to nobody in particular"
        }
        "unknown_event" => "name an event that the service tells, or a custom event",
        "unknown_name" => "look up contact, custom_fields, bot_fields, conversation, event, vars or now",
        "template_error" => "correct the template; POST /templates/render shows what it makes",
        "duplicate_id" => "give one of the two nodes another id, and lead to it",
        "dead_end" => "lead on to another node, or to one of the type end",
        "recursion" => "go over to another flow, or lead back to a node of this one behind a wait",
        "schedule_too_often" => "leave at least five minutes between two times, such as */5 * * * *",
        "schedule_never_fires" => "name a day that some month has; L is the last day of a month",
        "required" => "give it, or take out what needs it",
        "wrong_type" => "give a value of the type that is expected",
        "out_of_range" | "too_few" | "too_many" | "too_long" | "too_short" => "stay within the bounds",
        "blank" => "give a text, or take the field out",
        _ => return None,
    })
}

//! Hints that apply to all findings with the same code.

use super::Finding;

/// Adds the hint for its code to a finding without hint and suggestions.
pub(super) fn give(finding: &mut Finding) {
    if finding.hint.is_none() && finding.did_you_mean.is_empty() {
        finding.hint = of(finding.code).map(ToOwned::to_owned);
    }
}

/// Returns the hint for a code; `None` if the messages suffice.
fn of(code: &str) -> Option<&'static str> {
    Some(match code {
        "unknown_node" => "use the ID of an existing node, or add a node with this ID",
        "unknown_tag" => "create the tag first, or use an existing tag",
        "unknown_field" => "use an existing field, or create this field first",
        "unknown_flow" => "use the ID of a flow in this workspace",
        "unknown_sequence" => "use the ID of a sequence in this workspace",
        "unknown_channel" => "use the ID of a channel in this workspace",
        "unknown_media" => "upload the file with POST /api/v1/media, and use its ID",
        "unknown_member" => "use the ID of a member of this workspace, or omit it to hand over without an assignee",
        "not_assignable" => "use a member with the role member, admin or owner, or change the role of this member",
        "unknown_event" => "use a type from GET /api/v1/event-types, or use custom_event for a custom event",
        "unknown_name" => "use contact, custom_fields, bot_fields, conversation, event, vars or now",
        "template_error" => "correct the template; test it with POST /api/v1/templates/render",
        "duplicate_id" => "change the ID of one of the two nodes, and connect its previous nodes to the new ID",
        "dead_end" => "set it to the next node, or to a node of type end",
        "recursion" => "start another flow, or lead back to an earlier node of this flow after a wait",
        "schedule_too_often" => "leave at least five minutes between two starts, such as */5 * * * *",
        "schedule_never_fires" => "use a day that exists in at least one month; L is the last day of a month",
        "required" => "set it, or remove the part that needs it",
        "wrong_type" => "use a value of the expected type",
        "out_of_range" | "too_few" | "too_many" | "too_long" | "too_short" => "change it to fit this limit",
        "blank" => "enter a text, or remove the field",
        _ => return None,
    })
}

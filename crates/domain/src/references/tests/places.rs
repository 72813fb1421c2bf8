//! All places in rows that refer to objects by a name or key that can change or be used again.

use std::collections::BTreeSet;

use crate::ports::Row;
use crate::stored::StoredRow;

/// The form of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// An ID, written by a client.
    Id,
    /// A text, with the ID that it referred to when it was written: [`crate::conditions::Bindings`].
    Bound,
    /// A value that is not an object: an option of a field. Its removal is reported in `lost_references`.
    Value,
    /// The key of a field, resolved for each portion of work. The row exists for minutes only.
    Key,
}

use How::{Bound, Id, Key, Value};

/// The places in each type of row. Add new types and new places here.
const PLACES: &[(&str, &[(&str, How)])] = &[
    ("Workspace", &[]),
    ("User", &[]),
    ("Member", &[("user", Id)]),
    ("Channel", &[]),
    ("Contact", &[("custom_fields", Value), ("tags", Id)]),
    ("Tag", &[]),
    ("CustomField", &[]),
    ("BotField", &[]),
    ("Secret", &[]),
    ("Conversation", &[("channel", Id), ("contact", Id), ("assignee", Id)]),
    (
        "Broadcast",
        &[
            ("audience", Bound),
            ("audience.segment_id", Id),
            ("audience options", Value),
            ("channel", Id),
            ("message: files", Id),
        ],
    ),
    (
        "BulkOperation",
        &[
            ("filter", Bound),
            ("condition", Bound),
            ("filter.segment_id", Id),
            ("filter options", Value),
            ("action", Id),
        ],
    ),
    ("Import", &[("names", Key), ("columns", Key)]),
    ("Message", &[("sender", Id), ("conversation", Id), ("channel", Id), ("content: files", Id)]),
    (
        "Flow",
        &[
            ("definition: conditions of nodes, triggers and schedules", Bound),
            ("definition: tags, fields and bot fields of nodes", Bound),
            ("definition: fields and secrets in texts", Bound),
            ("definition: flows, sequences, channels, members and files", Id),
            ("definition: options", Value),
        ],
    ),
    ("Run", &[("flow", Id), ("channel", Id), ("contact", Id)]),
    ("Segment", &[("condition", Bound), ("condition options", Value)]),
    ("SavedReply", &[("attachments: files", Id)]),
    ("Media", &[]),
    ("Sequence", &[("exit_when", Bound), ("exit_when options", Value), ("steps: flows and files", Id)]),
    ("Enrollment", &[("sequence", Id), ("contact", Id)]),
    ("Webhook", &[]),
    ("Delivery", &[("webhook", Id)]),
];

#[test]
fn lists_the_references_of_every_row() {
    let listed: BTreeSet<_> = PLACES.iter().map(|(row, _)| *row).collect();
    let rows: BTreeSet<_> = Row::KINDS.iter().chain(StoredRow::KINDS).copied().collect();
    assert_eq!(listed, rows);
    let of = |how: How| PLACES.iter().flat_map(|(_, places)| *places).filter(|(_, it)| *it == how).count();
    assert!([Id, Bound, Value, Key].into_iter().all(|how| of(how) > 0));
}

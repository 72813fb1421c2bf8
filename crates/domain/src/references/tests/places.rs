//! Every place in which a row refers to objects whose names can change or be used again.

use std::collections::BTreeSet;

use crate::ports::Row;
use crate::stored::StoredRow;

/// How a place refers to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// By its ID, which a client writes.
    Id,
    /// By a text and the ID that it meant when it was written: [`crate::conditions::Bindings`].
    Bound,
    /// By a value that is no object: an option of a field. Its removal is reported in `lost_references`.
    Value,
    /// By a key of a field that is looked up for each portion of work; the row lives for minutes.
    Key,
}

use How::{Bound, Id, Key, Value};

/// The places of each kind of row. A new kind must be added here, and a new place beside the others of its kind.
const PLACES: &[(&str, &[(&str, How)])] = &[
    ("Workspace", &[]),
    ("User", &[]),
    ("Member", &[("user", Id)]),
    ("Channel", &[]),
    ("Contact", &[("custom_fields", Value), ("tags", Id)]),
    ("Tag", &[]),
    ("Field", &[]),
    ("BotField", &[]),
    ("Secret", &[]),
    ("Conversation", &[("channel", Id), ("contact", Id), ("assignee", Id)]),
    ("Broadcast", &[("audience", Bound), ("audience.segment_id", Id), ("audience options", Value), ("channel", Id)]),
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
    ("Message", &[("sender", Id), ("conversation", Id), ("channel", Id)]),
    (
        "Flow",
        &[
            ("definition: conditions of nodes, triggers and schedules", Bound),
            ("definition: tags, fields and bot fields of nodes", Bound),
            ("definition: fields and secrets in texts", Bound),
            ("definition: flows, sequences, channels and members", Id),
            ("definition: options", Value),
        ],
    ),
    ("Run", &[("flow", Id), ("channel", Id), ("contact", Id)]),
    ("Segment", &[("condition", Bound), ("condition options", Value)]),
    ("SavedReply", &[]),
    ("Sequence", &[("exit_when", Bound), ("exit_when options", Value), ("steps: flows", Id)]),
    ("Enrollment", &[("sequence", Id), ("contact", Id)]),
    ("Webhook", &[]),
    ("Delivery", &[("webhook", Id)]),
];

#[test]
fn every_row_tells_how_it_refers_to_others() {
    let listed: BTreeSet<_> = PLACES.iter().map(|(row, _)| *row).collect();
    let rows: BTreeSet<_> = Row::KINDS.iter().chain(StoredRow::KINDS).copied().collect();
    assert_eq!(listed, rows);
    let of = |how: How| PLACES.iter().flat_map(|(_, places)| *places).filter(|(_, it)| *it == how).count();
    assert!([Id, Bound, Value, Key].into_iter().all(|how| of(how) > 0));
}

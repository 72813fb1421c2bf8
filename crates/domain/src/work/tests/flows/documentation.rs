//! Tests of the documented flows and nodes.

use serde_json::Value;
use uuid::Uuid;

use super::super::*;
use crate::ids::TypedId;
use crate::ports::Row;
use crate::stored::StoredRow;

#[test]
fn every_example_can_be_published() {
    let bench = bench();
    for name in ["vip", "newsletter"] {
        let tag = NewTagCommand { name: name.into(), color: None, description: None };
        block_on(bench.tidings.tags.create(&bench.access, tag, None)).unwrap();
    }
    let field = crate::fields::CustomField {
        name: "Plan".into(),
        ..crate::fields::CustomField::new(
            crate::ids::FieldId::from_uuid(Uuid::from_u128(99)),
            "plan",
            crate::fields::FieldKind::Text,
            bench.clock.now(),
        )
    };
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Insert(Row::Stored(StoredRow::CustomField(field))));
    block_on(bench.store.commit(set)).unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Folders contain other examples.
        if path.is_dir() {
            continue;
        }
        let body: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let found = block_on(bench.tidings.flows.validate(&bench.access, &body["definition"], None)).unwrap();
        assert_eq!(found.findings, [], "{path:?}");
        bench.flow(body["name"].as_str().unwrap(), body["definition"].clone());
        names.push(path);
    }
    assert_eq!(names.len(), 5);
}

#[test]
fn the_documentation_lists_every_node_and_field() {
    let told = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/flows.md")).unwrap();
    for kind in crate::flows::definition::NODE_TYPES {
        let row = told.lines().find(|line| line.starts_with('|') && line.contains(&format!("`{}`", kind.word)));
        let row = row.unwrap_or_else(|| panic!("{} is not documented", kind.word));
        for field in kind.fields {
            assert!(row.contains(field.name), "{}: {} is not documented", kind.word, field.name);
        }
    }
}

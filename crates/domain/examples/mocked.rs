//! A use case over mocks: the example checks the change set that it commits, and its answer to a conflict, without a
//! store. Run it with `cargo run -p tidings-domain --features mocks --example mocked`.

use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::channel;

use futures::executor::block_on;
use tidings_domain::commands::{Access, NewTagCommand};
use tidings_domain::ids::{TagId, TypedId, WorkspaceId};
use tidings_domain::store::{
    Change, CommitError, Conflict, Guard, MockLedger, MockTagQueries, Row, StoredRow, UniqueKey,
};
use tidings_domain::tags::Tag;
use tidings_domain::{Ports, Tidings};

/// Creates a tag, and prints what the use case commits.
fn create(out: &mut dyn Write, ports: Ports, access: &Access) -> Result<(), Box<dyn Error>> {
    let (sender, committed) = channel();
    let mut ledger = MockLedger::new();
    ledger.expect_commit().times(1).returning(move |set| {
        // The receiver exists until the end of the function.
        sender.send(set).ok();
        Ok(())
    });
    let tidings = Tidings::new(Ports { ledger: Arc::new(ledger), ..ports });
    block_on(tidings.tags.create(access, NewTagCommand::new("vip"), None))?;

    let set = committed.try_recv()?;
    for guard in &set.guards {
        if let Guard::Room { most, .. } = guard {
            writeln!(out, "allows {most} tags")?;
        }
    }
    for change in &set.changes {
        match change {
            Change::Insert(Row::Stored(StoredRow::Tag(tag))) => {
                writeln!(out, "inserts {} {} at {}", tag.id, tag.name, tag.created_at)?;
            }
            Change::Audit(entry) => writeln!(out, "records {}", entry.action.as_str())?,
            other => writeln!(out, "also {other:?}")?,
        }
    }
    Ok(())
}

/// Creates a tag while another program creates a tag with this name, and prints the error.
fn create_too_late(out: &mut dyn Write, ports: Ports, access: &Access) -> Result<(), Box<dyn Error>> {
    let existing = Tag::new(TagId::from_uuid(ports.ids.next()), "VIP", ports.clock.now());
    let (mut ledger, mut tags) = (MockLedger::new(), MockTagQueries::new());
    ledger.expect_commit().times(1).returning(|_| Err(CommitError::Conflict(Conflict::Exists(UniqueKey::TagName))));
    tags.expect_by_name_keys().times(1).returning(move |_, _| Ok(vec![existing.clone()]));
    let tidings = Tidings::new(Ports { ledger: Arc::new(ledger), tags: Arc::new(tags), ..ports });
    match block_on(tidings.tags.create(access, NewTagCommand::new("vip"), None)) {
        Ok(done) => writeln!(out, "created {}", done.value.id)?,
        Err(error) => writeln!(out, "refused: {error}")?,
    }
    Ok(())
}

/// Runs both use cases.
pub fn play(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let ports = Ports::mocked();
    let access = Access::system(WorkspaceId::from_uuid(ports.ids.next()));
    create(out, ports.clone(), &access)?;
    create_too_late(out, ports, &access)
}

#[allow(dead_code, reason = "the test plays it itself")]
fn main() -> Result<(), Box<dyn Error>> {
    play(&mut std::io::stdout())
}

//! Guards that earlier sets of a transaction have passed. SQLite does not check them again.

use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{
    AnalyticsChange, Change, ChangeSet, ContactChange, FieldChange, Guard, Object, OptOutChange, Row, TagChange,
};
use tidings_domain::stored::StoredId;

/// Maximum number of remembered guards.
const MOST: usize = 32;

/// Guards of tags, custom fields and revisions. All sets of an import share them, so a set does not read them again. They
/// stay valid until a set changes rows that do not belong to contacts, or until the transaction ends.
#[derive(Debug, Default)]
pub(crate) struct PassedGuards(Vec<(WorkspaceId, Guard)>);

impl PassedGuards {
    /// Whether an earlier set has passed this guard.
    pub(crate) fn contain(&self, set: &ChangeSet, guard: &Guard) -> bool {
        self.0.iter().any(|(workspace, passed)| *workspace == set.workspace && passed == guard)
    }

    /// Remembers a guard that the set has passed.
    pub(crate) fn add(&mut self, set: &ChangeSet, guard: &Guard) {
        if self.0.len() < MOST && is_of_definition(guard) {
            self.0.push((set.workspace, *guard));
        }
    }

    /// Forgets all guards if the set can change a definition. Call it after the set was written, or failed.
    pub(crate) fn note_written(&mut self, set: &ChangeSet) {
        if !set.changes.iter().all(keeps_definitions) {
            self.clear();
        }
    }

    /// Forgets all guards.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

fn is_of_definition(guard: &Guard) -> bool {
    match guard {
        Guard::Listeners(_) | Guard::Catalog(_) => true,
        Guard::Live(object) | Guard::Version(object, _) => {
            matches!(object, Object::Stored(StoredId::Tag(_) | StoredId::CustomField(_)))
        }
        Guard::Claim(_)
        | Guard::Unused(_)
        | Guard::LaneFree(_)
        | Guard::OwnerBeside(_)
        | Guard::Standing { .. }
        | Guard::Room { .. } => false,
    }
}

/// Whether a change writes only rows of contacts and counts. No trigger of these tables writes a definition.
fn keeps_definitions(change: &Change) -> bool {
    matches!(
        change,
        Change::Insert(Row::Contact(_))
            | Change::Update(Row::Contact(_))
            | Change::Contact(ContactChange::InsertIdentity { .. })
            | Change::Tag(TagChange::Link { .. })
            | Change::Field(FieldChange::PutValue { .. } | FieldChange::ClearValue { .. })
            | Change::OptOut(OptOutChange::Require { .. })
            | Change::Analytics(AnalyticsChange::Record(_))
    )
}

#[cfg(test)]
mod tests {
    use tidings_domain::ids::{JobId, TagId, TypedId};
    use tidings_domain::ports::Claim;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn remembers_guards_of_definitions_until_one_may_change() {
        let set = |number| ChangeSet::new(WorkspaceId::from_uuid(Uuid::from_u128(number)));
        let (own, other) = (set(1), set(2));
        let tag = Object::Stored(StoredId::Tag(TagId::from_uuid(Uuid::from_u128(3))));
        let claim = Guard::Claim(Claim { job: JobId::from_uuid(Uuid::from_u128(4)), token: 1 });
        let mut passed = PassedGuards::default();
        for guard in [Guard::Live(tag), Guard::Catalog(7), claim] {
            passed.add(&own, &guard);
        }
        assert!(passed.contain(&own, &Guard::Live(tag)) && passed.contain(&own, &Guard::Catalog(7)));
        for (set, guard) in [(&other, Guard::Live(tag)), (&own, Guard::Catalog(8)), (&own, claim)] {
            assert!(!passed.contain(set, &guard), "{guard:?}");
        }
        let mut harmless = own.clone();
        harmless.change(Change::OptOut(OptOutChange::Require { revision: 0 }));
        passed.note_written(&harmless);
        assert!(passed.contain(&own, &Guard::Live(tag)));
        let mut deletion = own.clone();
        deletion.change(Change::Delete(tag));
        passed.note_written(&deletion);
        assert!(!passed.contain(&own, &Guard::Live(tag)));
    }

    #[test]
    fn remembers_a_limited_number_of_guards() {
        let set = ChangeSet::new(WorkspaceId::from_uuid(Uuid::from_u128(1)));
        let mut passed = PassedGuards::default();
        for revision in 0..100 {
            passed.add(&set, &Guard::Catalog(revision));
        }
        assert_eq!(passed.0.len(), MOST);
    }
}

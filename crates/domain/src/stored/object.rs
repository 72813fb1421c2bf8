//! The interface of simple objects for generic code.

use super::bytes::Measured;
use super::{StoredId, StoredKind, StoredRow};
use crate::access::storage_usage::StoredBytes;
use crate::audit::{AuditAction, Audited};
use crate::ids::TypedId;
use crate::ports::UniqueKey;
use crate::time::Timestamp;

/// A simple object. The declaration in [`for_each_stored!`](crate::for_each_stored) generates the implementation.
pub trait StoredObject: Audited + Clone + PartialEq + Into<StoredRow> + Send + Sync + 'static {
    /// The type of its ID.
    type Id: TypedId + Into<StoredId> + 'static;

    /// Its kind.
    const STORED: StoredKind;
    /// The key that is unique in the workspace, if there is one.
    const UNIQUE: Option<UniqueKey>;
    /// The audit log's actions for create, update and delete.
    const ACTIONS: [AuditAction; 3];

    /// Returns its ID.
    fn id(&self) -> Self::Id;
    /// Returns its version.
    fn version(&self) -> i64;
    /// Moves to its next version, updated at `now`.
    fn revise(&mut self, now: Timestamp);
    /// Returns when it was created.
    fn created_at(&self) -> Timestamp;
    /// Returns the value of [`Self::UNIQUE`].
    fn unique_value(&self) -> Option<String>;
    /// Returns the size of its stored text.
    fn stored_bytes(&self) -> StoredBytes;
}

macro_rules! objects {
    ([] [$(
        $(#[$doc:meta])*
        $name:ident in $module:ident {
            id: $id:ident = $prefix:literal, table: $table:ident, hint: $word:literal $audience:ident,
            limit: $limit:literal $counted:literal,
            unique: [$($key:ident = $constraint:literal on $column:ident by $value:ident)?],
            audit: [$($action:ident),*],
            text: $text:tt beside $beside:tt, bytes: [$($portion:ident: $($field:ident),+)?], $($rest:tt)*
        }
    )*]) => {
        $(impl StoredObject for crate::$module::$name {
            type Id = crate::ids::$id;

            const STORED: StoredKind = StoredKind::$name;
            const UNIQUE: Option<UniqueKey> = [$(UniqueKey::$key)?].first().copied();
            const ACTIONS: [AuditAction; 3] = [$(AuditAction::$action),*];

            fn id(&self) -> Self::Id {
                self.id
            }

            fn version(&self) -> i64 {
                self.version
            }

            fn revise(&mut self, now: Timestamp) {
                self.version += 1;
                self.updated_at = now.max(self.updated_at);
            }

            fn created_at(&self) -> Timestamp {
                self.created_at
            }

            fn unique_value(&self) -> Option<String> {
                [$(self.$value())?].into_iter().next()
            }

            fn stored_bytes(&self) -> StoredBytes {
                StoredBytes {
                    $($portion: [$(self.$field.bytes()),+].into_iter().sum(),)?
                    ..StoredBytes::default()
                }
            }
        })*

        impl StoredRow {
            /// Returns the size of the object's stored text.
            pub fn stored_bytes(&self) -> StoredBytes {
                match self { $(Self::$name(it) => it.stored_bytes(),)* }
            }
        }
    };
}

crate::for_each_stored!(objects {});

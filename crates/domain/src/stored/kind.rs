//! The kinds of simple objects, their IDs and their rows.

use std::fmt;

use uuid::Uuid;

use crate::ids::TypedId;

macro_rules! kinds {
    ([] [$(
        $(#[$doc:meta])*
        $name:ident in $module:ident {
            id: $id:ident = $prefix:literal, table: $table:ident, hint: $word:literal $audience:ident,
            limit: $limit:literal $counted:literal, $($rest:tt)*
        }
    )*]) => {
        /// A kind of simple objects.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum StoredKind { $($(#[$doc])* $name,)* }

        impl StoredKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the name of the table.
            pub const fn table(self) -> &'static str {
                match self { $(Self::$name => stringify!($table),)* }
            }

            /// Returns the word for the kind in hints and references.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// Returns the maximum number per workspace.
            pub const fn limit(self) -> i64 {
                match self { $(Self::$name => $limit,)* }
            }

            /// Returns the counted objects, as words in a message.
            pub const fn counted(self) -> &'static str {
                match self { $(Self::$name => $counted,)* }
            }
        }

        /// The ID of a simple object.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum StoredId { $($(#[$doc])* $name(crate::ids::$id),)* }

        impl StoredId {
            /// Returns the ID without its prefix.
            pub fn uuid(self) -> Uuid {
                match self { $(Self::$name(id) => id.uuid(),)* }
            }

            /// Returns the object of the kind with this word.
            pub fn parse(word: &str, uuid: Uuid) -> Option<Self> {
                match word { $($word => Some(Self::$name(TypedId::from_uuid(uuid))),)* _ => None }
            }

            /// Returns the kind of the object.
            pub const fn kind(self) -> StoredKind {
                match self { $(Self::$name(_) => StoredKind::$name,)* }
            }
        }

        impl fmt::Display for StoredId {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Self::$name(id) => fmt::Display::fmt(id, out),)* }
            }
        }

        $(impl From<crate::ids::$id> for StoredId {
            fn from(id: crate::ids::$id) -> Self {
                Self::$name(id)
            }
        })*

        /// The row of a simple object.
        #[derive(Debug, Clone, PartialEq)]
        pub enum StoredRow { $($(#[$doc])* $name(crate::$module::$name),)* }

        impl StoredRow {
            /// The names of the kinds.
            #[cfg(test)]
            pub(crate) const KINDS: &[&str] = &[$(stringify!($name)),*];

            /// Returns the ID of the object.
            pub fn id(&self) -> StoredId {
                match self { $(Self::$name(it) => StoredId::$name(it.id),)* }
            }

            /// Returns the version of the object.
            pub fn version(&self) -> i64 {
                match self { $(Self::$name(it) => it.version,)* }
            }
        }

        $(impl From<crate::$module::$name> for StoredRow {
            fn from(it: crate::$module::$name) -> Self {
                Self::$name(it)
            }
        })*
    };
}

crate::for_each_stored!(kinds {});

//! Tables of simple objects.

pub(super) mod fill;
pub(super) mod filter_fields;
pub(super) mod pages;

use async_trait::async_trait;

use super::apply::{Applied, delete, insert, unique, update};
use super::{MemoryStore, Rows};
use crate::access::Access;
use crate::access::storage_usage::StoredBytes;
use crate::ids::WorkspaceId;
use crate::memory::bounds::texts::{Text, texts};
use crate::pagination::{Page, PageRequest};
use crate::ports::{Object, StoredQueries};
use crate::stored::{StoredId, StoredKind, StoredObject, StoredRow};
use pages::{Answer, at, of, page};

/// An object with a table.
pub(super) trait Tabled: StoredObject {
    fn rows(tables: &StoredTables) -> &Rows<Self::Id, Self>;
}

macro_rules! tables {
    ([] [$(
        $(#[$doc:meta])*
        $name:ident in $module:ident {
            id: $id:ident = $prefix:literal, table: $table:ident, hint: $word:literal $audience:ident,
            limit: $limit:literal $counted:literal, unique: $unique:tt, audit: $audit:tt,
            text: [$($text:ident),*] beside [$($beside:ident),*], $($rest:tt)*
        }
    )*]) => {
        $(use crate::$module::$name;)*

        texts! { $($name { text: $($text),*; shown: ; beside: id, created_at, updated_at, version $(, $beside)* })* }

        $(impl Tabled for $name {
            fn rows(tables: &StoredTables) -> &Rows<Self::Id, Self> {
                &tables.$table
            }
        })*

        /// One table per type.
        #[derive(Debug, Clone, Default)]
        pub(super) struct StoredTables { $(pub(super) $table: Rows<crate::ids::$id, $name>,)* }

        impl StoredTables {
            /// Inserts a row, if no other row has its unique value.
            pub(super) fn insert(&mut self, ws: WorkspaceId, row: StoredRow) -> Applied {
                match row {
                    $(StoredRow::$name(it) => {
                        unique_is_free(&self.$table, ws, &it)?;
                        insert(&mut self.$table, (ws, it.id), it)
                    })*
                }
            }

            /// Updates a row, if the new version is the next one.
            pub(super) fn update(&mut self, ws: WorkspaceId, row: StoredRow) -> Applied {
                let object = Object::Stored(row.id());
                match row {
                    $(StoredRow::$name(it) => {
                        unique_is_free(&self.$table, ws, &it)?;
                        update(&mut self.$table, &(ws, it.id), it, |it| it.version, object)
                    })*
                }
            }

            pub(super) fn delete(&mut self, ws: WorkspaceId, id: StoredId) -> Applied {
                match id {
                    $(StoredId::$name(key) => delete(&mut self.$table, &(ws, key), Object::Stored(id)),)*
                }
            }

            pub(super) fn version(&self, ws: WorkspaceId, id: StoredId) -> Option<i64> {
                match id { $(StoredId::$name(id) => self.$table.get(&(ws, id)).map(|it| it.version),)* }
            }

            pub(super) fn name(&self, ws: WorkspaceId, id: StoredId) -> Option<String> {
                match id { $(StoredId::$name(id) => self.$table.get(&(ws, id)).map(|it| it.name.clone()),)* }
            }

            pub(super) fn count(&self, ws: WorkspaceId, kind: StoredKind) -> usize {
                match kind { $(StoredKind::$name => self.$table.keys().filter(|(of, _)| *of == ws).count(),)* }
            }

            pub(super) fn empty(&mut self, ws: WorkspaceId) {
                $(self.$table.retain(|(of, _), _| *of != ws);)*
            }

            pub(super) fn len(&self) -> usize {
                [$(self.$table.len()),*].into_iter().sum()
            }

            /// The stored text of each row.
            pub(super) fn stored_bytes(&self) -> Vec<(WorkspaceId, StoredBytes)> {
                let mut all = Vec::new();
                $(all.extend(self.$table.iter().map(|((ws, _), it)| (*ws, it.stored_bytes())));)*
                all
            }
        }

        impl Text for StoredTables {
            fn text(&self) -> usize {
                let Self { $($table),* } = self;
                let tables: &[usize] = &[$($table.values().map(Text::text).sum::<usize>()),*];
                tables.iter().sum()
            }
        }
    };
}

crate::for_each_stored!(tables {});

/// Whether no other row of the workspace has the value of the unique key.
fn unique_is_free<T: StoredObject>(rows: &Rows<T::Id, T>, ws: WorkspaceId, it: &T) -> Applied {
    let (Some(key), Some(value)) = (T::UNIQUE, it.unique_value()) else { return Ok(()) };
    let mut others = rows.iter().filter(|((of, id), _)| *of == ws && *id != it.id());
    unique(others.any(|(_, other)| other.unique_value().as_ref() == Some(&value)), key)
}

#[async_trait]
impl<T: Tabled> StoredQueries<T> for MemoryStore {
    async fn get(&self, access: &Access, id: T::Id) -> Answer<Option<T>> {
        Ok(T::rows(&self.lock().tables).get(&(access.workspace(), id)).cloned())
    }

    async fn by_unique(&self, access: &Access, value: &str) -> Answer<Option<T>> {
        let has_value = |it: &T| it.unique_value().as_deref() == Some(value);
        Ok(of(T::rows(&self.lock().tables), access.workspace(), has_value).pop())
    }

    async fn list(&self, access: &Access, request: PageRequest) -> Answer<Page<T>> {
        let all = of(T::rows(&self.lock().tables), access.workspace(), |_| true);
        Ok(page(all, request, |it: &T| at(it.created_at(), it.id())))
    }
}

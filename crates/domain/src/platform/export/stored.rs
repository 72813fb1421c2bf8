//! The lists of simple objects in an export.

use super::text;
use crate::access::Access;
use crate::error::Error;
use crate::pagination::{PageRequest, Position};
use crate::ports::Ports;

macro_rules! lists {
    ([] [$(
        $(#[$doc:meta])*
        $name:ident in $module:ident {
            id: $id:ident = $prefix:literal, table: $table:ident, hint: $word:literal $audience:ident,
            limit: $limit:literal $counted:literal, unique: $unique:tt, audit: $audit:tt,
            text: $text:tt beside $beside:tt, bytes: $bytes:tt, reads: [$($object:ident as $view:ident)?],
        }
    )*]) => {
        #[derive(Debug, Clone, Copy)]
        pub(super) enum StoredList { $($($object,)?)* }

        impl StoredList {
            pub(super) const ALL: &[Self] = &[$($(Self::$object,)?)*];

            pub(super) fn kind(self) -> &'static str {
                match self { $($(Self::$object => stringify!($table),)?)* }
            }

            /// Returns the rows of a page and the next position.
            pub(super) async fn page(
                self,
                ports: &Ports,
                access: &Access,
                page: PageRequest,
            ) -> Result<(Vec<String>, Option<Position>), Error> {
                match self {
                    $($(Self::$object => {
                        let page = ports.$table.list(access, page).await?;
                        Ok((page.items.iter().map(|it| text(&crate::$module::$view::from(it))).collect(), page.next))
                    })?)*
                }
            }
        }
    };
}

crate::for_each_stored!(lists {});

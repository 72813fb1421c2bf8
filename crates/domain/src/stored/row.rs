use super::StoredId;

macro_rules! rows {
    ([] [$($(#[$doc:meta])* $name:ident in $module:ident { $($rest:tt)* })*]) => {
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

crate::for_each_stored!(rows {});

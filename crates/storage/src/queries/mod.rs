//! Parts of queries that many subjects use: types of columns, lists, and lookups by key.

pub(crate) mod by_keys;
pub(crate) mod first_row;
pub(crate) mod list_index;
pub(crate) mod loader;
pub(crate) mod loaders;
pub(crate) mod named_lists;
pub(crate) mod prepared_query;
pub(crate) mod rows;
pub(crate) mod sort_keys;
pub(crate) mod types;

//! Writes change sets: guards first, then rows, one statement for each kind of row, however many sets.
//!
//! A row is declared once ([`row!`]); its columns and the statements that write it follow. The changes of a set become
//! steps in their order, and where several sets share a transaction their steps are merged: what is of one kind is one
//! statement on PostgreSQL, and on SQLite, where a statement costs no round trip, one for each row.

mod apply;
mod columns;
mod contradictions;
mod counts;
mod locks;
mod places;
mod program;
mod shares;
mod statements;
mod steps;
mod target;

pub(crate) use apply::{Shared, apply, apply_together, check_size};
pub(crate) use columns::{
    Column, Columns, Named, OnPostgres, OnSqlite, OnUpdate, Shape, Texts, Written, arrays, insert as insert_text,
    names, row, written,
};
pub(crate) use contradictions::Contradictions;
pub(crate) use program::may_contradict;
pub(crate) use shares::{apart, may_share};
pub(crate) use statements::{Missed, each, execute_all, insert, missed, update};

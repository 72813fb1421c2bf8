//! Writes change sets: guards first, then rows, one statement for each kind of row, however many sets.
//!
//! A row is declared once ([`row!`]); its columns and the statements that write it follow. `steps` converts each change
//! of a set to a `Step`, in the order of the set. `program` groups the steps of several sets that share a transaction:
//! rows of one kind are written by one statement on PostgreSQL. On SQLite, a statement costs no round trip, so each row
//! has one. `run` and `together` execute the steps.

mod apply;
mod columns;
mod contradictions;
mod counts;
mod grouping;
mod locks;
mod objects;
mod places;
mod program;
mod rows;
mod run;
mod shares;
mod statements;
mod step;
mod steps;
mod together;

pub(crate) use apply::{Shared, apply, apply_together, check_size};
pub(crate) use columns::{
    Column, Columns, Named, OnPostgres, OnSqlite, OnUpdate, Shape, Texts, Written, arrays, insert as insert_text,
    names, row, written,
};
pub(crate) use contradictions::Contradictions;
pub(crate) use program::may_contradict;
pub(crate) use shares::{apart, may_share};
pub(crate) use statements::{Missed, each, execute_all, insert, missed, update};

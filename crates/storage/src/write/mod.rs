//! Writes change sets: guards first, then rows, one statement for each kind of row, however many sets.
//!
//! A row is declared once ([`row!`]); its columns and the statements that write it follow. `steps` converts each change
//! of a set to a `Write`, in the order of the set. `program` groups the steps of several sets that share a transaction:
//! rows of one kind are written by one statement on PostgreSQL. On SQLite, a statement costs no round trip, so each row
//! has one. `run` and `together` execute the steps.

mod apply;
mod columns;
pub(crate) mod commit_result;
mod conflicts;
mod contradictions;
mod counts;
pub(crate) mod declared;
mod deletes;
mod grouping;
mod guards;
mod locks;
mod objects;
mod row_location;
pub(crate) mod row_locks;
mod rows;
mod run;
mod statements;
mod step;
mod steps;
mod write_plan;
mod write_rows;

pub(crate) use apply::{Shared, apply, apply_together, check_size};
pub(crate) use columns::{
    Column, Columns, OnPostgres, OnSqlite, OnUpdate, PgTypeName, Shape, Texts, WriteTexts, arrays,
    insert as insert_text, names, row, write_texts,
};
pub(crate) use conflicts::{conflicting, may_share};
pub(crate) use contradictions::Contradictions;
pub(crate) use statements::{MissedRows, each, execute_all, insert, missed, update};
pub(crate) use write_plan::may_contradict;

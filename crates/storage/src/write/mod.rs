//! Writes change sets: guards first, then rows.
//!
//! On PostgreSQL, one statement writes all rows of a kind, also of several sets. On SQLite, a statement costs no
//! round trip, so each row has one, except values of custom fields. A row is declared once ([`row!`]), which generates
//! its columns and the statements that write it.
//!
//! | File | Content |
//! |---|---|
//! | `apply.rs` | the entry: one set in a transaction, or several on PostgreSQL |
//! | `guards.rs`, `locks.rs` | checks guards one by one, or the guards of several sets together |
//! | `passed_guards.rs` | guards that an earlier set of a transaction on SQLite has passed |
//! | `steps.rs`, `step.rs` | converts each change of a set to a step (`Write`), in the order of the set |
//! | `write_plan.rs`, `grouping.rs` | groups the steps of the sets in a transaction |
//! | `run.rs` | runs the steps; PostgreSQL gets several statements before the results arrive |
//! | `rows.rs`, `write_rows.rs` | the kinds of rows, and the statements of each |
//! | `conflicts.rs`, `contradictions.rs` | which sets cannot share a transaction |
//!
//! A **conflict** is an error that a caller expects, such as a changed version. A set **contradicts** the stored data if
//! its rows cause one that its guards do not show, such as a name that another object has.

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
mod locked_version;
mod locks;
mod objects;
mod passed_guards;
mod row_location;
pub(crate) mod row_locks;
mod rows;
mod run;
mod statements;
mod step;
mod steps;
mod write_plan;
mod write_rows;

pub(crate) use apply::{Shared, apply, apply_behind, apply_together, check_size};
pub(crate) use columns::{
    Column, Columns, OnPostgres, OnSqlite, OnUpdate, PgTypeName, Shape, Texts, WriteTexts, arrays,
    insert as insert_text, names, row, write_texts,
};
pub(crate) use conflicts::{conflicting, may_share};
pub(crate) use contradictions::Contradictions;
pub(crate) use passed_guards::PassedGuards;
pub(crate) use statements::{MissedRows, each, execute_all, insert, missed, update};
pub(crate) use write_plan::may_contradict;

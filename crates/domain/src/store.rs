//! The contract between the domain and its adapters: all ports, and the change sets, rows and jobs that they exchange.
//!
//! **Semantic versioning does not cover this module.** Each new feature of Tidings adds rows, changes and queries, so
//! any version can add methods to its traits and variants to its enums. A program that implements these ports must
//! expect changes with each version, as the stores of this repository do.
//!
//! | Task | Items |
//! |---|---|
//! | write | [`Ledger`], [`ChangeSet`], [`Guard`], [`Change`], [`Row`], [`Object`] |
//! | report errors | [`CommitError`], [`Conflict`], [`StoreError`], [`UniqueKey`] |
//! | run jobs | [`EngineStore`], [`ClaimRequest`], [`ClaimedJob`], [`Job`], [`NewJob`] |
//! | read | the traits with names that end in `Queries` |
//! | everything that a store implements | [`Store`] |
//! | everything else | [`Environment`], with [`Clock`], [`Ids`], [`Secrets`], [`Sealer`] and others |
//!
//! With the feature `mocks`, each trait has a mock, such as `MockLedger`. The crates of this repository use the same
//! items by the name [`crate::ports`].

pub use crate::ports::*;
pub use crate::stored::{StoredId, StoredKind, StoredObject, StoredRow};

//! For tests of the domain and of what embeds it: a store in memory, builders, a clock and ids that
//! stand still or count, and mocks of every port (`Mock…`, in [`crate::ports`]).

mod ambient;
mod builders;
mod credentials;
mod environment;
mod memory;

pub use ambient::{CountingIds, FixedClock, FixedRandomness};
pub use builders::{ContactBuilder, RunBuilder, a_channel, a_contact, a_run};
pub use credentials::{CountingSecrets, CountingTokens, PlainPasswords, PlainSealer, PlainSigner};
pub use environment::{AnyAddress, PlainSignatures, WillingReceiver};
pub use memory::MemoryStore;

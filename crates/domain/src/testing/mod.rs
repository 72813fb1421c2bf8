//! For tests of the domain and of what embeds it: builders, beside the store of [`crate::memory`] and mocks of every port
//! (`Mock…`, in [`crate::ports`]).

mod builders;

pub use builders::{ContactBuilder, RunBuilder, a_channel, a_contact, a_run};

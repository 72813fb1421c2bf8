//! Races with a defined outcome: reply against timeout, opt-out against send, pause against send, two first messages of
//! an unknown contact, two starts at once, a new webhook against commits.
//!
//! Each race runs a hundred times on each database. Its outcome is checked every time, and if it has sides, each side
//! must win some. The wins are printed with the seed of the offsets between their starts. `TIDINGS_TEST_RACES` sets the
//! number of races, 1,000 in `make soak`, and `TIDINGS_TEST_SEED` another seed.

mod opt_out;
pub mod pace;
mod pauses;
mod replies;
mod setup;
mod starts;
mod strangers;
mod webhooks;

on_both! {
    a_reply_and_a_timeout_take_one_edge in replies,
    sends_nothing_after_an_opt_out in opt_out,
    pauses_hold_unsent_messages in pauses,
    two_first_messages_create_one_contact in strangers,
    two_starts_create_one_run in starts,
    new_webhooks_receive_every_later_event in webhooks,
}

//! Races with a defined outcome: reply against timeout, opt-out against send, pause against send, two first messages of
//! an unknown contact, two starts at once, a new webhook against commits.
//!
//! Each race runs two hundred times on each database. Its outcome is checked every time, and if it has sides, each side
//! must win some. The wins are printed with the seed of the offsets between their starts. `TIDINGS_TEST_RACES=1000`
//! sets the number of races and `TIDINGS_TEST_SEED` another seed.

mod opt_out;
pub mod pace;
mod pauses;
mod replies;
mod setup;
mod starts;
mod strangers;
mod webhooks;

on_both! {
    replies::a_reply_and_a_timeout_take_one_edge => a_reply_and_a_timeout_take_one_edge_on_sqlite,
        a_reply_and_a_timeout_take_one_edge_on_postgresql;
    opt_out::sends_nothing_after_an_opt_out => sends_nothing_after_an_opt_out_on_sqlite,
        sends_nothing_after_an_opt_out_on_postgresql;
    pauses::pauses_hold_unsent_messages => pauses_hold_unsent_messages_on_sqlite,
        pauses_hold_unsent_messages_on_postgresql;
    strangers::two_first_messages_create_one_contact => two_first_messages_create_one_contact_on_sqlite,
        two_first_messages_create_one_contact_on_postgresql;
    starts::two_starts_create_one_run => two_starts_create_one_run_on_sqlite, two_starts_create_one_run_on_postgresql;
    webhooks::new_webhooks_receive_every_later_event => new_webhooks_receive_every_later_event_on_sqlite,
        new_webhooks_receive_every_later_event_on_postgresql;
}

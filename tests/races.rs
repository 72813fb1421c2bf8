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
    replies::a_reply_and_a_time_out_take_one_edge => replies_on_sqlite, replies_on_postgresql;
    opt_out::nothing_goes_out_after_an_opt_out => opt_out_on_sqlite, opt_out_on_postgresql;
    pauses::a_pause_holds_what_did_not_begin_before => pauses_on_sqlite, pauses_on_postgresql;
    strangers::two_first_messages_make_one_contact => strangers_on_sqlite, strangers_on_postgresql;
    starts::two_starts_make_one_run => starts_on_sqlite, starts_on_postgresql;
    webhooks::who_began_to_listen_hears_of_what_follows => webhooks_on_sqlite, webhooks_on_postgresql;
}

//! Races that the contract decides: reply against time-out, opt-out against send, pause against send, two first
//! messages of a stranger, two starts at once, a new webhook against commits.
//!
//! Each is run two hundred times on each database, its outcome is checked every time, and either side
//! must win some, where there are sides. How often they won is printed, with the seed of the offsets between their starts.
//! `TIDINGS_TEST_RACES=1000` has them run a thousand times, `TIDINGS_TEST_SEED` sets another seed.

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

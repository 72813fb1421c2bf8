//! Tests of the suite that write data the seed does not write, next to many other rows.

use tidings_storage_suite::{
    Ports, bulk, contacts, conversations, delivery_queue, erasures, event_waits, flow_calls, held, imports, links,
    merges, opt_outs, people, queries, references, runs, sequences, usage, webhooks,
};

/// Runs the tests that do not depend on the data of the seed or of other tests.
pub async fn cases(ports: &Ports) {
    macro_rules! cases {
        ($($file:ident::$case:ident,)*) => {
            $(Box::pin($file::$case(ports.clone())).await;)*
        };
    }
    cases! {
        bulk::a_bulk_operation_comes_back_as_it_was_written,
        contacts::a_deleted_contact_comes_back_whole,
        contacts::addresses_are_replaced_and_found,
        conversations::a_contact_is_found_by_its_address,
        conversations::of_many_at_once_one_keeps_the_message,
        conversations::what_a_channel_took_is_listed,
        delivery_queue::a_claimed_delivery_is_given_back_parked_and_called_for,
        delivery_queue::a_delivery_may_be_written_as_claimed,
        erasures::an_erased_person_leaves_nothing,
        erasures::erasing_is_a_change_to_the_contact,
        event_waits::runs_that_await_an_event_are_found,
        flow_calls::a_call_comes_back_as_it_was_written,
        held::a_message_is_held_behind_its_claim,
        imports::rejected_rows_go_with_their_people,
        links::a_deleted_field_is_swept_in_portions,
        links::a_deleted_tag_is_swept_in_portions,
        links::options_that_go_are_hidden_and_found,
        links::values_are_set_replaced_and_cleared,
        merges::a_conversation_goes_up_in_the_one_that_the_survivor_has,
        merges::what_is_kept_of_a_merged_contact_moves,
        merges::what_leads_to_a_merged_contact_leads_on,
        opt_outs::nobody_comes_back_unknown,
        people::a_refresh_token_is_used_once,
        queries::attempts_come_first_to_last,
        references::what_was_deleted_by_force_is_lost_to_those_that_named_it,
        runs::live_runs_of_a_flow_end_and_move_together,
        runs::runs_of_a_deleted_contact_end,
        sequences::enrollments_of_a_deleted_contact_end,
        sequences::outdated_enrollments_are_told_in_portions,
        usage::old_sums_are_removed,
        webhooks::a_success_is_stamped_once_a_second,
    }
}

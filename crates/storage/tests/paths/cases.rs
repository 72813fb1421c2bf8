//! Tests of the suite that write data the seed does not write, next to many other rows.

use tidings_storage_suite::{
    Ports, bulk, contacts, conversations, delivery_queue, erasures, event_waits, flow_calls, held, imports, links,
    merges, opt_outs, people, queries, references, runs, sequences, usage, webhooks,
};

/// Runs the tests that do not depend on the data of the seed or of other tests.
pub async fn cases(ports: &Ports) {
    Box::pin(bulk::stores_all_fields_of_a_bulk_operation(ports.clone())).await;
    Box::pin(contacts::restores_a_deleted_contact_with_its_addresses(ports.clone())).await;
    Box::pin(contacts::replaces_the_addresses_of_a_contact(ports.clone())).await;
    Box::pin(conversations::a_contact_is_found_by_its_address(ports.clone())).await;
    Box::pin(conversations::concurrent_inserts_store_an_inbound_message_once(ports.clone())).await;
    Box::pin(conversations::lists_the_messages_that_a_channel_accepted(ports.clone())).await;
    Box::pin(conversations::counts_the_automatic_messages_of_a_conversation(ports.clone())).await;
    Box::pin(delivery_queue::reschedules_parks_and_releases_a_claimed_delivery(ports.clone())).await;
    Box::pin(delivery_queue::a_delivery_may_be_written_as_claimed(ports.clone())).await;
    Box::pin(erasures::an_erasure_removes_all_personal_data(ports.clone())).await;
    Box::pin(erasures::rejects_changes_based_on_reads_before_an_erasure(ports.clone())).await;
    Box::pin(event_waits::finds_the_runs_that_wait_for_an_event(ports.clone())).await;
    Box::pin(flow_calls::stores_the_caller_and_the_result_of_a_flow_call(ports.clone())).await;
    Box::pin(held::holds_a_message_only_with_its_current_claim(ports.clone())).await;
    Box::pin(imports::removes_rejected_rows_with_their_contacts(ports.clone())).await;
    Box::pin(links::removes_values_of_a_deleted_field_in_portions(ports.clone())).await;
    Box::pin(links::removes_links_of_a_deleted_tag_in_portions(ports.clone())).await;
    Box::pin(links::hides_retired_options_and_finds_their_contacts(ports.clone())).await;
    Box::pin(links::values_are_set_replaced_and_cleared(ports.clone())).await;
    Box::pin(merges::a_merge_combines_conversations_on_the_same_channel(ports.clone())).await;
    Box::pin(merges::moves_the_data_of_a_merged_contact_to_the_survivor(ports.clone())).await;
    Box::pin(merges::follows_a_chain_of_merges_to_the_last_survivor(ports.clone())).await;
    Box::pin(opt_outs::knows_an_opt_out_when_its_contact_is_created_again(ports.clone())).await;
    Box::pin(people::a_refresh_token_is_used_once(ports.clone())).await;
    Box::pin(queries::returns_attempts_in_order(ports.clone())).await;
    Box::pin(references::a_forced_delete_leaves_lost_references(ports.clone())).await;
    Box::pin(runs::migrates_and_interrupts_all_live_runs_of_a_flow(ports.clone())).await;
    Box::pin(runs::runs_of_a_deleted_contact_end(ports.clone())).await;
    Box::pin(sequences::enrollments_of_a_deleted_contact_end(ports.clone())).await;
    Box::pin(sequences::returns_outdated_enrollments_in_portions(ports.clone())).await;
    Box::pin(usage::old_sums_are_removed(ports.clone())).await;
    Box::pin(webhooks::stores_a_success_once_per_second(ports.clone())).await;
}

//! Detailed rules of the API, one after another on one server for each store.

mod audit_log;
mod batch;
mod broadcasts;
mod bulk;
mod cursors;
mod custom_events;
mod export;
mod flow_calls;
mod flow_statistics;
mod http_requests;
mod imports;
mod inbox;
mod leavings;
mod list_filters;
mod lists;
mod media;
mod merges;
mod messages;
mod names;
mod options;
mod references;
mod reply_times;
mod sandbox_clock;
mod saved_replies;
mod secrets;
mod segments;
mod shortcuts;
mod simulations;
mod texts;
mod timeline;

use std::panic::AssertUnwindSafe;

use futures::FutureExt;

use crate::support::{Server, Store};

/// Runs a rule, and records the name of a rule that failed.
async fn play<R: AsyncFn(&Server)>(server: &Server, broken: &mut Vec<&str>, rule: R) {
    if AssertUnwindSafe(rule(server)).catch_unwind().await.is_err() {
        broken.push(std::any::type_name::<R>());
    }
}

async fn every_rule_holds(store: Store) {
    let server = Server::start(store, &[("TIDINGS__LIMITS__PLANS__BUSINESS", "1000000")]);
    let broken = &mut Vec::new();
    play(&server, broken, audit_log::logs_each_change_once).await;
    play(&server, broken, audit_log::the_audit_log_is_for_owners_and_admins).await;
    play(&server, broken, audit_log::an_emptied_sandbox_keeps_its_audit_log).await;
    play(&server, broken, batch::returns_an_outcome_for_each_operation_of_a_batch).await;
    play(&server, broken, batch::an_invalid_batch_changes_nothing).await;
    play(&server, broken, batch::deleting_in_a_batch_requires_a_full_key).await;
    play(&server, broken, batch::runs_a_repeated_batch_once).await;
    play(&server, broken, broadcasts::a_broadcast_reaches_every_contact_once).await;
    play(&server, broken, broadcasts::a_broadcast_is_paused_resumed_and_cancelled).await;
    play(&server, broken, broadcasts::broadcasts_lock_references_send_tests_and_report_errors).await;
    play(&server, broken, broadcasts::repeats_a_broadcast_only_for_contacts_that_missed_it).await;
    play(&server, broken, cursors::rejects_cursors_of_another_order_or_list).await;
    play(&server, broken, custom_events::custom_events_start_flows_and_are_not_in_the_feed).await;
    play(&server, broken, custom_events::a_run_waits_for_an_event).await;
    play(&server, broken, export::every_contact_is_exported_once).await;
    play(&server, broken, export::exports_contacts_as_a_table).await;
    play(&server, broken, flow_statistics::counts_entries_exits_and_waits_of_nodes).await;
    play(&server, broken, flow_calls::a_flow_calls_another_and_continues_afterwards).await;
    play(&server, broken, http_requests::a_flow_calls_a_service_with_a_secret).await;
    play(&server, broken, http_requests::rejects_calls_to_forbidden_hosts).await;
    play(&server, broken, bulk::contacts_are_changed_in_bulk).await;
    play(&server, broken, bulk::fields_subscriptions_enrollments_and_runs_in_bulk).await;
    play(&server, broken, bulk::replays_the_answer_after_the_field_is_deleted).await;
    play(&server, broken, bulk::a_bulk_operation_is_cancelled).await;
    play(&server, broken, imports::imports_a_table_with_mapped_columns).await;
    play(&server, broken, imports::imports_corrected_rows_again).await;
    play(&server, broken, imports::updates_keeps_or_rejects_existing_contacts).await;
    play(&server, broken, imports::reports_why_a_table_is_rejected).await;
    play(&server, broken, imports::checks_a_table_before_importing_it).await;
    play(&server, broken, imports::a_workspace_checks_one_table_at_a_time).await;
    play(&server, broken, imports::an_export_is_imported_again_without_a_change).await;
    play(&server, broken, inbox::sorts_and_filters_conversations).await;
    play(&server, broken, inbox::a_reply_assigns_an_unassigned_conversation).await;
    play(&server, broken, inbox::sorts_conversations_by_waiting_time).await;
    play(&server, broken, inbox::assignees_are_listed_for_members).await;
    play(&server, broken, reply_times::reply_times_are_measured_by_member_and_channel).await;
    play(&server, broken, sandbox_clock::advances_the_clock_by_a_week_in_one_request).await;
    play(&server, broken, sandbox_clock::a_repeated_request_moves_the_clock_once_and_never_back).await;
    play(&server, broken, sandbox_clock::a_sandbox_is_emptied).await;
    play(&server, broken, saved_replies::saved_replies_have_unique_names_and_valid_texts).await;
    play(&server, broken, segments::a_segment_counts_and_filters_contacts).await;
    play(&server, broken, media::a_file_is_uploaded_and_downloaded).await;
    play(&server, broken, media::a_form_uploads_a_file).await;
    play(&server, broken, media::a_repeated_upload_returns_the_first_file).await;
    play(&server, broken, media::a_link_shows_a_file_without_a_key).await;
    play(&server, broken, media::a_message_uses_a_file).await;
    play(&server, broken, options::removes_a_used_option_only_by_force).await;
    play(&server, broken, names::filters_accept_names_of_contacts_and_tags).await;
    play(&server, broken, names::returns_the_object_that_has_a_taken_name).await;
    play(&server, broken, names::names_the_missing_object_of_two_ids).await;
    play(&server, broken, merges::a_merged_contact_resolves_to_its_survivor).await;
    play(&server, broken, merges::merging_loses_no_acknowledged_change).await;
    play(&server, broken, messages::messages_have_a_location_and_notes_are_internal).await;
    play(&server, broken, shortcuts::the_tags_of_a_contact_are_replaced).await;
    play(&server, broken, shortcuts::a_flow_is_paused_and_resumed).await;
    play(&server, broken, shortcuts::a_bot_field_is_renamed).await;
    play(&server, broken, simulations::a_simulation_leaves_nothing_behind).await;
    play(&server, broken, simulations::reports_errors_of_a_simulation).await;
    play(&server, broken, simulations::versions_scripts_and_publishes_despite_failed_ones).await;
    play(&server, broken, texts::previews_a_text_as_it_is_sent).await;
    play(&server, broken, texts::offers_options_as_quick_replies_and_increments_fields).await;
    play(&server, broken, texts::keywords_and_options_ignore_diacritics).await;
    play(&server, broken, timeline::a_timeline_lists_all_activity_of_a_contact).await;
    play(&server, broken, secrets::stores_a_secret_and_never_returns_its_value).await;
    play(&server, broken, secrets::rejects_an_invalid_secret_with_all_errors).await;
    play(&server, broken, list_filters::filters_lists_by_name_and_status).await;
    play(&server, broken, list_filters::lists_flows_with_keywords_on_a_channel).await;
    play(&server, broken, lists::every_list_returns_its_total).await;
    play(&server, broken, lists::a_page_ends_at_four_mebibytes).await;
    play(&server, broken, leavings::tests_of_channels_and_webhooks_have_the_same_form).await;
    play(&server, broken, leavings::deleting_the_default_channel_returns_the_new_default).await;
    play(&server, broken, leavings::keys_have_versions).await;
    play(&server, broken, leavings::lists_forcibly_deleted_references_until_the_next_edit).await;
    play(&server, broken, references::references_follow_a_renamed_tag).await;
    play(&server, broken, references::a_flow_keeps_the_tag_it_was_written_with).await;
    assert!(broken.is_empty(), "failed rules: {broken:?}");
}

on_both! {
    every_rule_holds,
}

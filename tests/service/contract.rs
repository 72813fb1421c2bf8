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

/// Runs all rules, and then reports those that failed.
macro_rules! play {
    ($server:expr; $($module:ident::$rule:ident,)+) => {{
        let mut broken = Vec::new();
        $(if AssertUnwindSafe($module::$rule($server)).catch_unwind().await.is_err() {
            broken.push(stringify!($rule));
        })+
        assert!(broken.is_empty(), "failed rules: {broken:?}");
    }};
}

async fn every_rule_holds(store: Store) {
    let server = Server::start(store, &[("TIDINGS__LIMITS__PLANS__BUSINESS", "1000000")]);
    play!(&server;
        audit_log::logs_each_change_once,
        audit_log::the_audit_log_is_for_owners_and_admins,
        audit_log::an_emptied_sandbox_keeps_its_audit_log,
        batch::returns_an_outcome_for_each_operation_of_a_batch,
        batch::an_invalid_batch_changes_nothing,
        batch::deleting_in_a_batch_requires_a_full_key,
        batch::runs_a_repeated_batch_once,
        broadcasts::a_broadcast_reaches_every_contact_once,
        broadcasts::a_broadcast_is_paused_resumed_and_cancelled,
        broadcasts::broadcasts_lock_references_send_tests_and_report_errors,
        broadcasts::repeats_a_broadcast_only_for_contacts_that_missed_it,
        cursors::rejects_cursors_of_another_order_or_list,
        custom_events::custom_events_start_flows_and_are_not_in_the_feed,
        custom_events::a_run_waits_for_an_event,
        custom_events::a_wait_for_an_event_times_out,
        export::every_contact_is_exported_once,
        export::exports_contacts_as_a_table,
        flow_statistics::counts_entries_exits_and_waits_of_nodes,
        flow_statistics::lists_runs_that_wait_at_a_node,
        flow_statistics::a_paused_flow_holds_its_queued_messages,
        flow_calls::a_flow_calls_another_and_continues_afterwards,
        flow_calls::cancelling_either_run_of_a_call_affects_the_other,
        http_requests::a_flow_calls_a_service_with_a_secret,
        http_requests::rejects_calls_to_forbidden_hosts,
        http_requests::flows_cannot_compute_with_a_secret,
        http_requests::a_referenced_secret_cannot_be_deleted,
        bulk::contacts_are_changed_in_bulk,
        bulk::fields_subscriptions_enrollments_and_runs_in_bulk,
        bulk::replays_the_answer_after_the_field_is_deleted,
        bulk::bulk_operations_require_scopes_and_expected_counts,
        bulk::a_bulk_operation_is_cancelled,
        imports::imports_a_table_with_mapped_columns,
        imports::imports_corrected_rows_again,
        imports::updates_keeps_or_rejects_existing_contacts,
        imports::reports_why_a_table_is_rejected,
        imports::an_import_is_cancelled,
        imports::imports_do_not_subscribe_opted_out_contacts,
        imports::checks_a_table_before_importing_it,
        imports::an_export_is_imported_again_without_a_change,
        inbox::sorts_and_filters_conversations,
        inbox::a_reply_assigns_an_unassigned_conversation,
        inbox::sorts_conversations_by_waiting_time,
        inbox::assignees_are_listed_for_members,
        reply_times::reply_times_are_measured_by_member_and_channel,
        sandbox_clock::advances_the_clock_by_a_week_in_one_request,
        sandbox_clock::a_repeated_request_moves_the_clock_once_and_never_back,
        sandbox_clock::a_sandbox_is_emptied,
        sandbox_clock::a_sandbox_simulates_providers_and_contacts,
        saved_replies::saved_replies_have_unique_names_and_valid_texts,
        saved_replies::a_saved_reply_has_files,
        segments::a_segment_counts_and_filters_contacts,
        segments::objects_of_a_segment_are_in_use,
        media::a_file_is_uploaded_and_downloaded,
        media::a_form_uploads_a_file,
        media::a_repeated_upload_returns_the_first_file,
        media::a_link_shows_a_file_without_a_key,
        media::a_message_uses_a_file,
        media::flows_sequences_and_broadcasts_send_files,
        media::flows_sequences_and_broadcasts_reject_unknown_files,
        options::removes_a_used_option_only_by_force,
        names::filters_accept_names_of_contacts_and_tags,
        names::returns_the_object_that_has_a_taken_name,
        names::names_the_missing_object_of_two_ids,
        names::accepts_a_version_alone_in_if_match,
        merges::a_merged_contact_resolves_to_its_survivor,
        merges::merging_loses_no_acknowledged_change,
        messages::messages_have_a_location_and_notes_are_internal,
        messages::a_failed_message_is_sent_again_once,
        shortcuts::the_tags_of_a_contact_are_replaced,
        shortcuts::a_flow_is_paused_and_resumed,
        shortcuts::a_bot_field_is_renamed,
        simulations::keywords_and_options_ignore_diacritics,
        simulations::a_simulation_matches_the_real_run,
        simulations::a_simulation_leaves_nothing_behind,
        simulations::reports_errors_of_a_simulation,
        simulations::simulates_a_sequence_of_a_week_in_one_response,
        simulations::versions_scripts_and_publishes_despite_failed_ones,
        texts::previews_a_text_as_it_is_sent,
        texts::offers_options_as_quick_replies_and_increments_fields,
        timeline::a_timeline_lists_all_activity_of_a_contact,
        secrets::stores_a_secret_and_never_returns_its_value,
        secrets::rejects_an_invalid_secret_with_all_errors,
        list_filters::filters_lists_by_name_and_status,
        lists::every_list_returns_its_total,
        lists::a_page_ends_at_four_mebibytes,
        leavings::tests_of_channels_and_webhooks_have_the_same_form,
        leavings::deleting_the_default_channel_returns_the_new_default,
        leavings::keys_have_versions,
        leavings::lists_forcibly_deleted_references_until_the_next_edit,
        references::references_follow_a_renamed_tag,
        references::pauses_a_broadcast_that_lost_its_exclusion,
        references::pauses_a_sequence_that_lost_its_exit,
        references::reports_removed_options_and_recreated_fields,
        references::a_flow_keeps_the_tag_it_was_written_with,
    );
}

on_both! {
    every_rule_holds,
}

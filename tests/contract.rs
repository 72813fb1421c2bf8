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
        assert!(broken.is_empty(), "these do not hold: {broken:?}");
    }};
}

async fn every_rule_holds(store: Store) {
    let server = Server::start(store, &[("TIDINGS__LIMITS__PLANS__BUSINESS", "1000000")]);
    play!(&server;
        audit_log::what_changed_is_told_once,
        audit_log::the_audit_log_is_for_owners_and_admins,
        audit_log::a_sandbox_that_is_emptied_keeps_its_audit_log,
        batch::each_operation_of_a_batch_has_its_outcome,
        batch::a_batch_of_the_wrong_form_changes_nothing,
        batch::deleting_by_a_batch_takes_a_full_key,
        batch::a_batch_that_is_repeated_is_done_once,
        broadcasts::a_broadcast_reaches_everybody_once,
        broadcasts::a_broadcast_is_paused_resumed_and_cancelled,
        broadcasts::a_broadcast_names_tests_and_refuses,
        broadcasts::a_broadcast_is_repeated_for_those_who_did_not_get_it,
        cursors::cursors_of_another_order_or_list_are_refused,
        custom_events::a_custom_event_starts_a_flow_and_stands_in_no_feed,
        custom_events::a_run_waits_for_an_event,
        custom_events::a_wait_for_an_event_has_an_end,
        export::every_contact_is_exported_once,
        export::a_table_of_contacts_is_written,
        flow_statistics::nodes_tell_what_became_of_runs,
        flow_statistics::who_waits_at_a_node_is_listed,
        flow_statistics::a_paused_flow_holds_what_it_queued,
        flow_calls::a_flow_calls_another_and_comes_back,
        flow_calls::the_end_of_either_run_reaches_the_other,
        flow_calls::a_call_says_where_it_comes_back,
        http_requests::a_flow_calls_a_service_with_a_secret,
        http_requests::a_call_goes_where_it_may,
        http_requests::a_flow_cannot_work_on_a_secret,
        http_requests::a_secret_that_is_named_is_in_use,
        bulk::contacts_are_changed_in_bulk,
        bulk::fields_subscriptions_enrollments_and_runs_in_bulk,
        bulk::a_repeat_is_answered_after_its_field_was_deleted,
        bulk::what_goes_too_far_is_refused,
        bulk::a_bulk_operation_is_cancelled,
        imports::a_table_is_taken_in,
        imports::rejected_rows_are_mended_and_sent_again,
        imports::what_is_there_is_treated_as_asked,
        imports::a_table_that_cannot_be_taken_in_says_why,
        imports::an_import_is_cancelled,
        imports::nobody_who_opted_out_is_subscribed_by_a_table,
        imports::a_table_is_checked_before_it_is_taken_in,
        imports::an_export_is_imported_again_without_a_change,
        inbox::conversations_are_looked_through,
        inbox::a_reply_assigns_a_conversation_that_nobody_has,
        inbox::conversations_are_listed_by_who_waits,
        inbox::assignees_are_listed_for_members,
        reply_times::reply_times_are_measured_by_member_and_channel,
        sandbox_clock::a_week_goes_by_in_a_request,
        sandbox_clock::a_clock_is_moved_once_and_never_back,
        sandbox_clock::a_sandbox_is_emptied,
        sandbox_clock::a_sandbox_plays_providers_and_contacts,
        saved_replies::saved_replies_are_kept_by_name,
        segments::a_segment_chooses_counts_and_filters,
        segments::what_a_segment_names_is_in_use,
        options::an_option_in_use_goes_by_force_alone,
        names::filters_know_contacts_and_tags_by_name,
        names::what_has_the_name_is_told,
        names::of_two_ids_the_missing_one_is_told,
        names::a_version_alone_is_a_precondition,
        merges::a_merged_contact_is_its_survivor,
        merges::merging_loses_nothing_that_was_acknowledged,
        messages::a_message_has_an_address_and_a_note_is_internal,
        shortcuts::the_tags_of_a_contact_are_replaced,
        shortcuts::a_flow_is_paused_and_resumed,
        shortcuts::a_bot_field_is_renamed,
        simulations::keywords_and_options_ignore_diacritics,
        simulations::what_is_simulated_is_what_then_happens,
        simulations::a_simulation_leaves_nothing_behind,
        simulations::a_simulation_that_is_wrong_says_how,
        simulations::a_sequence_of_a_week_is_seen_at_once,
        simulations::a_flow_keeps_its_scripts_and_is_published_all_the_same,
        texts::a_text_is_shown_as_it_would_be_sent,
        texts::a_choice_offers_its_options_and_counts_visits,
        timeline::a_timeline_tells_what_happened,
        secrets::a_secret_is_put_and_never_shown,
        secrets::a_secret_has_its_form,
        list_filters::lists_are_narrowed_by_name_and_status,
        lists::every_list_tells_how_many_rows_there_are,
        lists::a_page_ends_at_four_mebibytes,
        leavings::tests_answer_in_one_shape,
        leavings::the_deletion_of_the_default_names_the_next_one,
        leavings::keys_have_versions,
        leavings::what_was_lost_by_force_is_told_until_the_next_edit,
        references::a_renamed_tag_is_still_meant,
        references::a_broadcast_without_its_exclusion_waits_for_an_edit,
        references::a_sequence_without_its_exit_waits_for_an_edit,
        references::a_removed_option_and_a_field_made_again_are_told,
        references::a_flow_means_the_tag_that_it_was_written_with,
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_rule_holds_on_sqlite() {
    every_rule_holds(Store::sqlite().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_rule_holds_on_postgresql() {
    every_rule_holds(Store::postgres().await).await;
}

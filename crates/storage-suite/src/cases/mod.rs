//! The table of all cases by file. Each adapter's tests are generated from it.

/// Generates a test for each case. `$fresh` is an async function without arguments. It returns the
/// [ports](crate::Ports) of an empty store, and a value that keeps the store alive.
#[macro_export]
macro_rules! suite {
    (@tests $fresh:path; $($file:ident { $($case:ident,)* })*) => {
        $($(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                let (ports, _kept) = $fresh().await;
                $crate::$file::$case(ports).await;
            }
        )*)*
    };
    ($fresh:path) => { $crate::suite! { @tests $fresh;
    analytics {
        facts_are_counted_once_by_quarter_and_channel,
        concurrent_counting_counts_each_fact_once,
        keeps_facts_and_counters_within_their_workspace,
    }
    reply_times {
        reply_times_are_counted_once_by_member_and_channel,
    }
    at_once {
        concurrent_dispatch_queries_equal_single_ones,
        concurrent_conversation_queries_equal_single_ones,
        concurrent_live_run_queries_equal_single_ones,
    }
    atomicity {
        a_set_is_written_as_a_whole,
        writes_nothing_of_a_set_with_a_conflict,
        reports_the_first_conflict_of_a_set,
        rejects_a_set_of_more_than_a_thousand_rows,
        acknowledged_sets_are_visible_at_once,
        a_conflict_fails_only_its_own_set,
        a_cancelled_commit_is_written_whole_or_not_at_all,
        rejects_a_row_with_a_missing_owner,
        rejects_or_stores_a_text_with_a_nul_character,
    }
    audit {
        finds_audit_entries_by_every_filter,
        an_audit_entry_is_written_with_its_change,
        old_audit_entries_are_removed_by_whole_days,
    }
    broadcasts {
        stores_all_fields_of_a_broadcast,
        freezes_an_audience_in_the_order_of_due_times,
        a_recipient_is_finished_once,
        removes_recipients_of_ended_broadcasts_in_portions,
        adds_up_the_counts_of_a_broadcast,
        the_last_outcome_queues_the_closing_job,
        a_counted_outcome_releases_the_next_portion,
        a_new_conversation_adopts_messages_without_one,
    }
    calls {
        claims_a_call_together_with_deliveries,
        claims_calls_of_workspaces_in_turn,
        fills_each_claim_with_calls_and_deliveries,
        a_call_waits_for_the_step_before_it,
        drops_and_wakes_queued_calls_with_their_runs,
    }
    claim_races {
        concurrent_claims_return_each_work_job_once,
        concurrent_claims_return_each_call_once,
        concurrent_claims_return_each_queued_delivery_once,
    }
    conditions {
        selects_exactly_the_contacts_that_match_a_condition,
        lists_the_contacts_of_a_condition_in_pages,
        an_update_keeps_an_earlier_key_of_an_address,
    }
    contacts {
        stores_all_fields_of_a_contact,
        contacts_match_every_part_of_a_filter,
        a_contact_is_opted_in_if_one_address_is,
        finds_custom_field_values_by_their_match_key,
        hides_a_deleted_contact_and_frees_its_identifiers,
        reads_a_contact_from_one_snapshot,
        finds_contacts_by_every_word_of_a_search,
        compares_custom_field_values_by_type,
        counts_contacts_up_to_a_limit,
        counts_contacts_that_a_channel_reaches,
        restores_a_deleted_contact_with_its_addresses,
        replaces_the_addresses_of_a_contact,
        concurrent_upserts_create_a_contact_once,
        concurrent_lookups_by_several_identifiers_find_their_contacts,
        concurrent_lookups_return_the_objects_of_their_workspaces,
        keeps_a_custom_event_until_it_expires,
    }
    held {
        a_held_message_does_not_block_its_lane,
        holds_a_message_only_with_its_current_claim,
        a_released_job_of_an_erased_message_is_claimed_once,
    }
    published {
        finds_published_versions_that_mention_secrets,
    }
    statistics {
        adds_up_the_counts_of_flow_nodes,
        a_rejected_step_is_not_counted,
        counts_live_runs_by_their_node,
        lists_live_runs_at_a_node,
    }
    dead_letters {
        lists_dead_letters_by_time_of_failure,
        retries_a_dead_letter_once,
    }
    delivery_queue {
        records_an_attempt_once_and_only_with_its_claim,
        a_changed_delivery_stays_claimed,
        reschedules_parks_and_releases_a_claimed_delivery,
        a_delivery_may_be_written_as_claimed,
        finds_a_delivery_committed_late_with_an_earlier_due_time,
        a_delivery_claimed_five_times_is_poisoned,
    }
    erasures {
        an_erasure_removes_all_personal_data,
        rejects_changes_based_on_reads_before_an_erasure,
        finds_unsent_messages_before_their_erasure,
    }
    media {
        stores_all_fields_of_a_file,
        a_file_is_shared_by_several_contacts,
        files_follow_their_contact,
        removes_old_files_that_no_message_uses,
        keeps_files_of_other_objects,
    }
    expiry {
        removes_old_messages_but_not_the_last_of_an_open_conversation,
        releases_the_files_of_removed_messages,
        releases_a_file_of_one_message,
        removes_conversations_that_were_resolved_long_ago,
        finds_contacts_that_were_deleted_long_ago,
    }
    merges {
        moves_the_data_of_a_merged_contact_to_the_survivor,
        a_merge_combines_conversations_on_the_same_channel,
        follows_a_chain_of_merges_to_the_last_survivor,
    }
    opt_outs {
        remembers_opt_outs_by_their_digests,
        rejects_changes_with_an_old_revision_of_opt_outs,
        knows_an_opt_out_when_its_contact_is_created_again,
    }
    event_waits {
        finds_the_runs_that_wait_for_an_event,
        returns_events_that_are_not_yet_delivered_to_runs,
        awaited_events_have_listeners,
        an_event_after_the_wait_is_never_missed,
    }
    feed {
        numbers_events_without_gaps_in_commit_order,
        concurrent_sequencers_number_each_event_once_without_gaps,
        only_the_lease_holder_numbers_events,
        filters_the_feed_by_type_and_position,
        ends_a_read_of_the_feed_at_its_size,
        keeps_old_events_while_an_attempt_is_planned,
        keeps_old_deliveries_while_an_attempt_is_planned,
    }
    conversations {
        concurrent_inserts_create_one_conversation,
        concurrent_inserts_store_an_inbound_message_once,
        stores_all_fields_of_a_conversation,
        stores_message_content_of_every_type,
        lists_the_messages_that_a_channel_accepted,
        counts_the_automatic_messages_of_a_conversation,
        a_dispatch_contains_all_that_a_send_requires,
        a_contact_is_found_by_its_address,
    }
    channels {
        a_channel_is_found_by_its_token_until_it_is_deleted,
        keeps_the_newest_requests_that_were_not_understood,
        an_event_of_a_provider_is_recorded_once_until_it_expires,
        the_health_of_a_channel_has_its_own_version,
        finds_the_connected_channels_of_all_workspaces,
    }
    cut_off_sends {
        repeats_an_interrupted_send_if_the_provider_deduplicates,
        never_repeats_an_interrupted_send_without_deduplication,
    }
    full_channels {
        skips_messages_of_full_channels,
        skips_other_calls_of_full_channels,
        a_held_message_keeps_its_channel,
    }
    guards {
        concurrent_inserts_stop_at_the_limit,
        each_limit_counts_only_its_own_rows,
        counts_each_invitation_of_an_hour_once,
        rejects_an_actor_without_the_required_role,
        a_demotion_and_an_action_exclude_each_other,
        one_of_many_updates_of_a_version_succeeds,
        a_link_never_outlives_its_tag,
        last_seen_times_only_increase,
    }
    deadlocks {
        concurrent_sends_to_one_contact_do_not_deadlock,
        concurrent_links_to_one_contact_do_not_deadlock,
        forced_deletes_of_one_flow_do_not_deadlock,
        updates_of_one_webhook_do_not_deadlock,
    }
    idempotency {
        keeps_a_response_for_a_day,
        replaces_an_expired_response,
        commits_one_of_many_sets_with_the_same_key,
        removes_expired_responses_oldest_first,
    }
    isolation {
        nothing_of_another_workspace_can_be_guarded,
        nothing_of_another_workspace_can_be_changed,
        nothing_of_another_workspace_can_be_read,
    }
    jobs {
        stores_all_fields_of_a_job,
        a_job_waits_until_it_is_due,
        a_job_may_be_written_as_claimed,
        a_job_of_a_free_lane_may_be_written_as_claimed,
        a_claimed_job_stays_the_head_of_its_lane,
        rejects_changes_with_an_old_claim,
        claims_a_job_again_after_its_lease_expires,
        an_extended_lease_does_not_expire_early,
        claims_a_rescheduled_job_again,
        a_job_claimed_five_times_is_not_claimed_again,
        never_claims_a_dead_lettered_job,
        skips_full_groups,
        returns_the_earliest_due_time_of_a_pool,
        claims_only_jobs_of_the_requested_pool,
    }
    lanes {
        only_the_head_of_a_lane_is_claimed,
        a_lane_waits_for_its_claimed_job,
        a_head_that_is_not_due_blocks_its_lane,
        claims_the_next_job_of_a_lane_after_each_end,
        a_claim_with_a_mark_finds_the_next_job_of_a_lane,
        no_job_waits_for_an_ended_one,
        concurrent_claims_return_each_job_once_in_lane_order,
    }
    links {
        links_a_tag_to_a_contact_once,
        rejects_the_removal_of_a_missing_link,
        rejects_links_to_missing_objects,
        many_values_are_written_together,
        values_are_set_replaced_and_cleared,
        removes_links_of_a_deleted_tag_in_portions,
        removes_values_of_a_deleted_field_in_portions,
        hides_retired_options_and_finds_their_contacts,
        removes_an_option_only_while_no_contact_has_it,
    }
    list_filters {
        filters_lists_by_names_and_parts_of_them,
        filters_lists_by_status,
    }
    listeners {
        rejects_sets_with_an_old_listener_revision,
        rejects_only_the_sets_with_an_old_revision,
        a_commit_knows_all_webhooks_created_before_it,
    }
    lists {
        every_list_shows_each_row_once_in_both_orders,
        counts_the_rows_of_every_list_on_request,
        lists_each_row_once_during_concurrent_changes,
        messages_and_deliveries_are_listed_by_page,
    }
    sandboxes {
        advancing_a_sandbox_clock_moves_its_queued_jobs,
        empties_a_sandbox_but_keeps_its_channels,
    }
    workspaces {
        restoring_a_workspace_makes_postponed_jobs_due,
        a_deleted_workspace_is_erased,
    }
    outbound {
        claims_only_internal_work_of_a_paused_workspace,
        a_pause_of_the_store_applies_to_all_workspaces,
        counts_the_end_of_each_pause,
        a_second_pause_keeps_the_first_reason,
        a_restored_store_stays_known_until_it_is_resumed,
    }
    people {
        finds_users_by_id_and_email,
        finds_a_user_by_the_last_password_reset,
        knows_the_networks_of_the_sessions_of_a_user,
        lists_the_live_sessions_of_a_user,
        members_are_found_with_their_roles,
        a_sandbox_has_the_members_of_its_live_workspace,
        keeps_one_of_two_owners_who_leave_at_once,
        finds_a_session_with_its_memberships_and_ends_it_once,
        a_refresh_token_is_used_once,
        counts_log_ins_based_on_the_same_reading_once,
        signing_keys_are_found_newest_first,
        invitations_are_found_by_their_digest,
        removes_expired_sessions_and_old_log_in_attempts,
    }
    bulk {
        stores_all_fields_of_a_bulk_operation,
        an_interrupted_bulk_operation_changes_each_contact_once,
        an_interrupted_bulk_operation_acts_on_each_contact_once,
    }
    imports {
        stores_all_fields_of_an_import,
        stores_an_import_table_in_parts,
        removes_rejected_rows_with_their_contacts,
        an_interrupted_import_imports_each_row_once,
    }
    queries {
        keys_and_workspaces_are_found,
        tags_are_found_and_counted,
        fields_are_found_by_id_and_by_key,
        secrets_are_found_by_name,
        stores_all_fields_of_a_segment,
        saved_replies_are_found_by_name,
        conversations_are_found_and_filtered,
        finds_the_subscribers_of_an_event_type,
        deliveries_are_filtered,
        returns_attempts_in_order,
        stores_the_envelopes_of_an_event_byte_for_byte,
    }
    read_back {
        every_change_has_a_sample_that_is_read_back,
        changes_of_access_are_read_back,
        changes_of_accounts_are_read_back,
        changes_of_broadcasts_are_read_back,
        changes_of_the_catalog_are_read_back,
        changes_of_contacts_are_read_back,
        changes_of_conversations_are_read_back,
        changes_that_end_contacts_are_read_back,
        changes_of_runs_are_read_back,
        changes_of_flows_are_read_back,
        changes_of_imports_are_read_back,
        changes_of_jobs_are_read_back,
        changes_of_sequences_are_read_back,
        changes_of_webhooks_are_read_back,
        changes_of_workspaces_are_read_back,
    }
    references {
        returns_the_dependents_of_an_object,
        does_not_delete_an_object_in_use,
        a_forced_delete_leaves_lost_references,
        a_new_reference_and_a_delete_exclude_each_other,
    }
    repeats {
        a_repeat_chooses_recipients_without_the_message,
        a_repeat_excludes_contacts_who_got_the_message_before_a_merge,
        recipients_are_listed_with_their_results,
    }
    replies {
        concurrent_replies_replace_the_steps_of_many_runs,
        concurrent_opt_in_changes_store_the_last_value,
    }
    runs {
        a_slot_has_one_live_run,
        one_of_two_concurrent_starts_succeeds,
        counts_starts_from_a_given_time,
        a_refused_run_does_not_count_as_a_start,
        stores_all_fields_of_a_run,
        a_run_is_read_with_its_contact,
        runs_of_a_deleted_contact_end,
        a_cause_starts_a_flow_once,
        finds_the_runs_that_wait_for_a_reply,
        lists_runs_by_flow_contact_and_status,
        migrates_and_interrupts_all_live_runs_of_a_flow,
        drops_and_wakes_queued_steps_with_their_runs,
        removes_traces_of_ended_runs_in_portions,
    }
    schedules {
        rejects_a_plan_that_does_not_follow_the_previous_one,
        freezes_the_contacts_that_match_a_condition,
        takes_a_recipient_once,
        two_engines_start_each_contact_of_a_firing_once,
    }
    timeline {
        lists_ten_thousand_entries_of_one_time_once_each,
        merges_steps_of_overlapping_runs_by_time,
        a_timeline_contains_only_its_contact,
        changed_values_are_read_with_their_events,
    }
    turns {
        claims_deliveries_of_workspaces_in_turn,
        claims_retries_first_up_to_their_limit,
        skips_deliveries_and_sends_of_full_workspaces,
        claims_other_work_of_workspaces_in_turn,
        finds_jobs_that_fell_due_since_the_mark,
        concurrent_claims_return_each_delivery_once,
        a_parked_job_waits_until_its_group_is_released,
    }
    sorts {
        every_sort_lists_contacts_without_a_value_last,
        lists_a_thousand_ties_once_during_concurrent_changes,
        conversations_without_a_message_come_last,
        names_are_sorted_by_the_root_collation,
        tags_are_sorted_by_their_folded_names,
    }
    sealed {
        replaces_the_canary_only_if_the_caller_knows_it,
        returns_sealed_values_in_portions,
        replaces_only_unchanged_sealed_values,
        returns_and_replaces_unsealed_headers,
    }
    sent_in_parts {
        a_later_try_begins_at_the_refused_part,
        a_part_with_an_unknown_outcome_is_not_repeated,
        a_message_continues_after_a_crash_between_its_parts,
        an_opt_out_between_two_parts_stops_the_message,
        a_report_finds_a_message_by_any_part,
    }
    sequences {
        stores_all_fields_of_a_sequence,
        stores_all_fields_of_an_enrollment,
        enrolls_a_contact_in_a_sequence_once,
        enrollments_of_a_deleted_contact_end,
        returns_outdated_enrollments_in_portions,
        enrollments_are_filtered_and_listed_by_page,
    }
    stored {
        each_row_is_measured_once_in_its_own_workspace,
        returns_a_measurement_until_it_is_deleted,
        a_lease_has_one_holder,
    }
    unique_keys {
        a_conflict_names_the_violated_unique_key,
        unique_keys_apply_within_a_workspace,
    }
    usage {
        requests_are_listed_and_filtered,
        hours_add_up_over_batches,
        requests_are_counted_by_minute_and_by_quarter,
        errors_are_grouped,
        counts_requests_by_key,
        adds_up_concurrent_batches,
        keeps_the_time_of_the_latest_use_of_a_key,
        old_requests_are_removed,
        old_sums_are_removed,
    }
    flows {
        triggers_of_active_flows_are_found,
        flows_that_listen_to_custom_events_are_found,
        a_deleted_flow_is_hidden,
        lists_versions_of_a_flow_in_pages,
    }
    flow_calls {
        stores_the_caller_and_the_result_of_a_flow_call,
        waking_a_caller_makes_its_queued_step_due,
        called_runs_end_with_their_caller,
        ending_a_flow_ends_called_runs_and_wakes_callers,
        resuming_a_flow_wakes_runs_that_wait_for_a_call,
        wakes_the_caller_in_any_order_of_commits,
    }
    versions {
        a_guard_rejects_another_version_and_a_missing_object,
        an_update_from_an_old_version_is_stale,
        a_delete_of_a_missing_object_is_stale,
        deletes_only_rows_that_nothing_refers_to,
    }
    segments {
        a_count_is_stored_beside_its_segment,
        a_refresh_is_reserved_once,
    }
    webhooks {
        stores_all_fields_of_a_webhook_except_its_health,
        the_health_of_a_webhook_has_its_own_version,
        stores_a_success_once_per_second,
        a_disabled_webhook_gets_no_new_deliveries,
        attempts_are_counted_by_webhook_and_hour,
        a_replay_is_kept_until_it_is_dropped,
    }
    } };
}

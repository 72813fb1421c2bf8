//! The table of all cases by file. Each adapter's tests are generated from it.

mod declare;
#[cfg(test)]
mod tests;

use declare::cases;

cases! {
    analytics {
        facts_are_counted_once_by_quarter_and_channel,
        concurrent_counting_counts_each_fact_once,
        numbers_of_another_workspace_stay_there,
    }
    reply_times {
        reply_times_are_counted_once_by_member_and_channel,
    }
    at_once {
        dispatches_are_found_at_once,
        conversations_are_found_at_once,
        live_runs_are_found_at_once,
    }
    atomicity {
        a_set_is_written_as_a_whole,
        a_set_with_a_contradiction_leaves_nothing,
        the_first_contradiction_in_order_is_the_one_reported,
        a_set_of_more_than_a_thousand_rows_is_refused,
        what_was_answered_is_there_for_everybody,
        contradictions_leave_their_neighbours_alone,
        a_caller_that_goes_away_leaves_nothing_half_done,
        an_upside_down_reference_is_refused,
        a_text_with_a_zero_is_refused_or_kept_whole,
    }
    audit {
        an_audit_entry_comes_back_by_every_filter,
        an_audit_entry_is_written_with_its_change,
        old_audit_entries_are_removed_by_whole_days,
    }
    broadcasts {
        a_broadcast_comes_back_as_it_was_written,
        an_audience_is_frozen_once_in_the_order_of_its_time,
        a_recipient_is_finished_once,
        recipients_go_some_time_after_the_end,
        what_is_counted_of_a_broadcast_adds_up,
        the_last_outcome_queues_the_job_that_closes,
        a_counted_outcome_releases_the_next_portion,
        a_message_without_a_conversation_is_taken_in,
    }
    calls {
        a_call_is_claimed_among_deliveries,
        calls_go_around_the_workspaces,
        calls_and_deliveries_leave_room_for_one_another,
        a_call_waits_for_the_step_before_it,
        queued_calls_follow_their_runs,
    }
    claim_races {
        concurrent_claimers_take_each_piece_of_work_once,
        concurrent_claimers_take_each_call_once,
        concurrent_claimers_take_each_queued_delivery_once,
    }
    conditions {
        a_store_chooses_whom_the_condition_holds_of,
        a_choice_is_listed_by_page,
    }
    contacts {
        a_contact_comes_back_as_it_was_written,
        each_part_of_the_filter_holds,
        values_are_found_by_their_match_key,
        a_deleted_contact_is_hidden_and_its_names_are_free,
        a_contact_is_never_read_half_changed,
        every_word_of_a_search_is_found,
        values_are_compared_in_their_order,
        totals_are_counted_up_to_a_bound,
        a_deleted_contact_comes_back_whole,
        addresses_are_replaced_and_found,
        of_two_upserts_at_once_one_makes_the_contact,
        a_custom_event_comes_back_until_its_time_is_over,
    }
    held {
        a_held_message_steps_out_of_its_lane,
        a_message_is_held_behind_its_claim,
        a_held_message_that_is_gone_is_looked_for_once,
    }
    published {
        published_versions_with_secrets_are_found,
    }
    statistics {
        what_is_counted_of_nodes_adds_up,
        a_step_that_is_refused_counts_nothing,
        runs_are_counted_where_they_are,
        runs_are_listed_where_they_are,
    }
    dead_letters {
        what_was_put_aside_is_listed,
        what_was_put_aside_is_retried_once,
    }
    delivery_queue {
        an_attempt_is_recorded_once_behind_its_claim,
        a_delivery_that_is_claimed_stays_so_when_it_changes,
        a_claimed_delivery_is_given_back_parked_and_called_for,
        a_delivery_may_be_written_as_claimed,
        what_is_committed_late_is_found_when_no_more_is_due,
        a_delivery_that_is_claimed_five_times_is_poison,
    }
    erasures {
        an_erased_person_leaves_nothing,
        erasing_is_a_change_to_the_contact,
    }
    merges {
        what_is_kept_of_a_merged_contact_moves,
        a_conversation_goes_up_in_the_one_that_the_survivor_has,
        what_leads_to_a_merged_contact_leads_on,
    }
    opt_outs {
        who_opted_out_is_known_by_digests,
        a_revision_of_opt_outs_is_required,
        nobody_comes_back_unknown,
    }
    event_waits {
        runs_that_await_an_event_are_found,
        events_on_their_way_to_runs_are_told,
        awaited_events_are_listened_for,
        an_event_after_the_wait_is_never_missed,
    }
    feed {
        events_are_numbered_from_one_without_gaps_in_the_order_of_their_commits,
        two_sequencers_never_give_a_number_twice_nor_leave_one_out,
        while_another_holds_the_lease_nothing_is_numbered,
        the_feed_shows_numbered_events_of_the_kinds_behind_a_position,
        old_events_go_with_their_deliveries_unless_an_attempt_is_planned,
        old_deliveries_go_unless_an_attempt_is_planned,
    }
    conversations {
        of_many_at_once_one_opens_the_conversation,
        of_many_at_once_one_keeps_the_message,
        a_conversation_comes_back_as_it_was_written,
        a_content_comes_back_as_it_was_written,
        what_a_channel_took_is_listed,
        a_message_comes_with_all_that_its_sending_depends_on,
        a_contact_is_found_by_its_address,
        a_channel_is_found_by_its_token_until_it_is_deleted,
    }
    cut_off_sends {
        a_send_that_was_cut_off_is_done_again_where_its_provider_knows_it,
        a_send_that_was_cut_off_stays_uncertain_where_its_provider_would_send_twice,
    }
    guards {
        room_lets_in_as_many_as_there_is_room,
        each_count_is_of_its_own,
        invitations_of_an_hour_count_once,
        an_actor_acts_while_their_role_lasts,
        of_a_demotion_and_an_act_at_once_one_commits,
        of_many_updates_of_one_version_one_wins,
        a_link_never_outlives_its_tag,
        concurrent_sends_to_one_contact_do_not_deadlock,
        concurrent_links_to_one_contact_do_not_deadlock,
        forced_deletes_of_one_flow_do_not_deadlock,
        updates_of_one_webhook_do_not_deadlock,
        last_seen_stamps_commute,
    }
    idempotency {
        an_answer_is_kept_for_a_day,
        a_record_without_an_actor_is_found_unless_it_has_a_secret,
        an_expired_answer_gives_way_to_a_new_one,
        of_many_with_one_key_one_commits,
        expired_answers_are_removed_oldest_first,
    }
    isolation {
        nothing_of_another_workspace_can_be_guarded,
        nothing_of_another_workspace_can_be_changed,
        nothing_of_another_workspace_can_be_read,
    }
    jobs {
        a_job_comes_back_as_it_was_written,
        a_job_waits_until_it_is_due,
        a_job_may_be_written_as_claimed,
        a_job_of_a_free_lane_may_be_written_as_claimed,
        a_claimed_job_stays_the_head_of_its_lane,
        an_old_claim_changes_nothing,
        a_lease_that_ran_out_is_claimed_anew,
        an_extended_lease_holds,
        a_job_given_back_is_claimed_again,
        a_job_claimed_five_times_is_put_aside,
        a_buried_job_is_never_claimed,
        full_groups_are_passed_over,
        the_next_due_job_is_told,
        pools_do_not_mix,
    }
    lanes {
        only_the_head_of_a_lane_is_claimed,
        a_lane_waits_for_its_claimed_job,
        a_head_that_is_not_due_holds_its_lane,
        the_next_of_a_lane_follows_each_end,
        the_next_of_a_lane_is_due_when_it_is_released,
        nothing_waits_for_what_has_ended,
        concurrent_claimers_take_each_job_once_and_in_order,
    }
    links {
        a_tag_comes_to_a_contact_once,
        a_tag_that_is_not_there_cannot_leave,
        links_need_both_ends,
        values_are_set_replaced_and_cleared,
        a_deleted_tag_is_swept_in_portions,
        a_deleted_field_is_swept_in_portions,
        options_that_go_are_hidden_and_found,
        an_option_goes_unused_or_not_at_all,
    }
    list_filters {
        lists_are_narrowed_by_names_and_parts_of_them,
        lists_are_narrowed_by_statuses,
    }
    listeners {
        what_relies_on_listeners_of_before_is_refused,
        each_of_many_is_told_of_its_own_listeners,
        who_listened_before_a_commit_began_is_known_to_it,
    }
    lists {
        every_list_shows_each_row_once_in_both_orders,
        every_list_is_counted_where_it_is_asked_for,
        a_list_shows_each_row_once_while_others_come_and_go,
        messages_and_deliveries_are_listed_by_page,
    }
    sandboxes {
        a_clock_moves_and_the_queue_with_it,
        a_sandbox_is_emptied,
    }
    workspaces {
        a_restored_workspace_goes_on,
        a_deleted_workspace_is_erased,
    }
    outbound {
        of_a_held_workspace_only_its_own_work_is_given_out,
        a_mark_on_the_store_holds_everything_until_it_is_lifted,
        the_end_of_a_pause_is_counted,
        the_first_reason_of_a_mark_stays,
    }
    people {
        people_are_found_by_id_and_address,
        a_link_to_another_password_is_found,
        where_somebody_signed_in_is_known,
        live_sessions_of_a_person_are_listed,
        members_are_found_with_their_roles,
        a_sandbox_has_the_members_of_its_live_workspace,
        of_two_owners_who_leave_at_once_one_stays,
        a_session_is_found_with_its_places_and_ended_once,
        a_refresh_token_is_used_once,
        of_many_log_ins_at_once_each_is_counted,
        signing_keys_are_found_newest_first,
        invitations_are_found_by_their_digest,
        what_opens_nothing_any_more_is_removed,
    }
    bulk {
        a_bulk_operation_comes_back_as_it_was_written,
        contacts_are_changed_once_whatever_breaks_off,
        each_contact_is_acted_on_once_whatever_breaks_off,
    }
    imports {
        an_import_comes_back_as_it_was_written,
        a_table_is_kept_in_parts,
        rejected_rows_go_with_their_people,
        a_table_is_taken_in_once_whatever_breaks_off,
    }
    queries {
        keys_and_workspaces_are_found,
        tags_are_found_and_counted,
        fields_are_found_by_id_and_by_key,
        secrets_are_found_by_name,
        a_segment_comes_back_as_it_was_written,
        saved_replies_are_found_by_name,
        conversations_are_found_and_filtered,
        subscribers_are_those_that_want_the_kind,
        deliveries_are_filtered,
        attempts_come_first_to_last,
        an_event_comes_back_as_it_was_written,
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
        what_names_an_object_is_told,
        what_is_named_is_not_deleted,
        what_was_deleted_by_force_is_lost_to_those_that_named_it,
        nothing_is_named_and_deleted_at_once,
    }
    repeats {
        a_repeat_chooses_recipients_without_the_message,
        a_repeat_excludes_contacts_who_got_the_message_before_a_merge,
        recipients_are_listed_with_their_results,
    }
    replies {
        steps_of_many_runs_are_taken_back_at_once,
        wishes_of_many_contacts_are_noted_at_once,
    }
    runs {
        one_run_lives_in_a_slot,
        of_two_concurrent_starts_one_wins,
        starts_are_counted_from_an_instant,
        a_refused_run_is_no_start,
        a_run_comes_back_as_it_was_written,
        a_run_is_read_with_its_contact,
        runs_of_a_deleted_contact_end,
        a_cause_starts_a_flow_once,
        runs_that_await_a_reply_are_found,
        runs_are_listed_by_what_they_are,
        live_runs_of_a_flow_end_and_move_together,
        queued_steps_follow_their_runs,
        traces_go_some_time_after_the_end,
    }
    schedules {
        a_plan_follows_the_one_before_it,
        an_audience_is_frozen_as_the_condition_chooses,
        of_two_who_take_a_recipient_one_does,
        two_engines_start_each_of_a_firing_once,
    }
    timeline {
        ten_thousand_entries_of_one_instant_come_once,
        steps_of_overlapping_runs_come_in_their_order,
        a_timeline_is_that_of_one_contact,
        changed_values_are_read_with_their_events,
    }
    turns {
        deliveries_go_around_the_workspaces,
        later_attempts_leave_room_for_first_ones,
        full_workspaces_are_passed_over,
        other_work_goes_around_the_workspaces_where_it_waits,
        what_fell_due_since_the_mark_is_found,
        concurrent_claimers_take_each_delivery_once,
        a_parked_job_waits_until_its_group_is_called_for,
    }
    sorts {
        every_sort_shows_each_contact_once_with_those_without_value_last,
        a_thousand_ties_are_shown_once_while_others_come_and_go,
        conversations_without_a_message_come_last,
        names_are_sorted_by_the_root_collation,
        tags_are_sorted_by_their_folded_names,
    }
    sealed {
        there_is_one_canary,
        sealed_values_are_told_in_portions,
        sealed_values_are_replaced_where_they_are_the_same,
        headers_that_are_not_sealed_are_told_and_replaced,
    }
    sequences {
        a_sequence_comes_back_as_it_was_written,
        an_enrollment_comes_back_as_it_was_written,
        a_contact_is_in_a_sequence_once,
        enrollments_of_a_deleted_contact_end,
        outdated_enrollments_are_told_in_portions,
        enrollments_are_filtered_and_listed_by_page,
    }
    stored {
        each_row_is_measured_once_in_its_own_workspace,
        what_was_measured_is_told,
        a_lease_has_one_holder,
    }
    unique_keys {
        every_unique_key_answers_by_its_name,
        keys_are_free_in_another_workspace,
    }
    usage {
        requests_are_listed_and_filtered,
        hours_add_up_over_batches,
        requests_are_counted_by_minute_and_by_quarter,
        errors_are_grouped,
        keys_are_added_up,
        batches_at_once_add_up,
        stamps_of_keys_go_forward,
        old_requests_are_removed,
        old_sums_are_removed,
    }
    flows {
        triggers_of_active_flows_are_found,
        flows_that_listen_to_custom_events_are_found,
        a_deleted_flow_is_hidden,
        versions_of_a_flow_come_in_pages,
    }
    flow_calls {
        a_call_comes_back_as_it_was_written,
        the_end_of_a_called_run_makes_the_step_of_its_caller_due,
        what_a_run_called_ends_with_it,
        the_end_of_a_flow_reaches_callers_and_called_runs,
        resuming_a_flow_has_its_callers_look_again,
        a_caller_is_always_woken,
    }
    versions {
        a_guard_tells_whether_the_version_is_right,
        an_update_from_an_old_version_is_stale,
        a_delete_of_what_is_not_there_is_stale,
        a_row_goes_once_nothing_refers_to_it,
    }
    segments {
        a_count_is_stored_beside_its_segment,
        a_refresh_is_reserved_once,
    }
    webhooks {
        a_webhook_comes_back_as_it_was_written,
        the_health_of_a_webhook_has_a_version_of_its_own,
        a_success_is_stamped_once_a_second,
        a_disabled_webhook_gets_no_new_deliveries,
        attempts_are_counted_by_webhook_and_hour,
        a_replay_is_kept_until_it_is_dropped,
    }
}

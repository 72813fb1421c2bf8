//! The table of jobs.

/// Passes two lists in brackets to a macro: tokens of the caller, and the declarations of all kinds of jobs.
///
/// A declaration has these parts, in this order:
/// - the subject and the other parts, each with its column: `mark`, `lane`, `group` or `further` of `JobColumns`. A
///   subject `as lane` is also the lane;
/// - the word in the store, the pool, and the type of the subject in the API;
/// - `settled`: the advice for a dead letter that is not retried, because `bury` records the failure or queues the job
///   again;
/// - `run`: the execution, with a `JobContext`;
/// - `bury`: the effect on the subject when the job is dead-lettered, added to the change set. Nothing may wait forever
///   for a job that will not run. If nothing depends on the job, the block is empty. The dead letter documents the
///   unfinished work, and a retry does it.
macro_rules! for_each_job {
    ($($receiver:ident)::+ { $($own:tt)* }) => {
        $($receiver)::+! {
            [$($own)*]
            [
                /// Creates a delivery of an event for each subscribed webhook, and queues the work of the event's other
                /// listeners. `depth` is the number of flow runs in the chain that caused the event.
                Relay { event: EventId, depth: i64 as mark } = "relay" in Work of "event" {
                    run |it| Relay { ports: it.ports() }.relay(&it.access, it.job, event, depth).await,
                    // The work of the event's listeners has not started: nothing waits for it.
                    bury |it, set| {}
                }
                /// Does the same for several events of one change set, in their order. `further` are the events after
                /// the first one, and `depth` is the number of flow runs in the chain that caused each of them.
                RelaySet { event: EventId, further: ExtraIds as further, depth: i64 as mark }
                    = "relay_set" in Work of "event" {
                    run |it| Relay { ports: it.ports() }.relay_set(&it.access, it.job, (event, further), depth).await,
                    // Each event gets its own job before any of them is dead-lettered.
                    bury |it, set| {
                        *set = Relay { ports: it.ports() }.parted(&it.access, it.job, (event, further), depth);
                    }
                }
                /// Does the same for an event that was not counted when it was written. Only earlier releases write
                /// such jobs.
                RelayEvent { event: EventId, depth: i64 as mark } = "relay_event" in Work of "event" {
                    run |it| Relay { ports: it.ports() }.relay_uncounted(&it.access, it.job, event, depth).await,
                    // The work of the event's listeners has not started: nothing waits for it.
                    bury |it, set| {}
                }
                /// Queues the work of a custom event's listeners. `depth` is the number of flow runs in the chain that
                /// caused it.
                RelayCustomEvent { event: CustomEventId, depth: i64 as mark }
                    = "relay_custom_event" in Work of "custom_event" {
                    run |it| Relay { ports: it.ports() }.relay_custom(&it.access, it.job, event, depth).await,
                    // The work of the event's listeners has not started: nothing waits for it.
                    bury |it, set| {}
                }
                /// Passes an event to the runs that wait for it, after earlier jobs of the contact. `depth` is the
                /// number of flow runs in the chain that caused the event.
                TakeEvent { event: EventId, contact: ContactId as lane, depth: i64 as mark }
                    = "take_event" in Work of "event" {
                    run |it| {
                        let runs = RunExecutor { ports: it.ports() };
                        runs.take_event(&it.access, it.job, (contact, event), depth).await
                    },
                    // The run that waits for the event continues after its timeout.
                    bury |it, set| {}
                }
                /// Passes a custom event to the runs that wait for it, in the same order.
                TakeCustomEvent { event: CustomEventId, contact: ContactId as lane, depth: i64 as mark }
                    = "take_custom_event" in Work of "custom_event" {
                    run |it| {
                        let runs = RunExecutor { ports: it.ports() };
                        runs.take_custom_event(&it.access, it.job, (contact, event), depth).await
                    },
                    // The run that waits for the event continues after its timeout.
                    bury |it, set| {}
                }
                /// Passes a contact's message to the run that waits for it, otherwise to the flow that it triggers. It
                /// runs after earlier jobs of the contact.
                RouteInbound { message: MessageId, contact: ContactId as lane } = "route_inbound" in Work of "message" {
                    run |it| {
                        let router = InboundRouter { ports: it.ports(), words: it.words() };
                        router.route(&it.access, it.job, message).await
                    },
                    // The message is in its conversation, unread. A run that waits for it continues after its timeout,
                    // and the contact's next message is routed.
                    bury |it, set| {}
                }
                /// Simulates a reaction of the provider or the contact to a message in a sandbox. `act` is the number
                /// of the reaction. It has no lane, because a later reaction would delay other jobs of the contact.
                PlayContact { message: MessageId, act: i64 as mark } = "play_contact" in Work of "message" {
                    run |it| {
                        let player = ContactPlayer { ports: it.ports(), words: it.words() };
                        player.play(&it.access, it.job, message, act).await
                    },
                    // In a sandbox, reactions are optional.
                    bury |it, set| {}
                }
                /// Reopens a snoozed conversation when its snooze ends.
                WakeConversation { conversation: ConversationId } = "wake_conversation" in Work of "conversation" {
                    run |it| ConversationWaker { ports: it.ports() }.wake(&it.access, it.job, conversation).await,
                    bury |it, set| {
                        ConversationWaker { ports: it.ports() }.open(&it.access, conversation, set).await?;
                    }
                }
                /// Executes a run of a flow up to its next wait. `visit` is the run's next visit.
                StepRun { run: RunId as lane, visit: i64 as mark } = "step_run" in Work of "flow_run",
                    settled "the run has failed; start the flow again for its contact" {
                    run |it| RunExecutor { ports: it.ports() }.step(it.job, run, visit).await,
                    bury |it, set| { RunExecutor { ports: it.ports() }.abandon(&it.access, run, visit, set).await?; }
                }
                /// Executes the next step of an enrollment. `visit` is the enrollment's next visit, and fences its
                /// jobs. It has no lane, because a job that waits for days would block an earlier one that was queued
                /// later.
                StepEnrollment { enrollment: EnrollmentId, visit: i64 as mark }
                    = "step_enrollment" in Work of "enrollment",
                    settled "the enrollment has failed; enroll the contact again" {
                    run |it| EnrollmentExecutor { ports: it.ports() }.step(it.job, enrollment, visit).await,
                    bury |it, set| {
                        EnrollmentExecutor { ports: it.ports() }.abandon(&it.access, enrollment, visit, set).await?;
                    }
                }
                /// Decides again what the enrollments of a changed sequence wait for, after an earlier review.
                ReviewSequence { sequence: SequenceId as lane } = "review_sequence" in Work of "sequence" {
                    run |it| SequenceReviewer { ports: it.ports() }.review(&it.access, it.job, sequence).await,
                    // An enrollment that became due while its sequence was paused has no job until the review.
                    bury |it, set| { it.follow_up(set); }
                }
                /// Fires a scheduled flow. `visit` is the number of its schedule. It has no lane, because an earlier
                /// firing that was queued later would have to wait for it.
                FireSchedule { flow: FlowId, visit: i64 as mark } = "fire_schedule" in Work of "flow",
                    settled "the scheduled start has failed; the next one is not affected. Start the flow for the \
                             contacts that were missed" {
                    run |it| ScheduleExecutor { ports: it.ports() }.fire(&it.access, it.job, flow, visit).await,
                    bury |it, set| {
                        ScheduleExecutor { ports: it.ports() }.abandon(&it.access, flow, visit, set).await?;
                    }
                }
                /// Starts a flow for the contacts that its firing selected, after earlier starts of the flow.
                StartFrozen { flow: FlowId as lane } = "start_frozen" in Work of "flow" {
                    run |it| ScheduleExecutor { ports: it.ports() }.start_frozen(&it.access, it.job, flow).await,
                    // The remaining contacts stay selected. They are started first when the flow fires again, is
                    // resumed or published. They are dropped when the flow is archived or deleted.
                    bury |it, set| {}
                }
                /// Reschedules the flows of a workspace after a change of its time zones.
                PlanSchedules { workspace: WorkspaceId } = "plan_schedules" in Work of "workspace" {
                    run |it| ScheduleExecutor { ports: it.ports() }.plan(&it.access, it.job).await,
                    // A flow with a schedule from the former time zone is rescheduled when that schedule is due.
                    bury |it, set| {}
                }
                /// Refreshes the contact counts of a workspace's segments, after an earlier count.
                CountSegments { workspace: WorkspaceId as lane } = "count_segments" in Work of "workspace" {
                    run |it| SegmentCounter { ports: it.ports() }.refresh(&it.access, it.job).await,
                    // Lists show the last counts, and request a refresh later.
                    bury |it, set| {}
                }
                /// Sends a message to its provider, after earlier messages of its conversation, if it has one.
                /// `channel` is its channel; earlier releases do not write it. `depth` is the number of flow runs in
                /// the chain that caused the message.
                SendMessage {
                    message: MessageId, conversation: Option<ConversationId> as lane,
                    channel: Option<ChannelId> as further, depth: i64 as mark
                } = "send_message" in Sends of "message",
                    settled "the message has failed; send another one" {
                    run |it| MessageSender { ports: it.ports() }.send(&it.access, it.job, message, depth).await,
                    bury |it, set| { MessageSender { ports: it.ports() }.abandon(&it.access, message, set).await?; }
                }
                /// Asks the provider for a message whose outcome is unknown. `attempt` is the number of earlier
                /// look-ups, and `channel` the channel of the message; earlier releases do not write it. It has no
                /// lane, because it would delay later messages.
                LookUpMessage { message: MessageId, attempt: i64 as mark, channel: Option<ChannelId> as further }
                    = "look_up_message" in Sends of "message" {
                    run |it| OutcomeLookUp { ports: it.ports() }.look_up(&it.access, it.job, message, attempt).await,
                    // The message stays `uncertain`.
                    bury |it, set| {}
                }
                /// Asks the provider of a channel for its health. `round` is the number of the check, and fences its
                /// jobs: one runs at a time. It has no group, because it must not wait for the messages of a channel
                /// that does not answer.
                CheckChannel { channel: ChannelId, round: i64 as mark } = "check_channel" in Sends of "channel" {
                    run |it| {
                        let missed = CatchUp { ports: it.ports(), words: it.words() };
                        missed.catch_up(&it.access, channel, round).await?;
                        ChannelChecker { ports: it.ports() }.check(&it.access, it.job, channel, round).await
                    },
                    // Channels are checked regularly.
                    bury |it, set| { it.follow_up(set); }
                }
                /// Fetches the requests of a provider that does not call this server. `round` is the number of the series
                /// of polls, and fences its jobs: one runs at a time. It has its own pool, because it must not wait for
                /// messages or their pauses, and a silent provider must not delay messages. Its queue is short, so it has
                /// no group.
                PollChannel { channel: ChannelId, round: i64 as mark } = "poll_channel" in Polls of "channel",
                    settled "another job polls the channel within an hour; to poll at once, disconnect and connect it" {
                    run |it| {
                        ChannelPoller { ports: it.ports(), words: it.words() }
                            .poll(&it.access, it.job, channel, round)
                            .await
                    },
                    // Channels are polled regularly. A retry would be a second job of the series.
                    bury |it, set| { it.follow_up(set); }
                }
                /// Fetches the files of a contact's message from the provider, one after another. `channel` is the
                /// channel of the message; earlier releases do not write it. It has no lane, because it would delay
                /// later messages.
                FetchMedia { message: MessageId, channel: Option<ChannelId> as further }
                    = "fetch_media" in Sends of "message" {
                    run |it| MediaFetcher { ports: it.ports() }.fetch(&it.access, it.job, message).await,
                    bury |it, set| { MediaFetcher { ports: it.ports() }.abandon(&it.access, message, set).await?; }
                }
                /// Makes the first attempt at a delivery, or the first one after a replay. The delivery's own row
                /// represents the job in the queue ([`Job::delivery`]). `round` is the number of attempts before the
                /// last replay.
                AttemptDelivery { delivery: DeliveryId, webhook: WebhookId as group, round: i32 as mark }
                    = "attempt_delivery" in Deliveries of "delivery",
                    settled "the delivery has failed; replay it at its webhook" {
                    run |it| it.deliveries().attempt(&it.access, it.job, (delivery, webhook, round)).await,
                    bury |it, set| { it.deliveries().abandon(&it.access, delivery, set).await?; }
                }
                /// Makes a later attempt at a delivery.
                RetryDelivery { delivery: DeliveryId, webhook: WebhookId as group, round: i32 as mark }
                    = "retry_delivery" in Deliveries of "delivery",
                    settled "the delivery has failed; replay it at its webhook" {
                    run |it| it.deliveries().attempt(&it.access, it.job, (delivery, webhook, round)).await,
                    bury |it, set| { it.deliveries().abandon(&it.access, delivery, set).await?; }
                }
                /// Makes the HTTP call that a run of a flow waits for, instead of the run's next step. `visit` is the
                /// visit of that step.
                CallHttp { run: RunId as lane, visit: i64 as mark } = "call_http" in Deliveries of "flow_run",
                    settled "the run has failed; start the flow again for its contact" {
                    run |it| RunExecutor { ports: it.ports() }.call(it.job, run, visit).await,
                    bury |it, set| {
                        let earlier = mem::replace(set, ChangeSet::new(it.job.workspace));
                        *set = RunExecutor { ports: it.ports() }.abandon_call(&it.access, run, visit, earlier).await?;
                    }
                }
                /// Freezes the audience of a broadcast, unless the broadcast began another round.
                StartBroadcast { broadcast: BroadcastId, round: i64 as mark }
                    = "start_broadcast" in Work of "broadcast",
                    settled "the broadcast has failed; its `stats` show the progress" {
                    run |it| BroadcastStarter { ports: it.ports() }.start(&it.access, it.job, broadcast, round).await,
                    bury |it, set| {
                        BroadcastStarter { ports: it.ports() }.abandon(&it.access, broadcast, set).await?;
                    }
                }
                /// Queues the portions of a broadcast, unless the broadcast began another round.
                SpreadBroadcast { broadcast: BroadcastId, round: i64 as mark }
                    = "spread_broadcast" in Work of "broadcast",
                    settled "the broadcast has failed; its `stats` show the progress" {
                    run |it| BroadcastStarter { ports: it.ports() }.spread(&it.access, it.job, broadcast, round).await,
                    bury |it, set| {
                        BroadcastStarter { ports: it.ports() }.abandon(&it.access, broadcast, set).await?;
                    }
                }
                /// Creates the next messages of a broadcast, for the recipients from a position, unless the broadcast
                /// began another round.
                SendPortion { broadcast: BroadcastId, place: PortionPlace as mark }
                    = "send_portion" in Sends of "broadcast",
                    settled "the broadcast has failed; its `stats` show the progress" {
                    run |it| {
                        let sender = PortionSender { ports: it.ports() };
                        sender.send(&it.access, it.job, (broadcast, place.round, place.from)).await
                    },
                    bury |it, set| {
                        BroadcastStarter { ports: it.ports() }.abandon(&it.access, broadcast, set).await?;
                    }
                }
                /// Completes a broadcast after each recipient has an outcome, whatever its round is.
                CloseBroadcast { broadcast: BroadcastId, round: i64 as mark }
                    = "close_broadcast" in Work of "broadcast",
                    settled "the broadcast has failed; its `stats` show the progress" {
                    run |it| BroadcastCloser { ports: it.ports() }.close(&it.access, it.job, broadcast).await,
                    bury |it, set| {
                        BroadcastStarter { ports: it.ports() }.abandon(&it.access, broadcast, set).await?;
                    }
                }
                /// Replays the deliveries of a time span, a batch each second. The job has the replay's ID.
                ReplayDeliveries { replay: JobId } = "replay_deliveries" in Work of "replay",
                    settled "the replay has ended; start a replay for the remaining time range" {
                    run |it| Replayer { ports: it.ports() }.replay(&it.access, it.job, replay).await,
                    bury |it, set| { Replayer::abandon(replay, set); }
                }
                /// Removes the remaining links of a deleted tag.
                SweepTag { tag: TagId } = "sweep_tag" in Work of "tag" {
                    run |it| TagSweeper { ports: it.ports() }.sweep(&it.access, it.job, tag).await,
                    // Remaining data is already hidden.
                    bury |it, set| {}
                }
                /// Removes the remaining values of a deleted custom field.
                SweepField { field: FieldId } = "sweep_field" in Work of "custom_field" {
                    run |it| FieldSweeper { ports: it.ports() }.sweep(&it.access, it.job, field).await,
                    // Remaining data is already hidden.
                    bury |it, set| {}
                }
                /// Removes deleted options of a custom field from contacts.
                TakeOptionsOff { field: FieldId } = "take_options_off" in Work of "custom_field" {
                    run |it| FieldSweeper { ports: it.ports() }.take_options_off(&it.access, it.job, field).await,
                    // Remaining data is already hidden.
                    bury |it, set| {}
                }
                /// Imports the next rows of an import.
                ImportContacts { import: ImportId } = "import_contacts" in Work of "import",
                    settled "the import has failed; import the table again: completed rows are not imported twice" {
                    run |it| Importer { ports: it.ports() }.advance(&it.access, it.job, import).await,
                    bury |it, set| { Importer { ports: it.ports() }.abandon(&it.access, import, set).await?; }
                }
                /// Removes an import that ended long ago, and its rejected rows.
                ForgetImport { import: ImportId } = "forget_import" in Work of "import" {
                    run |it| Importer { ports: it.ports() }.forget(&it.access, it.job, import).await,
                    // It must not stay half done.
                    bury |it, set| { it.follow_up(set); }
                }
                /// Changes the next contacts of a bulk operation.
                ChangeContacts { operation: BulkOperationId } = "change_contacts" in Work of "bulk_operation",
                    settled "the bulk operation has failed; create it again: completed changes are not repeated" {
                    run |it| BulkExecutor { ports: it.ports() }.advance(&it.access, it.job, operation).await,
                    bury |it, set| { BulkExecutor { ports: it.ports() }.abandon(&it.access, operation, set).await?; }
                }
                /// Removes a bulk operation that ended long ago.
                ForgetBulkOperation { operation: BulkOperationId }
                    = "forget_bulk_operation" in Work of "bulk_operation" {
                    run |it| BulkExecutor { ports: it.ports() }.forget(&it.access, it.job, operation).await,
                    // It must not stay half done.
                    bury |it, set| { it.follow_up(set); }
                }
                /// Removes the remaining data of an erased contact, after earlier jobs of the contact.
                EraseContact { contact: ContactId as lane } = "erase_contact" in Work of "contact" {
                    run |it| Eraser { ports: it.ports() }.erase(&it.access, it.job, contact).await,
                    // It must not stay half done.
                    bury |it, set| { it.follow_up(set); }
                }
                /// Moves the remaining data of a merged contact to its survivor. It has no lane: it waits for messages
                /// in transit and blocks no other job.
                MoveContact { contact: ContactId } = "move_contact" in Work of "contact" {
                    run |it| Merger { ports: it.ports() }.carry_on(&it.access, it.job, contact).await,
                    // It must not stay half done.
                    bury |it, set| { it.follow_up(set); }
                }
            ]
        }
    };
}

pub(crate) use for_each_job;

//! Runs a script: its entries, and the resulting jobs of the engine, in simulated time.

use std::sync::Arc;

use super::bounds::{MAX_JOBS, MAX_TIME};
use super::moments::{EntryCode, EntryMoment, Moment};
use super::prepared_simulation::PreparedSimulation;
use super::recorder::Recorder;
use super::script::{Entry, Script, StartBy};
use super::subject::SimulationSubject;
use super::view::{EndReason, Ended, NotVisited, SimulatedRun, Simulation};
use super::world::World;
use crate::channels::Channel;
use crate::contacts::{Contact, ContactView};
use crate::conversations::{Content, ConversationView, InboundMessage, Profile};
use crate::custom_events::NewCustomEvent;
use crate::error::Error;
use crate::flows::{StartFlow, Trigger};
use crate::ids::ChannelId;
use crate::ports::StoreError;
use crate::sequences::EnrollmentView;
use crate::time::Timestamp;

/// The remaining work of a script.
struct Budget<'a> {
    jobs: u32,
    recorder: Arc<Recorder>,
    more: &'a (dyn Fn() -> bool + Sync),
    over: Option<EndReason>,
}

impl Budget<'_> {
    /// Spends one unit of work. Returns false, and records the reason, if none is left.
    fn take(&mut self) -> bool {
        self.over = self.over.or(match () {
            () if self.jobs == 0 => Some(EndReason::JobLimit),
            () if self.recorder.is_full() => Some(EndReason::TraceLimit),
            () if !(self.more)() => Some(EndReason::DurationLimit),
            () => None,
        });
        self.jobs = self.jobs.saturating_sub(1);
        self.over.is_none()
    }
}

/// The reason why a script stopped early.
enum Stop {
    At(EndReason),
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        match error {
            Error::Store(StoreError::Unavailable(_)) => Self::At(EndReason::StoreLimit),
            error => Self::Failed(error),
        }
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Error::Store(error).into()
    }
}

impl PreparedSimulation {
    /// Runs a script with the pointer `at` and at most `room` bytes of trace. Also returns the size of the trace.
    pub(super) async fn play_script(
        &self,
        script: &Script,
        at: &str,
        room: usize,
        more: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Simulation, usize), Error> {
        let world = World::new(self, script, at, room).await?;
        let started_at = world.now();
        let budget = Budget { jobs: MAX_JOBS, recorder: world.recorder.clone(), more, over: None };
        let mut play = Play { rehearsal: self, script, at, world: &world, ends: started_at.plus(MAX_TIME), budget };
        let reason = match play.play().await {
            Ok(reason) => reason,
            Err(Stop::At(reason)) => reason,
            Err(Stop::Failed(error)) => return Err(error),
        };
        self.report(&world, script, started_at, reason).await
    }

    /// Collects the result of a script.
    async fn report(
        &self,
        world: &World,
        script: &Script,
        started_at: Timestamp,
        reason: EndReason,
    ) -> Result<(Simulation, usize), Error> {
        let ports = &world.tidings.ports;
        let (trace, bytes) = world.recorder.take_moments();
        let (mut runs, mut enrollments) = (Vec::new(), Vec::new());
        for run in world.recorder.runs() {
            runs.extend(ports.flows.run(&world.access, run).await?);
        }
        runs.sort_by_key(|run| run.started_at);
        for enrollment in world.recorder.enrollments() {
            enrollments.extend(ports.sequences.enrollment(&world.access, enrollment).await?);
        }
        let contact = world.contact().await?;
        let end = Ended { at: world.now(), reason, message: reason.message().to_owned() };
        let simulation = Simulation {
            name: script.name.clone(),
            started_at,
            end,
            failed_expectations: script.expect.failures(&self.tried, &trace, &contact),
            trace,
            runs: runs.iter().map(SimulatedRun::from).collect(),
            enrollments: enrollments.iter().map(EnrollmentView::from).collect(),
            conversations: world.conversations().iter().map(ConversationView::from).collect(),
            contact: ContactView::from(&contact),
            not_visited: NotVisited::default(),
        };
        Ok((simulation, bytes))
    }
}

impl World {
    async fn contact(&self) -> Result<Contact, Error> {
        let found = self.tidings.ports.contacts.find_even_deleted(&self.access, self.contact).await?;
        found.ok_or(Error::NotFound)
    }

    fn conversations(&self) -> Vec<crate::conversations::Conversation> {
        let mut all = self.store.conversations_of(self.access.workspace());
        all.retain(|conversation| conversation.contact == self.contact);
        all
    }
}

struct Play<'a> {
    rehearsal: &'a PreparedSimulation,
    script: &'a Script,
    at: &'a str,
    world: &'a World,
    /// The end of the simulated time.
    ends: Timestamp,
    budget: Budget<'a>,
}

impl Play<'_> {
    async fn play(&mut self) -> Result<EndReason, Stop> {
        self.begin().await?;
        self.do_what_is_due().await?;
        let Some(entries) = &self.script.entries else { return self.go_on().await };
        for (place, entry) in entries.iter().enumerate() {
            self.happens(place, entry).await?;
        }
        let is_started = self.world.recorder.runs().len() + self.world.recorder.enrollments().len() > 0;
        Ok(if is_started { EndReason::ScriptOver } else { EndReason::NotStarted })
    }

    /// Starts the flow or sequence, unless an entry of the script starts it.
    async fn begin(&mut self) -> Result<(), Stop> {
        let World { tidings, access, .. } = self.world;
        let person = self.world.person();
        match &self.rehearsal.tried {
            SimulationSubject::Sequence(sequence) => {
                tidings.enrollments.enroll(access, &person, sequence.id, None).await?;
            }
            SimulationSubject::Flow { flow, .. } => {
                let by = match self.script.start {
                    Some(by) => by,
                    None if self.is_triggered().await? => StartBy::Trigger,
                    None => StartBy::Api,
                };
                if by == StartBy::Api {
                    let start = StartFlow { flow: *flow, vars: self.script.vars.clone(), mode: None };
                    tidings.flows.start(access, &person, start, None).await?;
                }
            }
        }
        Ok(())
    }

    /// Whether the first entry matches a trigger of the flow.
    async fn is_triggered(&self) -> Result<bool, Stop> {
        let SimulationSubject::Flow { version, .. } = &self.rehearsal.tried else { return Ok(false) };
        let Some(first) = self.script.entries.iter().flatten().next() else { return Ok(false) };
        let channel = match first {
            Entry::Message { channel, .. } => self.channel(*channel, 0).await?.map(|channel| channel.id),
            Entry::Advance(_) | Entry::Event { .. } => None,
        };
        let fits = |trigger: &Trigger| match (first, trigger) {
            (Entry::Message { text, .. }, Trigger::Keyword { .. }) => {
                channel.is_some_and(|channel| trigger.fits(text, channel).is_some())
            }
            (Entry::Message { referral, .. }, Trigger::Referral { .. }) => {
                referral.as_ref().is_some_and(|referral| trigger.fits_referral(referral).is_some())
            }
            (Entry::Event { name: told, .. }, Trigger::CustomEvent { name, .. }) => told == name,
            // Schedules do not fire in simulations.
            (_, Trigger::Schedule { .. })
            | (Entry::Message { .. }, Trigger::Event { .. } | Trigger::CustomEvent { .. })
            | (Entry::Event { .. }, Trigger::Keyword { .. } | Trigger::Referral { .. } | Trigger::Event { .. })
            | (
                Entry::Advance(_),
                Trigger::Keyword { .. }
                | Trigger::Referral { .. }
                | Trigger::Event { .. }
                | Trigger::CustomEvent { .. },
            ) => false,
        };
        Ok(version.definition.triggers.iter().any(fits))
    }

    /// Returns the channel of the contact's messages.
    async fn channel(&self, named: Option<ChannelId>, place: usize) -> Result<Option<Channel>, Stop> {
        let ports = &self.world.tidings.ports;
        let catalog = ports.catalog.catalog(self.world.access.workspace()).await?;
        if let Some(unknown) = named.filter(|named| catalog.channel(*named).is_none()) {
            let pointer = format!("{}/script/{place}/channel_id", self.at);
            let message = format!("no channel in this workspace has the ID {unknown}");
            return Err(Error::invalid(pointer, "unknown_channel", message).into());
        }
        let conversations = ports.conversations.with(&self.world.access, self.world.contact).await?;
        Ok(catalog.channel_to(&conversations, named).cloned())
    }

    async fn happens(&mut self, place: usize, entry: &Entry) -> Result<(), Stop> {
        if !self.budget.take() {
            return self.stop();
        }
        let World { tidings, access, .. } = self.world;
        match entry {
            Entry::Advance(duration) => {
                self.tell(place, EntryCode::Advanced, format!("{} seconds pass", duration.get().as_secs()));
                self.advance(self.world.now().plus(duration.get())).await
            }
            Entry::Event { name, data } => {
                self.tell(place, EntryCode::Event, format!("event {name}"));
                let event = NewCustomEvent { name: name.clone(), data: data.clone() };
                tidings.custom_events.record(access, &self.world.person(), event, None).await?;
                self.do_what_is_due().await
            }
            Entry::Message { text, channel, referral } => {
                let channel = self.channel(*channel, place).await?;
                let contact = self.world.contact().await?;
                let address = channel.as_ref().and_then(|channel| {
                    match tidings.ports.connectors.addresses_by_contact_id(channel.kind) {
                        true => Some(contact.id.to_string()),
                        false => contact.identity(channel.id).map(|it| it.address.clone()),
                    }
                });
                let (Some(channel), Some(address)) = (channel, address) else {
                    let why = "the contact has no address on a channel, so no message is received".to_owned();
                    self.tell(place, EntryCode::NotReceived, why);
                    return Ok(());
                };
                self.tell(place, EntryCode::Received, format!("the contact writes: {text}"));
                let id = format!("simulated-{place}");
                let message = InboundMessage {
                    id,
                    address,
                    name: None,
                    is_verified: true,
                    profile: Profile::default(),
                    content: Content::text(text.as_str()),
                    referral: referral.clone(),
                    reply_to: None,
                    sent_at: None,
                    files: Vec::new(),
                };
                tidings.inbound.receive(access, &channel, message).await?;
                self.do_what_is_due().await
            }
        }
    }

    fn tell(&self, entry: usize, code: EntryCode, said: String) {
        self.world.recorder.add(Moment::Entry(EntryMoment { at: self.world.now(), entry, code, said }));
    }

    fn stop<T>(&self) -> Result<T, Stop> {
        Err(Stop::At(self.budget.over.unwrap_or(EndReason::JobLimit)))
    }

    /// Advances time until no job is left.
    async fn go_on(&mut self) -> Result<EndReason, Stop> {
        while let Some(next) = self.world.tidings.next_due().await? {
            self.go_to(next)?;
            self.do_what_is_due().await?;
        }
        Ok(EndReason::NothingMore)
    }

    /// Advances time to an instant, from one due instant to the next.
    async fn advance(&mut self, to: Timestamp) -> Result<(), Stop> {
        while let Some(next) = self.world.tidings.next_due().await?.filter(|next| *next <= to) {
            self.go_to(next)?;
            self.do_what_is_due().await?;
        }
        self.go_to(to)
    }

    fn go_to(&self, instant: Timestamp) -> Result<(), Stop> {
        if instant > self.ends {
            return Err(Stop::At(EndReason::TimeLimit));
        }
        self.world.clock.set(instant);
        Ok(())
    }

    async fn do_what_is_due(&mut self) -> Result<(), Stop> {
        let (now, budget) = (self.world.now(), &mut self.budget);
        let work = self.world.tidings.worker.run_due_while(now, || budget.take()).await?;
        if let Some((_, failed)) = work.failed.into_iter().next() {
            return Err(failed.error.into());
        }
        if self.budget.over.is_some() { self.stop() } else { Ok(()) }
    }
}

//! Takes one step of a run: load, decide, commit with the job that asked for it.

use std::sync::Arc;

use serde_json::Map;

use super::{Advance, Definition, Effect, Ending, Run, RunError, RunStatus, RunView, Wait, World, advance};
use crate::access::{Access, Actor};
use crate::channels::Channel;
use crate::contacts::{AppliedTag, Contact, ContactView, MAX_TAGS, TagLinkView, tag_event};
use crate::conversations::{Content, Conversation, MessageStatus, Recipient};
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::{JobId, RunId, TagId, TypedId};
use crate::ports::{
    Change, ChangeSet, ChannelQueries, ClaimedJob, Clock, ContactQueries, ConversationQueries, FieldQueries,
    FlowQueries, Guard, Ids, Ledger, NewJob, Object, StoreError, TagQueries,
};
use crate::settle::{Setback, settle};
use crate::tags::Tag;
use crate::work::unless_lost;

/// The most entries that a run's trace keeps.
const MAX_TRACE: usize = 1_000;

/// Takes steps of runs.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct RunExecutor {
    pub flows: Arc<dyn FlowQueries>,
    pub contacts: Arc<dyn ContactQueries>,
    pub tags: Arc<dyn TagQueries>,
    pub fields: Arc<dyn FieldQueries>,
    pub channels: Arc<dyn ChannelQueries>,
    pub conversations: Arc<dyn ConversationQueries>,
    pub ledger: Arc<dyn Ledger>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
}

/// What a step finds when it begins.
struct Scene {
    run: Run,
    definition: Definition,
    words: std::collections::BTreeMap<String, TagId>,
    contact: Contact,
    tags: Vec<Tag>,
    bot_fields: Map<String, serde_json::Value>,
    channel: Option<Channel>,
    conversation: Option<Conversation>,
}

impl RunExecutor {
    /// Takes the run from its node to its next wait or its end, once: a step that was taken
    /// already, or whose run ended, only finishes its job.
    ///
    /// # Errors
    /// [`Error::Store`], and conflicts that tell that the claim was lost.
    pub async fn step(&self, job: &ClaimedJob) -> Result<(), Error> {
        settle(|| self.try_step(job)).await
    }

    async fn try_step(&self, job: &ClaimedJob) -> Result<(), Setback> {
        let system = Access::system(job.workspace);
        let mut set = ChangeSet::new(job.workspace);
        set.change(Change::FinishJob { job: job.id, token: job.token });
        let run = self.flows.run(&system, RunId::from_uuid(job.subject)).await?;
        if let Some(run) = run.filter(|run| run.status.is_live() && run.visit == job.mark) {
            let access = system.acting_as(Actor::flow(run.flow, run.id));
            let scene = self.load(&access, run).await?;
            let world = World {
                contact: &scene.contact,
                bot_fields: &scene.bot_fields,
                tags: &scene.words,
                now: self.clock.now(),
            };
            let step = advance(&scene.definition, &scene.run, &world);
            self.decide(&access, scene, step, &mut set);
        }
        unless_lost(self.ledger.commit(set).await)
    }

    /// Ends a run that cannot go on, whatever is tried: adds that to a set that buries its job.
    pub(crate) async fn abandon(
        &self,
        access: &Access,
        job: &ClaimedJob,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let found = self.flows.run(access, RunId::from_uuid(job.subject)).await?;
        if let Some(mut run) = found.filter(|run| run.status.is_live() && run.visit == job.mark) {
            let message = "the step could not be taken, whatever was tried".to_owned();
            let error = RunError { code: "internal".to_owned(), message, node: run.node.clone(), path: vec![] };
            let step = Advance { effects: vec![], trace: vec![], ending: Ending::Failed(error) };
            self.conclude(access, &mut run, step, set);
        }
        Ok(())
    }

    async fn load(&self, access: &Access, run: Run) -> Result<Scene, Setback> {
        let corrupt = |what: &str| Setback::from(StoreError::Corrupt(format!("{what} of {}", run.id)));
        let version = self.flows.version(access, run.flow, run.flow_version).await?;
        let version = version.ok_or_else(|| corrupt("the flow version"))?;
        let definition = Definition::parse(&version.definition).map_err(|_| corrupt("the definition"))?;
        let contact = self.contacts.find_even_deleted(access, run.contact).await?;
        let contact = contact.ok_or_else(|| corrupt("the contact"))?;
        let ids: Vec<TagId> = version.tags.values().copied().collect();
        let tags = if ids.is_empty() { Vec::new() } else { self.tags.by_ids(access, &ids).await? };
        let mut words = version.tags;
        words.retain(|_, id| tags.iter().any(|tag| tag.id == *id));
        let bot_fields = self.fields.bot_all(access).await?;
        let bot_fields = bot_fields.into_iter().filter_map(|field| Some((field.key, field.value?))).collect();
        let channel = self.channels.default_channel(access).await?;
        let conversation = match &channel {
            Some(channel) => self.conversations.between(access, contact.id, channel.id).await?,
            None => None,
        };
        Ok(Scene { run, definition, words, contact, tags, bot_fields, channel, conversation })
    }

    /// Turns what the interpreter wants into changes.
    fn decide(&self, access: &Access, scene: Scene, mut step: Advance, set: &mut ChangeSet) {
        let now = self.clock.now();
        let Scene { mut run, mut contact, tags, channel, mut conversation, .. } = scene;
        let before = contact.clone();
        let mut drafts = Vec::new();
        for effect in std::mem::take(&mut step.effects) {
            match effect {
                Effect::Send { text, trace } => {
                    let Some(channel) = &channel else {
                        step.settle(trace, "failed: no_channel");
                        step.cut(trace, "no_channel", "the workspace has no channel to send on");
                        break;
                    };
                    let recipient = Recipient { contact: &contact, channel, conversation: conversation.as_ref() };
                    let sent = recipient.add_message(set, Content::text(text), access, &*self.clock, &*self.ids);
                    let message = sent.message;
                    let outcome = match (message.status, &message.error) {
                        (MessageStatus::Suppressed, Some(error)) => format!("suppressed: {}", error.code),
                        _ => "queued".to_owned(),
                    };
                    step.settle(trace, &outcome);
                    if let Some(entry) = step.trace.get_mut(trace) {
                        entry.message = Some(message.id);
                    }
                    conversation = Some(sent.conversation);
                }
                Effect::AddTag { tag, trace } => {
                    let Some(tag) = tags.iter().find(|known| known.id == tag) else { continue };
                    if contact.has_tag(tag.id) {
                        step.settle(trace, "already there");
                    } else if contact.tags.len() as i64 >= MAX_TAGS {
                        step.settle(trace, "failed: too many tags");
                        step.cut(trace, "too_many_tags", "the contact carries 100 tags already");
                        break;
                    } else {
                        contact.tags.push(AppliedTag { id: tag.id, name: tag.name.clone(), applied_at: now });
                        set.guard(Guard::Live(Object::Tag(tag.id)));
                        set.change(Change::LinkTag { contact: contact.id, tag: tag.id, at: now });
                        drafts.push((EventKind::ContactTagAdded, tag.clone()));
                        step.settle(trace, "added");
                    }
                }
                Effect::RemoveTag { tag, trace } => match contact.tags.iter().position(|link| link.id == tag) {
                    None => step.settle(trace, "was not there"),
                    Some(place) => {
                        let link = contact.tags.remove(place);
                        set.change(Change::UnlinkTag { contact: contact.id, tag });
                        if let Some(tag) = tags.iter().find(|known| known.id == link.id) {
                            drafts.push((EventKind::ContactTagRemoved, tag.clone()));
                        }
                        step.settle(trace, "removed");
                    }
                },
            }
        }
        if !drafts.is_empty() {
            contact.version = before.version + 1;
            contact.updated_at = now.max(before.updated_at);
            set.change(Change::UpdateContact(Box::new(contact.clone())));
            let view = ContactView::from(&contact);
            for (kind, tag) in drafts {
                let link = TagLinkView { id: tag.id, name: tag.name, applied_at: now };
                set.tell(tag_event(kind, &view, &link), access, &*self.clock, &*self.ids);
            }
        }
        self.conclude(access, &mut run, step, set);
    }

    /// Writes how far the run is now, and what follows.
    fn conclude(&self, access: &Access, run: &mut Run, step: Advance, set: &mut ChangeSet) {
        let now = self.clock.now().max(run.updated_at);
        run.visit += 1;
        run.nodes_visited += step.trace.len() as i64;
        run.version += 1;
        run.updated_at = now;
        run.wait = None;
        run.node = step.trace.last().map(|entry| entry.node.clone());
        run.trace.extend(step.trace);
        let excess = run.trace.len().saturating_sub(MAX_TRACE);
        run.trace.drain(..excess);
        let ended = match step.ending {
            Ending::Wait { node, until } => {
                run.status = RunStatus::Waiting;
                run.node = Some(node);
                run.wait = Some(Wait { until });
                set.jobs.push(NewJob::step_run(JobId::from_uuid(self.ids.next()), run.id, run.visit, until));
                None
            }
            Ending::Completed => {
                run.status = RunStatus::Completed;
                run.ended_at = Some(now);
                Some(EventKind::FlowCompleted)
            }
            Ending::Failed(error) => {
                run.status = RunStatus::Failed;
                run.ended_at = Some(now);
                run.node = error.node.clone();
                run.error = Some(error);
                Some(EventKind::FlowFailed)
            }
        };
        set.change(Change::UpdateRun(Box::new(run.clone())));
        if let Some(kind) = ended {
            let view = RunView::from(&*run);
            let mut event = EventDraft::new(kind, &view).about(run.contact);
            if let Some(error) = &view.error {
                event = event.with("error", error);
            }
            set.tell(event, access, &*self.clock, &*self.ids);
        }
    }
}

impl Advance {
    /// Ends the step at this place of the trace, as failed.
    fn cut(&mut self, trace: usize, code: &str, message: &str) {
        self.trace.truncate(trace + 1);
        let node = self.trace.last().map(|entry| entry.node.clone());
        self.ending =
            Ending::Failed(RunError { code: code.to_owned(), message: message.to_owned(), node, path: vec![] });
    }
}

//! The results of all queries about a seed, as text.

use std::fmt::Write;

use tidings_domain::access::Access;
use tidings_domain::audit::AuditFilter;
use tidings_domain::broadcasts::RecipientStatus;
use tidings_domain::contacts::{ContactFilter, ContactRef, Deleted};
use tidings_domain::conversations::{AssignedTo, ConversationFilter, Direction};
use tidings_domain::events::EventKind;
use tidings_domain::fields::FieldRef;
use tidings_domain::list_filter::{ListFilter, NameFilter};
use tidings_domain::pagination::{PageRequest, Sort, SortBy, SortedRequest};
use tidings_domain::references::{Referent, Referrer};
use tidings_domain::sequences::EnrollmentFilter;
use tidings_domain::webhooks::DeliveryFilter;

use super::Seed;
use crate::fixtures::NOW;

impl Seed {
    /// Returns everything that `access` can read of this seed, one result per line.
    pub async fn seen_by(&self, access: &Access) -> Vec<String> {
        let ports = &self.world.ports;
        let page = PageRequest { limit: 100, ..PageRequest::default() };
        let sorted = || SortedRequest { limit: 100, ..SortedRequest::default() };
        let target = Referent::Tag(self.tag.id);
        let by_last_message = || {
            let order = Sort { by: SortBy::LastMessageAt, descending: true };
            SortedRequest { limit: 100, order, ..SortedRequest::default() }
        };
        let by_waiting = || {
            let order = Sort { by: SortBy::WaitingSince, descending: false };
            SortedRequest { limit: 100, order, ..SortedRequest::default() }
        };
        let of_status =
            || ConversationFilter { status: Some(self.conversation.status), ..ConversationFilter::default() };
        let of_member = || {
            let assigned = Some(AssignedTo::Member(self.user.id));
            ConversationFilter { assigned, ..ConversationFilter::default() }
        };
        let unread = || ConversationFilter { unread: Some(true), ..ConversationFilter::default() };
        let unread_of_status = || ConversationFilter { unread: Some(true), ..of_status() };
        let waiting = || ConversationFilter { waiting: Some(true), ..ConversationFilter::default() };
        let waiting_of_status = || ConversationFilter { waiting: Some(true), ..of_status() };
        let of_object = || AuditFilter { object: self.audited.object.id.clone(), ..AuditFilter::default() };
        let of_actor = || AuditFilter { actor: Some(self.audited.by.word().to_owned()), ..AuditFilter::default() };
        let of_action = || AuditFilter { action: Some(self.audited.action), ..AuditFilter::default() };
        let of_kind = || AuditFilter { object_kind: Some(self.audited.object.kind), ..AuditFilter::default() };
        let mut lines = Vec::new();
        macro_rules! ask {
            ($($port:ident . $query:ident ( $($argument:expr),* );)*) => {$(
                let mut line = String::new();
                let answer = ports.$port.$query(access, $($argument),*).await.unwrap();
                write!(line, "{}.{}: {answer:?}", stringify!($port), stringify!($query)).unwrap();
                lines.push(line);
            )*};
        }
        let contact = &self.contact;
        ask! {
            access.keys();
            audit.list(&AuditFilter::default(), page);
            audit.list(&of_object(), page);
            audit.list(&of_actor(), page);
            audit.list(&of_action(), page);
            audit.list(&of_kind(), page);
            idempotency.find("POST", "/v1/contacts", &"k".into(), NOW);
            contacts.find(&ContactRef::Id(contact.id));
            contacts.find(&ContactRef::Email(contact.email.clone().unwrap()));
            contacts.find(&ContactRef::Phone(contact.phone.clone().unwrap()));
            contacts.find(&ContactRef::ExternalId(contact.external_id.clone().unwrap()));
            contacts.find_even_deleted(contact.id);
            contacts.find_deleted(self.gone.id);
            contacts.list(&ContactFilter { deleted: Deleted::Include, ..ContactFilter::default() }, sorted());
            contacts.by_identity(self.world.channel.id, "ada");
            contacts.count(&ContactFilter::default(), 100);
            contacts.list(&ContactFilter::default(), sorted());
            contacts.list(&ContactFilter { tags: vec![self.tag.id], ..ContactFilter::default() }, sorted());
            tags.get(self.tag.id);
            tags.by_ids(&[self.tag.id]);
            tags.by_name_keys(&["vip".to_owned()]);
            tags.list(&NameFilter::default(), sorted());
            tags.list(&NameFilter::default().containing(Some("v")), sorted());
            tags.has_links(self.tag.id);
            fields.get(&FieldRef::Id(self.field.id));
            fields.get(&FieldRef::Key("size".to_owned()));
            fields.all();
            fields.list(page);
            fields.has_values(self.field.id);
            fields.carriers(&self.field, &["L".to_owned()], 9);
            fields.carrying(&self.field, &["L".to_owned()], None, 9);
            fields.bot(&FieldRef::Id(self.bot_field.id));
            fields.bot(&FieldRef::Key("hours".to_owned()));
            fields.bot_all();
            fields.bot_list(page);
            workspace_secrets.get("TOKEN");
            workspace_secrets.all();
            workspace_secrets.list(page);
            segments.get(self.segment.id);
            segments.list(&NameFilter::default(), page);
            segments.list(&NameFilter::default().containing(Some("e")), page);
            saved_replies.get(self.saved_reply.id);
            saved_replies.by_unique("hours");
            saved_replies.list(page);
            bulk.get(self.operation.id);
            bulk.list(None, page);
            bulk.list(Some(self.operation.status), page);
            imports.get(self.import.id);
            imports.list(page);
            imports.table(self.import.id, 0..9);
            imports.rejected(self.import.id, 0, 9);
            imports.rejected_naming(&ContactRef::Email(contact.email.clone().unwrap()), None, 9);
            imports.rejected_naming(&ContactRef::Phone(contact.phone.clone().unwrap()), None, 9);
            broadcasts.get(self.broadcast.id);
            broadcasts.list(&ListFilter::default(), page);
            broadcasts.list(&ListFilter::default().of(Some(self.broadcast.status)), page);
            broadcasts.waiting(self.broadcast.id, 0..9, 9);
            broadcasts.recipients(self.broadcast.id, None, page);
            broadcasts.recipients(self.broadcast.id, Some(RecipientStatus::Waiting), page);
            contacts.by_ids(&[contact.id]);
            conversations.between_all(&[contact.id], self.world.channel.id);
            references.dependents(target);
            references.lost_references(Referrer::Flow(self.flow.id));
            channels.get(self.world.channel.id);
            channels.unparsed(self.world.channel.id, page);
            channels.all_unparsed(page);
            conversations.get(self.conversation.id);
            conversations.between(contact.id, self.world.channel.id);
            conversations.list(&ConversationFilter::default(), sorted());
            conversations.list(&ConversationFilter::default(), by_last_message());
            conversations.list(&of_status(), by_last_message());
            conversations.list(&of_member(), by_last_message());
            conversations.list(&unread(), sorted());
            conversations.list(&unread(), by_last_message());
            conversations.list(&ConversationFilter::default(), by_waiting());
            conversations.list(&of_status(), by_waiting());
            conversations.list(&of_member(), by_waiting());
            conversations.list(&waiting(), sorted());
            conversations.list(&waiting(), by_waiting());
            conversations.list(&waiting_of_status(), by_waiting());
            conversations.counts(&[of_status()]);
            conversations.counts(&[of_member()]);
            conversations.counts(&[unread()]);
            conversations.counts(&[unread_of_status()]);
            conversations.counts(&[waiting()]);
            conversations.counts(&[waiting_of_status()]);
            conversations.messages(self.conversation.id, page);
            conversations.message(self.message.id);
            conversations.dispatch(self.message.id);
            conversations.by_provider_id(self.world.channel.id, Direction::Inbound, "m1");
            conversations.last_used(contact.id);
            conversations.captured(self.world.channel.id, page);
            flows.get(self.flow.id);
            flows.list(&ListFilter::default(), page);
            flows.list(&ListFilter::default().of(Some(self.flow.status)), page);
            flows.version(self.flow.id, 1);
            flows.run(self.run.id);
            flows.live_run(self.flow.id, contact.id);
            flows.recent_starts(self.flow.id, contact.id, 10);
            flows.is_refused_since(self.flow.id, contact.id, NOW);
            flows.schedule(self.flow.id);
            flows.schedules();
            flows.recipients(self.flow.id, 9);
            timeline.events(contact.id, page);
            timeline.custom_events(contact.id, page);
            timeline.suppressed(contact.id, page);
            timeline.messages_alone(contact.id, page);
            timeline.spans(contact.id, page);
            timeline.runs(&[self.run.id]);
            erasures.get(self.erased.id);
            erasures.is_left(contact.id);
            merges.get(self.merged.id);
            merges.merged_into(contact.id, 9);
            merges.is_left(contact.id, self.merged.id);
            merges.is_sending(contact.id, self.merged.id);
            merges.unsettled(contact.id, self.merged.id);
            sequences.get(self.sequence.id);
            sequences.get_even_deleted(self.sequence.id);
            sequences.list(&ListFilter::default(), page);
            sequences.list(&ListFilter::default().of(Some(self.sequence.status)), page);
            sequences.enrollment(self.enrollment.id);
            sequences.last_enrollment(self.sequence.id, contact.id);
            sequences.enrollments(&EnrollmentFilter::default(), page);
            sequences.live_enrollments(contact.id);
            sequences.outdated_enrollments(self.sequence.id, 2, 10);
            webhooks.get(self.webhook.id);
            webhooks.list(&ListFilter::default(), page);
            webhooks.list(&ListFilter::default().of(Some(self.webhook.status)), page);
            webhooks.subscribers(EventKind::FlowFailed);
            webhooks.deliveries(self.webhook.id, &DeliveryFilter::default(), page);
            webhooks.delivery(self.delivery.id);
            webhooks.attempts(self.delivery.id);
            opt_outs.among(&[[7; 32]]);
            members.role(self.user.id);
            members.member(self.user.id);
            members.members();
            members.invitations();
            members.counted_invitations(NOW);
            webhooks.counts(vec![self.webhook.id], NOW);
            webhooks.replay(self.replay.id);
            events.feed(0, vec![], 100);
        }
        let event = ports.engine.event(access.workspace(), self.event.id).await.unwrap();
        lines.push(format!("engine.event: {event:?}"));
        lines
    }

    /// Returns all data of the workspace.
    pub async fn dump(&self) -> Vec<String> {
        let mut lines = self.seen_by(&self.world.access).await;
        let ports = &self.world.ports;
        lines.push(format!("{:?}", ports.access.workspace(self.world.workspace).await.unwrap()));
        lines.push(format!("{:?}", ports.access.key_by_digest(self.key.digest).await.unwrap()));
        lines.push(format!("{:?}", ports.catalog.catalog(self.world.workspace).await.unwrap().opt_out_key));
        lines.push(format!("{:?}", ports.channels.default_channel(&self.world.access).await.unwrap()));
        lines.push(format!(
            "{:?}",
            ports.channels.list(&self.world.access, &ListFilter::default(), PageRequest::default()).await.unwrap()
        ));
        let connected = ListFilter::default().of(Some(self.world.channel.status));
        lines.push(format!(
            "{:?}",
            ports.channels.list(&self.world.access, &connected, PageRequest::default()).await.unwrap()
        ));
        lines
    }
}

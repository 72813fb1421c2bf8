//! The survivor after a merge. Pure.

use std::collections::BTreeSet;

use crate::contacts::{Contact, ContactStatus, Identity};
use crate::conversations::{Conversation, ConversationStatus, Handler};
use crate::ids::ChannelId;
use crate::time::Timestamp;

/// Returns the survivor with missing attributes and addresses from the merged contact. On a channel where both have an
/// address, the survivor gets the other one as an alias. If it then has too many addresses, the oldest aliases are
/// removed. The stricter status applies: blocked, opted out. Tags and values are added elsewhere.
pub(super) fn gathered(survivor: &Contact, merged: &Contact, now: Timestamp) -> Contact {
    let mut after = survivor.clone();
    after.fill_from(merged);
    if merged.status == ContactStatus::Blocked {
        after.status = ContactStatus::Blocked;
    }
    after.subscribed = survivor.subscribed && merged.subscribed;
    after.never_subscribed = survivor.never_subscribed && (merged.subscribed || merged.never_subscribed);
    after.last_message_at = survivor.last_message_at.max(merged.last_message_at);
    let own = merged.id.to_string();
    for identity in &merged.identities {
        if identity.address != own {
            let is_alias = identity.is_alias || survivor.identity(identity.channel).is_some();
            after.identities.push(Identity { is_alias, ..identity.clone() });
        }
    }
    for identity in &mut after.identities {
        if let Some(refused) = merged.identities.iter().find(|it| it.channel == identity.channel && !it.opted_in) {
            identity.opt_out_by(refused.opt_out);
        }
    }
    after.share_opt_outs();
    let channels: BTreeSet<ChannelId> = after.identities.iter().map(|it| it.channel).collect();
    for channel in channels {
        after.make_room(channel, Vec::new(), &[]);
    }
    after.identities.sort_by(|a, b| (a.channel, &a.address).cmp(&(b.channel, &b.address)));
    after.touch(now);
    after
}

/// Merges a conversation into the survivor's one on the same channel, with waiting time and assignee. Returns both, the
/// merged one resolved; `None` if it was resolved before.
pub(super) fn joined(kept: &Conversation, gone: &Conversation, now: Timestamp) -> Option<(Conversation, Conversation)> {
    if gone.status == ConversationStatus::Resolved {
        return None;
    }
    let (mut after, mut over) = (kept.clone(), gone.clone());
    let was_over = kept.status == ConversationStatus::Resolved;
    // The job that wakes a snoozed conversation belongs to the merged one, so the remaining one opens immediately.
    let status = if gone.status == ConversationStatus::Snoozed { ConversationStatus::Open } else { gone.status };
    if was_over || (status == ConversationStatus::Open && kept.status != ConversationStatus::Open) {
        (after.status, after.handler, after.snoozed_until) = (status, gone.handler, None);
        after.resolved_at = None;
        after.reopen_count += i64::from(was_over);
    }
    if gone.handler == Handler::Human {
        after.handler = Handler::Human;
    }
    after.assignee = kept.assignee.or(gone.assignee);
    after.unread_count += gone.unread_count;
    after.waiting_since = [kept.waiting_since, gone.waiting_since].into_iter().flatten().min();
    after.window_expires_at = kept.window_expires_at.max(gone.window_expires_at);
    after.opt_out_confirmed_at = kept.opt_out_confirmed_at.max(gone.opt_out_confirmed_at);
    after.marketing = kept.marketing.joined(gone.marketing);
    let is_newer = gone.last_message_at > kept.last_message_at && gone.reply_address.is_some();
    if is_newer || kept.reply_address.is_none() {
        after.reply_address.clone_from(&gone.reply_address);
    }
    after.opening = kept.opening.joined(gone.opening);
    after.version += 1;
    after.updated_at = now.max(after.updated_at);
    over.resolve(now);
    over.unread_count = 0;
    Some((after, over))
}

/// Adds the preference about marketing messages of a resolved conversation to the survivor's one. `None` if it changes
/// nothing.
pub(super) fn with_marketing(kept: &Conversation, gone: &Conversation, now: Timestamp) -> Option<Conversation> {
    let marketing = kept.marketing.joined(gone.marketing);
    let (version, updated_at) = (kept.version + 1, now.max(kept.updated_at));
    (marketing != kept.marketing).then(|| Conversation { marketing, version, updated_at, ..kept.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::{IdentityOptOut, OptOutSource};
    use crate::conversations::Opening;
    use crate::ids::{ConversationId, TypedId};
    use crate::testing::{a_channel, a_contact};

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(1_800_000_000_000 + seconds * 1_000)
    }

    fn channel(number: u128) -> ChannelId {
        ChannelId::from_uuid(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn keeps_values_of_the_survivor_and_fills_missing_ones() {
        let mut survivor = a_contact().build();
        let mut merged =
            Contact { id: crate::ids::ContactId::from_uuid(uuid::Uuid::from_u128(9)), ..a_contact().build() };
        (survivor.first_name, survivor.last_name, survivor.email) = (Some("Ada".into()), None, None);
        (merged.first_name, merged.last_name) = (Some("A.".into()), Some("Lovelace".into()));
        merged.email = "ada@example.com".parse().ok();
        let one = |channel, address: &str, opted_in| Identity {
            opted_in,
            ..Identity::new(channel, address.to_owned(), at(0))
        };
        survivor.identities = vec![one(channel(1), "own", true), one(channel(3), "third", true)];
        merged.identities = vec![
            one(channel(1), "other", false),
            one(channel(2), "second", true),
            one(a_channel().id, &merged.id.to_string(), true),
        ];
        let after = gathered(&survivor, &merged, at(1));
        assert_eq!((after.first_name.as_deref(), after.last_name.as_deref()), (Some("Ada"), Some("Lovelace")));
        assert_eq!(after.email, merged.email);
        let opt_out = Some(IdentityOptOut { source: OptOutSource::Link, at: at(0) });
        merged.identities[0].opt_out = opt_out;
        let after_with_source = gathered(&survivor, &merged, at(1));
        assert_eq!(after_with_source.identities[1].opt_out, opt_out, "the opt-out keeps its source");
        let other = Identity { is_alias: true, ..one(channel(1), "other", false) };
        let kept =
            [other, one(channel(1), "own", false), one(channel(2), "second", true), one(channel(3), "third", true)];
        assert_eq!(after.identities, kept, "an opt-out of the merged contact is kept");
        assert_eq!(after.aliases(&after.identities[1]), ["other"]);
        assert_eq!((after.id, after.version), (survivor.id, survivor.version + 1));
    }

    #[test]
    fn removes_the_oldest_aliases_that_are_too_many() {
        let with_aliases = |first: i64| {
            let identity = |number: i64| Identity {
                is_alias: number > first,
                ..Identity::new(channel(1), number.to_string(), at(number))
            };
            Contact { identities: (first..first + 30).map(identity).collect(), ..a_contact().build() }
        };
        let (survivor, mut merged) = (with_aliases(100), with_aliases(200));
        let after = gathered(&survivor, &merged, at(1));
        assert_eq!(after.identities.len(), 40);
        let has = |address: &str| after.identities.iter().any(|it| it.address == address);
        assert_eq!(["100", "101", "120", "121", "200", "229"].map(has), [true, false, false, true, true, true]);
        merged.identities.iter_mut().for_each(|identity| identity.opted_in = false);
        assert_eq!(gathered(&survivor, &merged, at(1)).identities.len(), 60, "each alias keeps its opt-out");
    }

    #[test]
    fn keeps_the_stricter_subscription_and_status() {
        let (survivor, merged) = (a_contact().build(), a_contact().build());
        let after = gathered(&survivor, &Contact { subscribed: false, ..merged.clone() }, at(1));
        assert!(!after.subscribed);
        let blocked = Contact { status: ContactStatus::Blocked, ..merged };
        assert_eq!(gathered(&survivor, &blocked, at(1)).status, ContactStatus::Blocked);
        assert_eq!(gathered(&blocked, &survivor, at(1)).status, ContactStatus::Blocked);
    }

    #[test]
    fn a_joined_conversation_remains_open_and_waiting() {
        let new = |number, status| {
            let id = ConversationId::from_uuid(uuid::Uuid::from_u128(number));
            Conversation { status, ..Conversation::new(id, a_contact().build().id, a_channel().id, at(0)) }
        };
        let mut gone = new(2, ConversationStatus::Open);
        (gone.handler, gone.unread_count, gone.waiting_since) = (Handler::Human, 2, Some(at(1)));
        (gone.window_expires_at, gone.opt_out_confirmed_at) = (Some(at(9)), Some(at(2)));
        gone.marketing.stopped_at = Some(at(2));
        (gone.reply_address, gone.last_message_at) = (Some("gone".into()), Some(at(3)));
        (gone.opening.opened_at, gone.opening.awaited_since) = (Some(at(1)), Some(at(1)));
        let mut kept = new(1, ConversationStatus::Resolved);
        (kept.resolved_at, kept.unread_count) = (Some(at(1)), 1);
        (kept.reply_address, kept.last_message_at) = (Some("kept".into()), Some(at(2)));
        let (after, over) = joined(&kept, &gone, at(5)).expect("the open conversation is joined");
        assert_eq!((after.status, after.handler, after.resolved_at), (ConversationStatus::Open, Handler::Human, None));
        assert_eq!((after.unread_count, after.waiting_since, after.reopen_count), (3, Some(at(1)), 1));
        assert_eq!(after.window_expires_at, Some(at(9)), "the later end counts");
        assert_eq!(after.opt_out_confirmed_at, Some(at(2)));
        assert!(after.marketing.is_stopped());
        assert_eq!(after.reply_address.as_deref(), Some("gone"), "the newer conversation counts");
        kept.last_message_at = Some(at(4));
        let newer = joined(&kept, &gone, at(5)).expect("the open conversation is joined").0;
        assert_eq!(newer.reply_address.as_deref(), Some("kept"));
        assert_eq!((after.opening, over.opening), (gone.opening, Opening::default()));
        assert_eq!((over.status, over.unread_count, over.version), (ConversationStatus::Resolved, 0, 2));
        assert_eq!(joined(&after, &over, at(6)), None, "a resolved conversation changes nothing");
        assert_eq!(with_marketing(&after, &over, at(6)), None);
        let stopped = with_marketing(&kept, &over, at(6)).expect("the contact has stopped marketing messages");
        assert_eq!((stopped.marketing, stopped.version, stopped.updated_at), (over.marketing, kept.version + 1, at(6)));
    }
}

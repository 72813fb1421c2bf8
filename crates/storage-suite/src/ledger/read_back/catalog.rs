//! Samples of bot fields, secrets, segments, saved replies, files, references, opt-outs, facts and the audit log.

use tidings_domain::analytics::{Fact, Metric, ReplyMeasure};
use tidings_domain::audit::AuditFilter;
use tidings_domain::fields::{BotField, FieldRef};
use tidings_domain::media::{Media, MediaUse};
use tidings_domain::opt_outs::OptOut;
use tidings_domain::pagination::PageRequest;
use tidings_domain::ports::{AnalyticsChange, Change, OptOutChange, ReferenceChange, Row};
use tidings_domain::references::{Dependent, LostReference, Referent, Referrer};
use tidings_domain::saved_replies::SavedReply;
use tidings_domain::secrets::Secret;
use tidings_domain::segments::Segment;

use super::sample::{Does, Maker, Sample, maker, row_makers, unique, unique_digest};
use crate::access::audit::an_audit_entry;
use crate::analytics::reply_times::a_reply_time;
use crate::contacts::opt_outs::{a_key_of_opt_outs, remembering};
use crate::fixtures::{NOW, World, a_bot_field, a_media, a_saved_reply, a_secret, a_segment, at, id, uuid};

pub(super) fn samples() -> Vec<Maker> {
    let mut samples =
        [row_makers(bot_field), row_makers(secret), row_makers(segment), row_makers(saved_reply), row_makers(media)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>();
    // `require` fails after a new opt-out is remembered, so its neighbours in this list remember none.
    samples.extend([
        maker(put_references),
        maker(lose_reference),
        maker(remember),
        maker(lift),
        maker(record_fact),
        maker(record_reply),
        maker(require),
        maker(audit),
    ]);
    samples
}

async fn bot_field(world: World, does: Does) -> Sample {
    let field = a_bot_field(&unique());
    let own = field.id;
    let change = |it: &mut BotField| (it.name, it.updated_at, it.version) = ("Hours".to_owned(), at(9), 2);
    let read = async move |w: &World| w.ports.fields.bot(&w.access, &FieldRef::Id(own)).await.unwrap();
    does.row(&world, |it| Row::Stored(it.into()), field, change, read).await
}

async fn secret(world: World, does: Does) -> Sample {
    let secret = a_secret(&unique());
    let name = secret.name.clone();
    let change = |it: &mut Secret| (it.sealed, it.hosts, it.version) = (vec![9, 0], Vec::new(), 2);
    let read = async move |w: &World| w.ports.workspace_secrets.get(&w.access, &name).await.unwrap();
    does.row(&world, |it| Row::Stored(it.into()), secret, change, read).await
}

async fn segment(world: World, does: Does) -> Sample {
    let segment = a_segment();
    let own = segment.id;
    let change = |it: &mut Segment| (it.name, it.updated_at, it.version) = (unique(), at(9), 2);
    let read = async move |w: &World| w.ports.segments.get(&w.access, own).await.unwrap();
    does.row(&world, |it| Row::Stored(it.into()), segment, change, read).await
}

async fn saved_reply(world: World, does: Does) -> Sample {
    let reply = a_saved_reply(&unique());
    let (own, next) = (reply.id, unique());
    let change = |it: &mut SavedReply| (it.name, it.text, it.version) = (next, "Closed".to_owned(), 2);
    let read = async move |w: &World| w.ports.saved_replies.get(&w.access, own).await.unwrap();
    does.row(&world, |it| Row::Stored(it.into()), reply, change, read).await
}

async fn media(world: World, does: Does) -> Sample {
    let media = a_media("cat.png");
    let own = media.id;
    let change = |it: &mut Media| (it.used_by, it.updated_at, it.version) = (MediaUse::Contact(id()), at(9), 2);
    let read = async move |w: &World| w.ports.media.get(&w.access, own).await.unwrap();
    does.row(&world, |it| Row::Stored(it.into()), media, change, read).await
}

async fn put_references(world: World) -> Sample {
    let (flow, target) = (world.flow().await, Referent::Tag(world.tag(&unique()).await.id));
    let owner = Referrer::Flow(flow.id);
    let change = Change::Reference(ReferenceChange::Put { owner, targets: vec![target] });
    Sample::new(&world, change, vec![Dependent::new(owner, flow.name)], async move |w| {
        w.ports.references.dependents(&w.access, target).await.unwrap()
    })
}

async fn lose_reference(world: World) -> Sample {
    let (owner, tag) = (Referrer::Flow(world.flow().await.id), world.tag(&unique()).await);
    let target = Referent::Tag(tag.id);
    world.add(Change::Reference(ReferenceChange::Put { owner, targets: vec![target] })).await;
    let change = Change::Reference(ReferenceChange::Lose { target, name: tag.name.clone(), at: at(9) });
    let lost = LostReference { kind: target.kind(), target: Some(target), name: tag.name, at: at(9) };
    Sample::new(&world, change, vec![lost], async move |w| {
        w.ports.references.lost_references(&w.access, owner).await.unwrap()
    })
}

/// Returns a change that remembers the digest, and stores the key that it needs.
async fn remembered(world: &World, digest: [u8; 32]) -> Change {
    world.add(a_key_of_opt_outs(b"key")).await;
    remembering(vec![OptOut { channel: None, digest }])
}

async fn is_remembered(world: &World, digest: [u8; 32]) -> bool {
    !world.ports.opt_outs.among(&world.access, &[digest]).await.unwrap().digests.is_empty()
}

async fn remember(world: World) -> Sample {
    let digest = unique_digest();
    let change = remembered(&world, digest).await;
    Sample::new(&world, change, true, async move |w| is_remembered(w, digest).await)
}

async fn lift(world: World) -> Sample {
    let digest = unique_digest();
    world.add(remembered(&world, digest).await).await;
    let change = Change::OptOut(OptOutChange::Lift { digests: vec![digest] });
    Sample::new(&world, change, false, async move |w| is_remembered(w, digest).await)
}

async fn require(world: World) -> Sample {
    let revision = world.ports.opt_outs.among(&world.access, &[]).await.unwrap().revision;
    Sample::invisible(&world, Change::OptOut(OptOutChange::Require { revision }))
}

async fn record_fact(world: World) -> Sample {
    let dimension = unique();
    let fact = Fact { id: uuid(), metric: Metric::MessagesSent, dimension: dimension.clone(), amount: 3, at: at(9) };
    Sample::new(&world, Change::Analytics(AnalyticsChange::Record(fact)), vec![3], async move |w| {
        while w.ports.engine.count_facts(100).await.unwrap() > 0 {}
        let parts = w.ports.analytics.parts(&w.access, NOW, at(86_400)).await.unwrap();
        parts.iter().filter(|it| it.dimension == dimension).map(|it| it.amount).collect()
    })
}

async fn record_reply(world: World) -> Sample {
    let reply = a_reply_time(&world, ReplyMeasure::FirstReply, at(9));
    let user = reply.user;
    Sample::new(&world, Change::Analytics(AnalyticsChange::RecordReply(reply)), vec![1], async move |w| {
        while w.ports.engine.count_facts(100).await.unwrap() > 0 {}
        let counts = w.ports.analytics.reply_times(&w.access, NOW, at(86_400)).await.unwrap().by_user;
        counts.iter().filter(|it| it.of == user).map(|it| it.amount).collect()
    })
}

async fn audit(world: World) -> Sample {
    let object = unique();
    let entry = an_audit_entry(&world, id(), &object, 9);
    Sample::new(&world, Change::Audit(Box::new(entry.clone())), vec![entry], async move |w| {
        let filter = AuditFilter { object: Some(object.clone()), ..AuditFilter::default() };
        w.ports.audit.list(&w.access, &filter, PageRequest::default()).await.unwrap().items
    })
}

//! Lists filtered by name, part of a name, and status: the same rows in every store, by page and in counts.

use std::convert::Infallible;

use tidings_domain::broadcasts::BroadcastStatus;
use tidings_domain::channels::ChannelStatus;
use tidings_domain::flows::FlowStatus;
use tidings_domain::ids::TypedId;
use tidings_domain::list_filter::{ListFilter, NameFilter};
use tidings_domain::pagination::{Order, PageRequest, Sort, SortBy, SortedRequest, Total};
use tidings_domain::ports::{Change, ChangeSet, Row};
use tidings_domain::sequences::SequenceStatus;
use tidings_domain::stored::StoredRow;
use tidings_domain::tags::Tag;
use tidings_domain::webhooks::{Subscription, WebhookStatus};
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::{NOW, World, a_broadcast, a_channel, a_flow, a_segment, a_sequence, a_webhook, at, id};
use crate::lists::walk;

/// The names of the rows in each list.
const NAMES: [&str; 6] = ["Spring sale", "50% off", "5 000 off", "a_b", "axb", "Viel A\u{308}rger"];

/// Filters by name and by part of a name, with the indexes of the matching rows.
const ASKED: [(Option<&str>, Option<&str>, &[usize]); 9] = [
    (None, Some("OFF"), &[1, 2]),
    (None, Some("0%"), &[1]),
    (None, Some("5%f"), &[]),
    (None, Some("_"), &[3]),
    (None, Some("\\"), &[]),
    (None, Some("ärger"), &[5]),
    (Some("  spring SALE "), None, &[0]),
    (Some("spring"), None, &[]),
    (Some("a_b"), Some("b"), &[3]),
];

/// Covers every list of objects with names.
pub async fn filters_lists_by_names_and_parts_of_them(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let mut made: [Vec<Uuid>; 6] = Default::default();
    for (world, counts) in [(&other, false), (&world, true)] {
        let mut set = ChangeSet::new(world.workspace);
        for (number, name) in NAMES.iter().enumerate() {
            let created_at = at(number as u64 / 2);
            let tag = Tag { created_at, ..Tag::new(id(), name, NOW) };
            let mut flow = a_flow();
            (flow.name, flow.created_at) = ((*name).to_owned(), created_at);
            let mut sequence = a_sequence();
            (sequence.name, sequence.created_at) = ((*name).to_owned(), created_at);
            let mut channel = a_channel();
            (channel.id, channel.is_default) = (id(), false);
            (channel.name, channel.created_at) = ((*name).to_owned(), created_at);
            let mut segment = a_segment();
            (segment.name, segment.created_at) = ((*name).to_owned(), created_at);
            let mut broadcast = a_broadcast();
            (broadcast.name, broadcast.created_at) = ((*name).to_owned(), created_at);
            let ids = [
                tag.id.uuid(),
                flow.id.uuid(),
                sequence.id.uuid(),
                channel.id.uuid(),
                segment.id.uuid(),
                broadcast.id.uuid(),
            ];
            if counts {
                made.iter_mut().zip(ids).for_each(|(made, id)| made.push(id));
            }
            set.change(Change::Insert(Row::Stored(StoredRow::Tag(tag))))
                .change(Change::Insert(Row::Flow(flow)))
                .change(Change::Insert(Row::Sequence(Box::new(sequence))))
                .change(Change::Insert(Row::Channel(channel)))
                .change(Change::Insert(Row::Stored(StoredRow::Segment(segment))))
                .change(Change::Insert(Row::Broadcast(Box::new(broadcast))));
        }
        store.ledger.commit(set).await.unwrap();
    }
    fn filter<S: Copy + PartialEq>(name: Option<&str>, part: Option<&str>) -> ListFilter<S> {
        ListFilter::default().named(name).containing(part)
    }
    let access = &world.access;
    for (name, part, places) in ASKED {
        let names = filter::<Infallible>(name, part);
        let (flows, sequences) = (filter::<FlowStatus>(name, part), filter::<SequenceStatus>(name, part));
        let (channels, broadcasts) = (filter::<ChannelStatus>(name, part), filter::<BroadcastStatus>(name, part));
        for limit in [1, 2, 100] {
            for order in [Order::OldestFirst, Order::NewestFirst] {
                let sort = Sort { by: SortBy::CreatedAt, descending: order == Order::NewestFirst };
                let walked = [
                    walk(sort, limit, async |page| {
                        store.tags.list(access, &names, page).await.unwrap().map(|it| it.id.uuid())
                    })
                    .await,
                    walk(order, limit, async |page| {
                        store.flows.list(access, &flows, page).await.unwrap().map(|it| it.id.uuid())
                    })
                    .await,
                    walk(order, limit, async |page| {
                        store.sequences.list(access, &sequences, page).await.unwrap().map(|it| it.id.uuid())
                    })
                    .await,
                    walk(order, limit, async |page| {
                        store.channels.list(access, &channels, page).await.unwrap().map(|it| it.id.uuid())
                    })
                    .await,
                    walk(order, limit, async |page| {
                        store.segments.list(access, &names, page).await.unwrap().map(|it| it.id.uuid())
                    })
                    .await,
                    walk(order, limit, async |page| {
                        store.broadcasts.list(access, &broadcasts, page).await.unwrap().map(|it| it.id.uuid())
                    })
                    .await,
                ];
                for (mut walked, made) in walked.into_iter().zip(&made) {
                    if order == Order::NewestFirst {
                        walked.reverse();
                    }
                    let expected: Vec<_> = places.iter().map(|place| made[*place]).collect();
                    assert_eq!(walked, expected, "{name:?} {part:?} {order:?} by {limit}");
                }
            }
        }
    }
    let sort = Sort { by: SortBy::Name, descending: false };
    let off = filter::<Infallible>(None, Some("off"));
    assert_eq!(
        walk(sort, 1, async |page| store.tags.list(access, &off, page).await.unwrap().map(|it| it.id.uuid())).await,
        [made[0][2], made[0][1]],
        "the tags are sorted by name"
    );
    let counted = SortedRequest { limit: 1, counted: true, ..SortedRequest::default() };
    assert_eq!(store.tags.list(access, &off, counted).await.unwrap().total, Some(Total::of(2)));
    let counted = PageRequest { limit: 1, counted: true, ..PageRequest::default() };
    let page = store.flows.list(access, &filter(None, Some("off")), counted).await.unwrap();
    assert_eq!((page.total, page.items.len()), (Some(Total::of(2)), 1));
}

/// Covers every list of objects with a status; webhooks have no name, so their URL and description are searched.
pub async fn filters_lists_by_status(store: Ports) {
    let world = World::new(&store).await;
    let (mut flow, mut sequence, mut broadcast) = (a_flow(), a_sequence(), a_broadcast());
    flow.status = FlowStatus::Paused;
    sequence.status = SequenceStatus::Draft;
    broadcast.status = BroadcastStatus::Scheduled;
    let (mut webhook, mut channel) = (a_webhook(Subscription::All), a_channel());
    webhook.status = WebhookStatus::Disabled;
    webhook.description = Some("Billing".to_owned());
    (channel.id, channel.is_default, channel.status) = (id(), false, ChannelStatus::Disconnected);
    for row in [
        Row::Flow(a_flow()),
        Row::Flow(flow.clone()),
        Row::Sequence(Box::new(a_sequence())),
        Row::Sequence(Box::new(sequence.clone())),
        Row::Broadcast(Box::new(a_broadcast())),
        Row::Broadcast(Box::new(broadcast.clone())),
        Row::Webhook(a_webhook(Subscription::All)),
        Row::Webhook(webhook.clone()),
        Row::Channel(channel.clone()),
    ] {
        world.add(Change::Insert(row)).await;
    }
    let (access, page) = (&world.access, PageRequest::default());
    let flows =
        async |status| store.flows.list(access, &ListFilter::default().of(Some(status)), page).await.unwrap().items;
    assert_eq!(flows(flow.status).await, [flow.clone()]);
    assert_eq!(flows(FlowStatus::Archived).await, [], "flows");
    let sequences =
        async |status| store.sequences.list(access, &ListFilter::default().of(Some(status)), page).await.unwrap().items;
    assert_eq!(sequences(sequence.status).await, [sequence.clone()]);
    assert_eq!(sequences(SequenceStatus::Paused).await, [], "sequences");
    let broadcasts = async |status| {
        store.broadcasts.list(access, &ListFilter::default().of(Some(status)), page).await.unwrap().items
    };
    assert_eq!(broadcasts(broadcast.status).await, [broadcast.clone()]);
    assert_eq!(broadcasts(BroadcastStatus::Failed).await, [], "broadcasts");
    let webhooks =
        async |status| store.webhooks.list(access, &ListFilter::default().of(Some(status)), page).await.unwrap().items;
    assert_eq!(webhooks(webhook.status).await, [webhook.clone()]);
    assert_eq!(webhooks(WebhookStatus::Paused).await, [], "webhooks");
    let channels =
        async |status| store.channels.list(access, &ListFilter::default().of(Some(status)), page).await.unwrap().items;
    assert_eq!(channels(channel.status).await, [channel.clone()]);
    assert_eq!(channels(ChannelStatus::Connecting).await, [], "channels");
    let webhooks =
        async |filter: ListFilter<WebhookStatus>| store.webhooks.list(access, &filter, page).await.unwrap().items.len();
    assert_eq!(webhooks(ListFilter::default().containing(Some("billing"))).await, 1);
    assert_eq!(webhooks(ListFilter::default().containing(Some("EXAMPLE.com"))).await, 2);
    assert_eq!(webhooks(ListFilter::default().containing(Some("example")).of(Some(WebhookStatus::Active))).await, 1);
    assert_eq!(store.tags.list(access, &NameFilter::default(), SortedRequest::default()).await.unwrap().items, []);
}

//! Reply times are added to counts, each exactly once.

use tidings_domain::analytics::{ReplyMeasure, ReplyTallies, ReplyTally, ReplyTime};
use tidings_domain::ids::{ChannelId, UserId};
use tidings_domain::ports::{AnalyticsChange, Change, Conflict, FlowChange};
use tidings_domain::time::Timestamp;

use crate::Ports;
use crate::fixtures::{World, at, id, uuid};

/// Returns a reply time of a new member on the channel of a world.
pub fn a_reply_time(world: &World, measure: ReplyMeasure, at: Timestamp) -> ReplyTime {
    ReplyTime { id: uuid(), measure, channel: world.channel.id, user: id(), bucket: 42, at }
}

async fn counted(world: &World, from: u64, to: u64) -> ReplyTallies {
    while world.ports.engine.count_facts(3).await.unwrap() > 0 {}
    let mut tallies = world.ports.analytics.reply_times(&world.access, at(from), at(to)).await.unwrap();
    tallies.by_user.sort();
    tallies.by_channel.sort();
    tallies
}

fn tally<K>(of: K, measure: ReplyMeasure, amount: i64) -> ReplyTally<K> {
    ReplyTally { of, measure, bucket: 42, amount }
}

/// Reply times of one commit and of many add up, by member and by channel, in the quarter of their end. A refused
/// commit counts nothing, and other workspaces are not affected.
pub async fn reply_times_are_counted_once_by_member_and_channel(store: Ports) {
    use ReplyMeasure::{FirstReply, Resolution};
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (mut users, another): ([UserId; 2], ChannelId) = ([id(), id()], id());
    users.sort();
    let [ada, bob] = users;
    let reply = |user, measure, seconds| ReplyTime { user, ..a_reply_time(&world, measure, at(seconds)) };
    for _ in 0..2 {
        let times = [
            reply(ada, FirstReply, 0),
            reply(ada, FirstReply, 899),
            reply(bob, FirstReply, 0),
            reply(ada, Resolution, 0),
            reply(ada, FirstReply, 900),
            ReplyTime { channel: another, ..reply(bob, FirstReply, 900) },
        ];
        let committed = world.commit(|set| {
            for time in times {
                set.change(Change::Analytics(AnalyticsChange::RecordReply(time)));
            }
        });
        committed.await.unwrap();
        counted(&world, 0, 0).await;
    }
    let flow = world.flow().await.id;
    let refused = world.commit(|set| {
        let time = reply(ada, FirstReply, 0);
        set.change(Change::Analytics(AnalyticsChange::RecordReply(time)));
        set.change(Change::Flow(FlowChange::TakeRecipient { flow, at: at(0), contact: id() }));
    });
    assert_eq!(refused.await, Err(Conflict::ClaimLost.into()));
    let own = world.channel.id;
    let first = ReplyTallies {
        by_user: vec![tally(ada, FirstReply, 4), tally(ada, Resolution, 2), tally(bob, FirstReply, 2)],
        by_channel: vec![tally(own, FirstReply, 6), tally(own, Resolution, 2)],
    };
    assert_eq!(counted(&world, 0, 900).await, first);
    let mut by_channel = vec![tally(own, FirstReply, 2), tally(another, FirstReply, 2)];
    by_channel.sort();
    let second = ReplyTallies { by_user: vec![tally(ada, FirstReply, 2), tally(bob, FirstReply, 2)], by_channel };
    assert_eq!(counted(&world, 900, 1_800).await, second);
    assert_eq!(counted(&world, 1_800, 86_400).await, ReplyTallies::default());
    assert_eq!(counted(&other, 0, 86_400).await, ReplyTallies::default());
}

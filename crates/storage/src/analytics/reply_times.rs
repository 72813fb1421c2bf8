//! Counts of reply times by quarter of an hour, measure, channel, member and bucket. A reply time is a fact until it is
//! counted, because simultaneous replies would wait for the lock of a counter.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use tidings_domain::analytics::{ReplyMeasure, ReplyTallies, ReplyTally, ReplyTime};
use tidings_domain::ids::TypedId;
use tidings_domain::ports::StoreError;
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::connection::faults::Fault;
use crate::connection::{Connection, load};
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime};
use crate::schema::reply_times;
use crate::write::{self, Columns, WriteTexts};

crate::write::write_texts! {
    CountRow: crate::write::Shape::of("reply_times"),
}

crate::write::row! {
    #[derive(Debug, Clone)]
    struct CountRow in reply_times {
        workspace_id: DbId,
        quarter: DbTime,
        measure: &'static str,
        channel_id: DbId,
        user_id: DbId,
        bucket: i32,
        amount: i64,
    }
}

pub(crate) const METRIC: &str = "reply_times";

const SUM: &str = "CAST(SUM(amount) AS bigint)";

const ADD: &str = "ON CONFLICT (workspace_id, quarter, measure, channel_id, user_id, bucket) \
                   DO UPDATE SET amount = reply_times.amount + excluded.amount";

/// Adds facts to the counts. Each fact has its workspace, a value of [`ReplyTime::encode`], its quarter and an amount.
/// Rows are written in key order, which avoids deadlocks between processes.
pub(crate) async fn add(c: &mut Connection<'_>, facts: Vec<(Uuid, String, Timestamp, i64)>) -> Result<(), Fault> {
    static ON_POSTGRES: LazyLock<String> =
        LazyLock::new(|| write::insert_text("reply_times", &CountRow::columns(), ADD));
    let mut sums: BTreeMap<_, i64> = BTreeMap::new();
    for (ws, written, quarter, amount) in facts {
        let corrupt = || StoreError::Corrupt(format!("a reply time with the value {written:?}"));
        let (measure, channel, user, bucket) = ReplyTime::read(&written).ok_or_else(corrupt)?;
        let key = (ws, quarter, measure.as_str(), DbId::from(channel).0, DbId::from(user).0, bucket);
        *sums.entry(key).or_default() += amount;
    }
    let rows = sums.into_iter().map(|((ws, quarter, measure, channel, user, bucket), amount)| {
        let (workspace_id, channel_id, user_id) = (DbId(ws), DbId(channel), DbId(user));
        CountRow { workspace_id, quarter: DbTime(quarter), measure, channel_id, user_id, bucket, amount }
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return Ok(());
    }
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, &rows, &ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => {
            let text = format!("{} {ADD}", CountRow::texts().insert_on_sqlite);
            write::each(connection, &rows, &text).map(|_| ())
        }
    }
}

/// Returns the counts of the quarters in a range.
pub(crate) async fn read(
    c: &mut Connection<'_>,
    ws: DbId,
    from: Timestamp,
    to: Timestamp,
) -> Result<ReplyTallies, Fault> {
    let by_user: Vec<CountedBy> = load!(
        c,
        reply_times::table
            .filter(reply_times::workspace_id.eq(ws))
            .filter(reply_times::quarter.ge(DbTime(from)))
            .filter(reply_times::quarter.lt(DbTime(to)))
            .group_by((reply_times::user_id, reply_times::measure, reply_times::bucket))
            .select((reply_times::user_id, reply_times::measure, reply_times::bucket, sql::<BigInt>(SUM)))
    )?;
    let by_channel: Vec<CountedBy> = load!(
        c,
        reply_times::table
            .filter(reply_times::workspace_id.eq(ws))
            .filter(reply_times::quarter.ge(DbTime(from)))
            .filter(reply_times::quarter.lt(DbTime(to)))
            .group_by((reply_times::channel_id, reply_times::measure, reply_times::bucket))
            .select((reply_times::channel_id, reply_times::measure, reply_times::bucket, sql::<BigInt>(SUM)))
    )?;
    Ok(ReplyTallies { by_user: tallies(by_user)?, by_channel: tallies(by_channel)? })
}

type CountedBy = (DbId, String, i32, i64);

fn tallies<K: TypedId>(rows: Vec<CountedBy>) -> Result<Vec<ReplyTally<K>>, Fault> {
    let read = |(of, measure, bucket, amount): CountedBy| {
        let measure = word(&measure, "reply measure", ReplyMeasure::parse)?;
        Ok(ReplyTally { of: of.to_typed_id(), measure, bucket, amount })
    };
    rows.into_iter().map(read).collect()
}

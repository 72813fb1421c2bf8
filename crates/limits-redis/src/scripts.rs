//! The Redis scripts. Each runs atomically.

use redis::aio::MultiplexedConnection;
use redis::{RedisResult, Script};

use crate::Link;

/// The hash tag keeps all keys in one slot of a cluster.
const PREFIX: &str = "{tidings}:limits";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Admitted,
    Refused,
    /// The other instances must release their shares first.
    NotYet,
    /// Redis was restarted or lost its data.
    OtherEpoch,
}

pub(crate) struct Admission {
    pub(crate) verdict: Verdict,
    pub(crate) remaining: u32,
    pub(crate) wait_ms: i64,
}

pub(crate) struct Beat {
    /// The server's time, or `None` if the epoch has changed.
    pub(crate) ms: Option<i64>,
    pub(crate) present: u32,
    /// Whether the counts contain all requests of the last minute.
    pub(crate) whole: bool,
    pub(crate) recalled: Vec<String>,
}

pub(crate) struct Scripts {
    admit: Script,
    join: Script,
    report: Script,
    beat: Script,
    release: Script,
}

fn key(name: &str) -> String {
    format!("{PREFIX}:{name}")
}

fn of_client(name: &str, client: &str) -> String {
    format!("{PREFIX}:{name}:{client}")
}

impl Scripts {
    pub(crate) fn new() -> Self {
        Self {
            admit: Script::new(include_str!("scripts/admit.lua")),
            join: Script::new(include_str!("scripts/join.lua")),
            report: Script::new(include_str!("scripts/report.lua")),
            beat: Script::new(include_str!("scripts/beat.lua")),
            release: Script::new(include_str!("scripts/release.lua")),
        }
    }

    pub(crate) async fn admit(
        &self,
        link: &Link,
        instance: &str,
        client: &str,
        limit: u32,
        others: u32,
    ) -> RedisResult<Admission> {
        let mut connection = link.connection.clone();
        let mut call = self.admit.prepare_invoke();
        call.key(of_client("ring", client)).key(of_client("releases", client)).key(key("recalls")).key(key("epoch"));
        call.arg(&*link.epoch).arg(instance).arg(limit).arg(limit / (others + 1)).arg(others).arg(client);
        let (verdict, remaining, wait_ms): (i64, u32, i64) = call.invoke_async(&mut connection).await?;
        let verdict = match verdict {
            1 => Verdict::Admitted,
            2 => Verdict::NotYet,
            -1 => Verdict::OtherEpoch,
            _ => Verdict::Refused,
        };
        Ok(Admission { verdict, remaining, wait_ms })
    }

    /// Returns the current epoch of the server on a new connection.
    pub(crate) async fn join(&self, connection: &mut MultiplexedConnection) -> RedisResult<String> {
        let info: String = redis::cmd("INFO").arg("server").query_async(connection).await?;
        let run_id = info.lines().find_map(|line| line.strip_prefix("run_id:")).unwrap_or_default();
        let mut call = self.join.prepare_invoke();
        call.key(key("epoch")).key(key("joined")).key(key("recalls")).arg(run_id.trim());
        call.invoke_async(connection).await
    }

    /// Adds `count` requests that an instance admitted alone `age_ms` milliseconds ago.
    pub(crate) async fn report(
        &self,
        connection: &mut MultiplexedConnection,
        client: &str,
        count: u32,
        age_ms: i64,
    ) -> RedisResult<()> {
        let mut call = self.report.prepare_invoke();
        call.key(of_client("ring", client)).arg(count).arg(age_ms).invoke_async(connection).await
    }

    pub(crate) async fn beat(&self, link: &mut Link, instance: &str, instances: u32, told: bool) -> RedisResult<Beat> {
        let mut call = self.beat.prepare_invoke();
        call.key(key("epoch")).key(key("joined")).key(key("recalls")).key(key("seen"));
        call.arg(&*link.epoch).arg(instance).arg(instances).arg(u8::from(told));
        let answer: Vec<redis::Value> = call.invoke_async(&mut link.connection).await?;
        let mut answer = answer.into_iter();
        let mut number = || -> RedisResult<i64> {
            redis::from_redis_value(answer.next().unwrap_or(redis::Value::Int(0))).map_err(Into::into)
        };
        let (ms, present, whole) = (number()?, number()?, number()?);
        let recalled = answer.filter_map(|client| redis::from_redis_value(client).ok()).collect();
        let present = u32::try_from(present).unwrap_or(0);
        Ok(Beat { ms: Some(ms).filter(|ms| *ms > 0), present, whole: whole == 1, recalled })
    }

    /// Releases the share of a client's limit until `until`, in the server's time.
    pub(crate) async fn release(&self, link: &mut Link, instance: &str, client: &str, until: i64) -> RedisResult<()> {
        let mut call = self.release.prepare_invoke();
        call.key(of_client("releases", client)).arg(instance).arg(until).invoke_async(&mut link.connection).await
    }
}

//! Resource use of processes: processor time and memory, from /proc.

use anyhow::{Context, Result};
use procfs::process::{Process, Stat, all_processes};

/// The measured processes, in addition to this one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Meter {
    /// The service, or the server measured instead of it.
    pub(crate) service: Option<u32>,
    /// PostgreSQL's postmaster, with all its children.
    pub(crate) database: Option<u32>,
}

/// Processor time in seconds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Used {
    pub(crate) service: f64,
    pub(crate) database: f64,
    /// This process and the programs that it ran to completion, such as pgbench.
    pub(crate) client: f64,
}

impl Meter {
    /// Reads the processor time used so far.
    ///
    /// # Errors
    /// A process has ended.
    pub(crate) fn read(self) -> Result<Used> {
        Ok(Used {
            service: self.service.map(|pid| own(pid).map(ticks)).transpose()?.unwrap_or_default(),
            database: self.database.map(family).transpose()?.unwrap_or_default(),
            client: with_ended_children(&Process::myself()?.stat()?),
        })
    }
}

impl Used {
    /// Returns the processor time used since an earlier reading.
    pub(crate) fn since(self, earlier: Self) -> Self {
        Self {
            service: self.service - earlier.service,
            database: self.database - earlier.database,
            client: self.client - earlier.client,
        }
    }
}

fn process(pid: u32) -> Result<Process> {
    Process::new(i32::try_from(pid)?).with_context(|| format!("process {pid} no longer exists"))
}

fn own(pid: u32) -> Result<Stat> {
    Ok(process(pid)?.stat()?)
}

fn seconds(ticks: u64) -> f64 {
    // The kernel reports ticks, usually hundredths of a second; the actual rate is read once.
    ticks as f64 / procfs::ticks_per_second() as f64
}

fn ticks(stat: Stat) -> f64 {
    seconds(stat.utime + stat.stime)
}

fn with_ended_children(stat: &Stat) -> f64 {
    let children = u64::try_from(stat.cutime).unwrap_or(0) + u64::try_from(stat.cstime).unwrap_or(0);
    seconds(stat.utime + stat.stime + children)
}

/// Returns the time of a process, its running children and its ended children.
fn family(pid: u32) -> Result<f64> {
    let parent = i32::try_from(pid)?;
    let children = all_processes()?.filter_map(|it| it.ok()?.stat().ok()).filter(|stat| stat.ppid == parent);
    Ok(with_ended_children(&own(pid)?) + children.map(ticks).sum::<f64>())
}

/// Returns the resident memory of a process in MiB.
///
/// # Errors
/// The process has ended.
pub(crate) fn resident_mib(pid: u32) -> Result<f64> {
    let kib = process(pid)?.status()?.vmrss.context("the memory of the process is unknown")?;
    Ok(kib as f64 / 1_024.0)
}

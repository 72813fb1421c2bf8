//! The machine of a run.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use procfs::Current;

use crate::results::{Machine, Spread};

/// The number of disk writes that are timed.
const WRITES: usize = 100;

impl Machine {
    /// Collects the machine's properties before anything runs.
    ///
    /// # Errors
    /// /proc cannot be read, or `folder` cannot be written.
    pub(crate) fn look(folder: &Path, postgres: &str) -> Result<Self> {
        let load = procfs::LoadAverage::current()?;
        let processors = procfs::CpuInfo::current()?;
        let fdatasync = fdatasync(folder)?;
        Ok(Self {
            cores: std::thread::available_parallelism()?.get(),
            processor: processors.model_name(0).unwrap_or("unknown").to_owned(),
            sharing: sharing(),
            memory_gib: procfs::Meminfo::current()?.mem_total as f64 / f64::from(1 << 30),
            load_at_start: [load.one, load.five, load.fifteen],
            postgres: postgres.to_owned(),
            fdatasync_ms: fdatasync.median,
            fdatasync_ms_max: fdatasync.max,
        })
    }
}

/// Describes how the kernel shares the processors. With `autogroup` (sched(7)) it shares them by session: each process
/// of PostgreSQL creates its own session and gets as much as the service and the client together. Rates then depend on
/// which session started a process.
fn sharing() -> String {
    let read = |path| std::fs::read_to_string(path).map(|it: String| it.trim().to_owned());
    match read("/proc/sys/kernel/sched_autogroup_enabled").as_deref() {
        Ok("0") => "by threads".to_owned(),
        Ok(_) => {
            let own = read("/proc/self/autogroup").unwrap_or_default();
            format!("by sessions; of this one: {own}. `sysctl kernel.sched_autogroup_enabled=0` makes rates steadier")
        }
        Err(_) => "by threads, as far as is known".to_owned(),
    }
}

/// Measures the milliseconds to append 4 KiB to a file and sync it.
///
/// # Errors
/// Errors of the file system.
pub(crate) fn fdatasync(folder: &Path) -> Result<Spread> {
    let path = folder.join("fdatasync");
    let mut file = File::create(&path)?;
    let mut times = Vec::with_capacity(WRITES);
    for _ in 0..WRITES {
        let began = Instant::now();
        file.write_all(&[7; 4_096])?;
        file.sync_data()?;
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    std::fs::remove_file(path)?;
    Spread::of(times).context("the disk was asked")
}

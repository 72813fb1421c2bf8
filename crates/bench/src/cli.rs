//! The command line.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};

use crate::console::{progress, say};
use crate::plan::Plan;
use crate::postgres::{Cluster, Settings};
use crate::receiver::Receiver;
use crate::report;
use crate::results::{Machine, Results};
use crate::scenarios::Bench;
use crate::service::Program;

/// Measures Tidings, and compares it with the limit of the underlying database and libraries.
#[derive(Debug, Parser)]
#[command(name = "tidings-bench", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Task>,
    #[command(flatten)]
    run: RunOptions,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Write the report from the results of the last run
    Report {
        /// The file with the results
        #[arg(long, default_value = "target/bench/results.json")]
        results: PathBuf,
        /// The report file; its charts are written to a folder of the same name
        #[arg(long, default_value = "docs/benchmarks.md")]
        to: PathBuf,
    },
    /// Answer all requests with the same body: the limit of an HTTP server
    #[command(hide = true)]
    Bare {
        #[arg(long)]
        body: String,
    },
}

#[derive(Debug, Args)]
struct RunOptions {
    /// Run each scenario for a few seconds: checks correctness, not speed
    #[arg(long, conflicts_with = "full")]
    smoke: bool,
    /// Use shorter rounds and fewer deliveries, jobs and runs, for a report in ten minutes
    #[arg(long, conflicts_with_all = ["smoke", "full"])]
    brief: bool,
    /// Also measure with a million contacts
    #[arg(long)]
    full: bool,
    /// Only these groups: wild (all of wild-runs), footprint, answer, reads, growth, creates, sqlite, accept, webhooks, jobs
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// A setting of the service, such as storage.pool_size=16
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// The program to measure; if absent, the program next to this one
    #[arg(long)]
    program: Option<PathBuf>,
    /// An earlier program that runs the same flows, to compare their speed
    #[arg(long, value_name = "PATH")]
    against: Option<PathBuf>,
    /// The number of rounds, instead of the number of the plan
    #[arg(long)]
    rounds: Option<u32>,
    /// The seconds of load on each side in one round, instead of those of the plan
    #[arg(long)]
    seconds: Option<u64>,
    /// The file to write the results to
    #[arg(long, default_value = "target/bench/results.json")]
    results: PathBuf,
}

impl Cli {
    /// Runs the selected command.
    ///
    /// # Errors
    /// Any failure of the command.
    pub(crate) fn run(self) -> Result<()> {
        match self.command {
            Some(Task::Report { results, to }) => report::write(&results, &to),
            Some(Task::Bare { body }) => bare(body),
            None => tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(measure(self.run)),
        }
    }
}

async fn measure(options: RunOptions) -> Result<()> {
    let mut plan = match (options.smoke, options.full) {
        (true, _) => Plan::smoke(),
        (_, true) => Plan::full(),
        _ if options.brief => Plan::brief(),
        _ => Plan::standard(),
    };
    if cfg!(debug_assertions) {
        if !options.smoke {
            bail!("this is a development build: its measurements are meaningless. Run cargo build --release");
        }
        progress("this is a development build: its figures are meaningless");
    }
    plan.rounds = options.rounds.unwrap_or(plan.rounds).max(1);
    plan.load = options.seconds.map_or(plan.load, |seconds| Duration::from_secs(seconds.max(1)));
    let folder = Folder::new(&options.results)?;
    let program = Program::find(options.program, &options.settings, &folder.0)?;
    let against = options.against.map(|path| Program::other(path, &folder.0)).transpose()?;
    // Before this run adds load to the machine.
    let mut machine = Machine::look(&folder.0, "")?;
    let cluster = Cluster::start(Settings::Shipped).await?;
    machine.postgres.clone_from(&cluster.version);
    progress(&format!(
        "{} cores, load {:.2}, PostgreSQL {}, one fdatasync {:.2} ms",
        machine.cores, machine.load_at_start[0], machine.postgres, machine.fdatasync_ms
    ));
    progress(&format!("processors are shared {}", machine.sharing));
    let earlier = against.as_ref().map(|it| version(it.path())).transpose()?;
    let (name, version) = (plan.name, version(program.path())?);
    let mut bench = Bench::new(plan, program, against, cluster, folder.0.clone(), Receiver::start()?, options.only);
    let settings = options.settings;
    let plan = name.to_owned();
    let mut results = Results {
        version,
        against: earlier,
        plan,
        settings,
        machine,
        scenarios: Vec::new(),
        facts: Vec::new(),
        churns: Vec::new(),
        one_run: None,
    };
    // Saves after each group, so the results of an interrupted run remain.
    bench
        .run(&mut results, |results| Ok(std::fs::write(&options.results, serde_json::to_string_pretty(results)?)?))
        .await?;
    progress(&format!("results: {}", options.results.display()));
    report::print(&results);
    Ok(())
}

fn version(program: &Path) -> Result<String> {
    let output = Command::new(program).arg("--version").output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A folder that is deleted on drop. It is on the file system of the results, and durable writes are measured in it.
struct Folder(PathBuf);

impl Folder {
    fn new(results: &Path) -> Result<Self> {
        let parent = results.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = parent.join(format!("run-{}", std::process::id()));
        std::fs::create_dir_all(&folder).with_context(|| format!("{} cannot be created", folder.display()))?;
        Ok(Self(folder.canonicalize()?))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Serves one body until the process is killed.
fn bare(body: String) -> Result<()> {
    let body = web::Bytes::from(body);
    let app = move || {
        let body = body.clone();
        let answer = move || {
            let answer = HttpResponse::Ok().content_type("application/json").body(body.clone());
            async move { answer }
        };
        App::new().default_service(web::to(answer))
    };
    let server = HttpServer::new(app).bind("127.0.0.1:0")?;
    let address = server.addrs().first().copied().context("an address")?;
    say(&serde_json::json!({"address": format!("http://{address}")}).to_string());
    Ok(actix_web::rt::System::new().block_on(async move { server.run().await })?)
}

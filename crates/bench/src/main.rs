//! Compares the service with the limit of its database and libraries, in one run on one machine.
//!
//! A scenario runs in rounds that alternate between the service and the limit, so a slower machine slows both. The
//! result is the ratio of each round. The limit of a query is `pgbench` with exactly the statements that the service
//! sends, taken from PostgreSQL's log. Every response is checked during the measurement.

#[cfg(target_os = "linux")]
mod cli;
#[cfg(target_os = "linux")]
mod console;
#[cfg(target_os = "linux")]
mod http;
#[cfg(target_os = "linux")]
mod machine;
#[cfg(target_os = "linux")]
mod meter;
#[cfg(target_os = "linux")]
mod plan;
#[cfg(target_os = "linux")]
mod postgres;
#[cfg(target_os = "linux")]
mod receiver;
#[cfg(target_os = "linux")]
mod report;
#[cfg(target_os = "linux")]
mod results;
#[cfg(target_os = "linux")]
mod rounds;
#[cfg(target_os = "linux")]
mod scenarios;
#[cfg(target_os = "linux")]
mod seed;
#[cfg(target_os = "linux")]
mod service;
#[cfg(target_os = "linux")]
mod sqlite;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    match <cli::Cli as clap::Parser>::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            console::complain(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// On other systems the program compiles and reports that it needs Linux.
#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "tidings-bench reads processor time and memory from /proc: it needs Linux");
    ExitCode::FAILURE
}

//! Measures the service beside the limit of what it stands on, in one run on one machine.
//!
//! Each scenario runs in rounds, ours and the limit in turn, so that a machine that gets slower gets slower for both;
//! what counts is the ratio of each round. The limit of a query is `pgbench` with the very statements that the service
//! sends, taken from PostgreSQL's log. Every answer is checked while it is measured.

mod cli;
mod estate;
mod http;
mod machine;
mod meter;
mod plan;
mod postgres;
mod receiver;
mod report;
mod results;
mod rounds;
mod scenarios;
mod service;
mod sqlite;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::complain(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

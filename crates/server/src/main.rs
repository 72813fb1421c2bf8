//! The binary `tidings`.

use std::process::ExitCode;

use clap::Parser;
use tidings_server::cli::Cli;

fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("tidings: {failure}");
            ExitCode::FAILURE
        }
    }
}

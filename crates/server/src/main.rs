//! The binary `tidings`.

use std::process::ExitCode;

use clap::Parser;
use tidings_server::cli::Cli;

/// Requests make many small allocations, which another thread often frees. With the system's allocator, that was a
/// quarter of the processor time of a flow's run.
#[cfg(all(feature = "jemalloc", not(target_env = "msvc")))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("tidings: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}

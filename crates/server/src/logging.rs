//! The log, on standard error. Standard output is for the results of commands.

use std::io::{IsTerminal, Stderr, stderr};
use std::sync::OnceLock;

use tracing::Level;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::log_lines::Lines;
use crate::settings::{LogFormat, Settings};

/// The buffered lines of a server.
static LINES: OnceLock<Lines<Stderr>> = OnceLock::new();

/// Starts the log with these settings. Later calls have no effect.
pub(crate) fn begin(settings: &Settings) {
    begin_on(settings, stderr);
}

/// Starts the log of a server, with buffered lines. [`end`] writes the last ones.
///
/// # Errors
/// If the thread cannot be created.
pub(crate) fn begin_serving(settings: &Settings) -> std::io::Result<()> {
    let lines = Lines::to(stderr())?;
    begin_on(settings, LINES.get_or_init(|| lines).clone());
    Ok(())
}

/// Writes the buffered lines.
pub(crate) fn end() {
    if let Some(lines) = LINES.get() {
        lines.flush();
    }
}

fn begin_on<W>(settings: &Settings, writer: W)
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    // Details from libraries can contain addresses and texts of contacts.
    let others = settings.log_level.min(Level::WARN);
    let targets = Targets::new()
        .with_default(others)
        .with_target("tidings", settings.log_level)
        // It logs each invalid request and each broken connection as an error of the server.
        .with_target("actix_http::h1::dispatcher", LevelFilter::OFF);
    let colours = may_colour(stderr().is_terminal());
    let layer = match settings.log_format {
        LogFormat::Text => fmt::layer().with_writer(writer).with_ansi(colours).boxed(),
        LogFormat::Json => fmt::layer().with_writer(writer).json().flatten_event(true).boxed(),
    };
    let _ = tracing_subscriber::registry().with(layer.with_filter(targets)).try_init();
}

/// Whether to use colours (<https://no-color.org>).
pub(crate) fn may_colour(is_terminal: bool) -> bool {
    is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

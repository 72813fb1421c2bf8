//! The log, on standard error. Standard output is for what a command answers.

use std::io::{IsTerminal, stderr};

use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::settings::{LogFormat, Settings};

/// Begins to log as the settings say; the first call counts.
pub(crate) fn begin(settings: &Settings) {
    // What libraries say in detail may hold addresses and texts of people.
    let others = settings.log_level.min(Level::WARN);
    let targets = Targets::new().with_default(others).with_target("tidings", settings.log_level);
    let layer = match settings.log_format {
        LogFormat::Text => fmt::layer().with_writer(stderr).with_ansi(may_colour(stderr().is_terminal())).boxed(),
        LogFormat::Json => fmt::layer().with_writer(stderr).json().flatten_event(true).boxed(),
    };
    let _ = tracing_subscriber::registry().with(layer.with_filter(targets)).try_init();
}

/// Whether colours are wanted (<https://no-color.org>).
pub(crate) fn may_colour(is_terminal: bool) -> bool {
    is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

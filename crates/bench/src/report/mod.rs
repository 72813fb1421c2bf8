//! The report: tables and charts from the results of a run.

mod charts;
mod remarks;
mod tables;
mod targets;

use std::path::Path;

use anyhow::{Context, Result};

use crate::console::say;
use crate::results::Results;

/// Writes the report and its charts. Text below the remarks' heading is kept.
///
/// # Errors
/// No results, or a file cannot be written.
pub(crate) fn write(results: &Path, to: &Path) -> Result<()> {
    let text = std::fs::read_to_string(results).with_context(|| format!("{}: run `make bench`", results.display()))?;
    let results: Results = serde_json::from_str(&text)?;
    let folder = to.with_extension("");
    std::fs::create_dir_all(&folder)?;
    let name = folder.file_name().context("the report has a name")?.to_string_lossy().into_owned();
    let charts = charts::draw(&results, &folder)?;
    let shown = charts.iter().map(|(file, words)| format!("![{words}]({name}/{file})\n\n"));
    let mut page = tables::head(&results);
    page.push_str(&targets::table(&results));
    page.extend(shown);
    page.push_str(&tables::ratios(&results));
    page.push_str(&tables::costs(&results));
    page.push_str(&tables::facts(&results));
    page.push_str(&tables::method());
    page.push_str(&remarks::of(to)?);
    std::fs::write(to, page)?;
    say(&format!("{}, {} charts", to.display(), charts.len()));
    Ok(())
}

/// Prints the ratios, one per line.
pub(crate) fn print(results: &Results) {
    for row in &results.scenarios {
        if let Some(ratio) = row.ratio {
            let verdict = row.target.map_or("", |target| if target.is_met(ratio.median) { "met" } else { "short" });
            say(&format!("{:26} {:6.2}  ({:.2} to {:.2})  {verdict}", row.name, ratio.median, ratio.min, ratio.max));
        }
    }
    for line in targets::lines(results).iter().filter(|it| it.figure.is_some()) {
        say(&format!("{}: {} ({}): {}", line.what, line.shown(), line.wanted(), line.verdict().replace('*', "")));
    }
    for churn in &results.churns {
        let drift = churn.drift().map_or_else(String::new, |it| format!(", the last slice costs {it:.2} of the first"));
        say(&format!("{}: {}{drift}", churn.title(), churn.whole().words()));
    }
    for fact in &results.facts {
        say(&format!("{}: {:.1} {}", fact.title, fact.value.median, fact.unit));
    }
}

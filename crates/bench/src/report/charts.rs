//! Charts: the ratios of each group with their targets, and the cost of an operation.

use std::path::Path;

use anyhow::Result;
use plotters::prelude::*;

use super::tables::groups;
use crate::results::{Results, Sample, Scenario, Spread, Target};

const WIDTH: u32 = 900;
const BAR: u32 = 34;
const MET: RGBColor = RGBColor(46, 125, 90);
const SHORT: RGBColor = RGBColor(196, 90, 50);
const REPORTED: RGBColor = RGBColor(110, 120, 140);
const SERVICE: RGBColor = RGBColor(52, 101, 164);
const DATABASE: RGBColor = RGBColor(140, 90, 160);
const CLIENT: RGBColor = RGBColor(150, 150, 150);

/// Draws the charts into a folder; returns their file names and titles.
///
/// # Errors
/// A file cannot be written.
pub(super) fn draw(results: &Results, folder: &Path) -> Result<Vec<(String, String)>> {
    let mut drawn = Vec::new();
    for (number, group) in groups(results).into_iter().enumerate() {
        let rows: Vec<&Scenario> = results.scenarios.iter().filter(|it| it.group == group).collect();
        if rows.iter().any(|it| it.ratio.is_some()) {
            let file = format!("ratios-{}.svg", number + 1);
            ratios(&folder.join(&file), group, &rows)?;
            drawn.push((file, format!("{group}: ratios of the rounds, with their target")));
        }
    }
    // Scenarios without a limit combine many operations in one; their bars would dwarf the others.
    let rows: Vec<&Scenario> = results.scenarios.iter().filter(|it| it.ratio.is_some()).collect();
    if !rows.is_empty() {
        costs(&folder.join("costs.svg"), &rows)?;
        drawn.push(("costs.svg".to_owned(), "Processor time of one operation: service, database, client".to_owned()));
    }
    Ok(drawn)
}

/// Draws a bar to the median, a line from minimum to maximum, and a mark at the target.
fn ratios(path: &Path, group: &str, rows: &[&Scenario]) -> Result<()> {
    let target = |row: &Scenario| {
        row.target.map(|it| match it {
            Target::AtLeast(it) | Target::AtMost(it) => it,
        })
    };
    let ends = rows.iter().flat_map(|row| [row.ratio.map(|it| it.max), target(row)]).flatten();
    let most = ends.fold(1.0_f64, f64::max) * 1.08;
    let (area, labels) = (canvas(path, rows), names(rows));
    area.fill(&WHITE)?;
    let mut chart = frame(&area, &format!("{group}: ratio to the limit"), most, &labels)?;
    for (place, row) in rows.iter().enumerate() {
        let Some(ratio) = row.ratio else { continue };
        let colour = row.target.map_or(REPORTED, |it| if it.is_met(ratio.median) { MET } else { SHORT });
        let (low, middle, high) = (place as f64 + 0.22, place as f64 + 0.5, place as f64 + 0.78);
        chart.draw_series([Rectangle::new([(0.0, low), (ratio.median, high)], colour.filled())])?;
        chart.draw_series([PathElement::new([(ratio.min, middle), (ratio.max, middle)], BLACK.stroke_width(2))])?;
        if let Some(target) = target(row) {
            let mark = [(target, place as f64 + 0.1), (target, place as f64 + 0.9)];
            chart.draw_series([PathElement::new(mark, BLACK.stroke_width(3))])?;
        }
    }
    drop(chart);
    Ok(area.present()?)
}

/// Draws the three parts of each cost as one bar.
fn costs(path: &Path, rows: &[&Scenario]) -> Result<()> {
    type Part = fn(&Sample) -> f64;
    const PARTS: [(&str, RGBColor, Part); 3] = [
        ("service", SERVICE, |it| it.service_cpu_us),
        ("database", DATABASE, |it| it.database_cpu_us),
        ("client", CLIENT, |it| it.client_cpu_us),
    ];
    let cost = |row: &Scenario, part: Part| {
        Spread::of(row.rounds.iter().map(|it| part(&it.ours))).map_or(0.0, |it| it.median.max(0.0))
    };
    let whole = |row: &&Scenario| PARTS.iter().map(|(_, _, part)| cost(row, *part)).sum::<f64>();
    let most = rows.iter().map(whole).fold(1.0_f64, f64::max) * 1.05;
    let (area, labels) = (canvas(path, rows), names(rows));
    area.fill(&WHITE)?;
    let mut chart = frame(&area, "Processor time of one operation, µs", most, &labels)?;
    let mut begins = vec![0.0; rows.len()];
    for (name, colour, part) in PARTS {
        let bars = rows.iter().zip(&mut begins).enumerate().map(|(place, (row, begin))| {
            let end = *begin + cost(row, part);
            let bar = [(*begin, place as f64 + 0.22), (end, place as f64 + 0.78)];
            *begin = end;
            Rectangle::new(bar, colour.filled())
        });
        let bars: Vec<_> = bars.collect();
        let legend = move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled());
        chart.draw_series(bars)?.label(name).legend(legend);
    }
    chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
    drop(chart);
    Ok(area.present()?)
}

fn canvas<'p>(path: &'p Path, rows: &[&Scenario]) -> DrawingArea<SVGBackend<'p>, plotters::coord::Shift> {
    let height = 90 + BAR * u32::try_from(rows.len()).unwrap_or(1);
    SVGBackend::new(path, (WIDTH, height)).into_drawing_area()
}

fn names(rows: &[&Scenario]) -> Vec<String> {
    rows.iter().map(|it| it.name.clone()).collect()
}

type Chart<'a, 'p> = ChartContext<
    'a,
    SVGBackend<'p>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

fn frame<'a, 'p>(
    area: &'a DrawingArea<SVGBackend<'p>, plotters::coord::Shift>,
    title: &str,
    most: f64,
    labels: &[String],
) -> Result<Chart<'a, 'p>> {
    let rows = labels.len();
    let chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(190)
        .build_cartesian_2d(0.0..most, rows as f64..0.0);
    let mut chart = chart?;
    let number = |at: &f64| if most < 10.0 { format!("{at:.1}") } else { format!("{at:.0}") };
    let mut mesh = chart.configure_mesh();
    mesh.disable_y_mesh().disable_y_axis().y_labels(0).light_line_style(WHITE).x_label_formatter(&number).draw()?;
    for (place, label) in labels.iter().enumerate() {
        let at = chart.backend_coord(&(0.0, place as f64 + 0.5));
        let style = ("sans-serif", 13).into_font().color(&BLACK);
        area.draw(&Text::new(label.clone(), (at.0 - 180, at.1 - 7), style))?;
    }
    Ok(chart)
}

//! The targets on a database without manual tuning: each figure with its target, and the reason if it falls short.

use crate::results::{Churn, Form, On, Results, Sample, Spread, Target};

/// The scenarios that are measured in every form.
const IN_ALL_FORMS: [&str; 7] =
    ["runs", "delivered", "create", "create_with_engine", "drain-1", "drain-100", "lookups"];
/// Contacts are no queue, so this scenario has no emptied form.
const NEVER_EMPTIED: &str = "lookups";

/// The number of statements shown for each scenario.
const SHOWN: usize = 5;
/// The length of the shown part of a statement.
const LONG: usize = 160;
/// Longer lists of columns are omitted.
const COLUMNS: usize = 60;

pub(super) struct Line<'r> {
    pub(super) what: String,
    /// `None` if it was not measured.
    pub(super) figure: Option<f64>,
    unit: &'static str,
    target: Target,
    /// Whether missing the target is a failure.
    must: bool,
    /// The scenario that shows how the time was spent.
    of: Option<&'r Churn>,
}

impl<'r> Line<'r> {
    fn new(what: impl Into<String>, figure: Option<f64>, unit: &'static str, target: Target) -> Self {
        Self { what: what.into(), figure, unit, target, must: false, of: None }
    }

    fn must(self) -> Self {
        Self { must: true, ..self }
    }

    fn of(self, churn: Option<&'r Churn>) -> Self {
        Self { of: churn, ..self }
    }

    fn is_short(&self) -> bool {
        self.figure.is_some_and(|it| !self.target.is_met(it))
    }

    /// Describes whether the target is met.
    pub(super) fn verdict(&self) -> &'static str {
        match self.figure {
            None => "not measured",
            Some(_) if self.is_short() => "**short**",
            Some(_) => "met",
        }
    }

    pub(super) fn shown(&self) -> String {
        self.figure.map_or_else(|| "–".to_owned(), |it| with_unit(it, self.unit))
    }

    /// Describes the target.
    pub(super) fn wanted(&self) -> String {
        let must = if self.must { ", must" } else { "" };
        let figure = match self.target {
            Target::AtLeast(it) => format!("≥ {it} {}", self.unit),
            Target::AtMost(it) => format!("≤ {it} {}", self.unit),
        };
        format!("{}{must}", figure.trim_end())
    }
}

/// Returns all figures that have a target.
pub(super) fn lines(results: &Results) -> Vec<Line<'_>> {
    use Target::{AtLeast, AtMost};
    let wild = |name, on| results.churn(name, on, Form::Wild);
    let cost = |churn: Option<&Churn>| churn.map(|it| it.whole().cost_us() / 1e3);
    let mut lines = Vec::new();
    let runs = wild("runs", On::Postgres);
    let database = runs.map(|it| it.whole().database_cpu_us / 1e3);
    lines.push(Line::new("a run of three steps, 16 clients, PostgreSQL", cost(runs), "ms", AtMost(1.6)).of(runs));
    lines.push(Line::new("… of it PostgreSQL's", database, "ms", AtMost(0.9)).of(runs));
    let on_sqlite = cost(wild("runs", On::Sqlite));
    lines.push(Line::new("a run of three steps, 16 clients, SQLite", on_sqlite, "ms", AtMost(1.0)));
    let faster = |form, rate: fn(&Churn) -> Option<f64>| {
        let earlier = results.churns.iter().find(|it| it.earlier && it.name == "runs" && it.form == form)?;
        ratio(rate(results.churn("runs", On::Postgres, form)?), rate(earlier))
    };
    // PostgreSQL analyses tables automatically within a minute or two; an earlier program then uses other plans.
    let whole: fn(&Churn) -> Option<f64> = |it| Some(it.whole().rate());
    let first: fn(&Churn) -> Option<f64> = |it| it.slices.first().map(Sample::rate);
    let what = "runs a second in the first 10 s of a new database, against the earlier program";
    lines.push(Line::new(what, faster(Form::Wild, first), "×", AtLeast(15.0)).must());
    lines.push(Line::new("… the whole minute", faster(Form::Wild, whole), "×", AtLeast(15.0)));
    lines.push(Line::new("… the whole minute, both analysed", faster(Form::Analysed, whole), "×", AtLeast(4.0)));
    let one = |take: fn(&crate::results::OneRun) -> u64| results.one_run.as_ref().map(|it| take(it) as f64);
    lines.push(Line::new("one run alone: statements", one(|it| it.statements), "", AtMost(30.0)));
    lines.push(Line::new("one run alone: transactions", one(|it| it.transactions), "", AtMost(2.0)));
    lines.push(Line::new("one run alone: prepared again", one(|it| it.prepared), "", AtMost(0.0)));
    for (name, on, what, most) in [
        ("create", On::Postgres, "a create, 64 clients", 0.40),
        ("drain-1", On::Postgres, "a delivery in a drain, 1 webhook", 0.16),
        ("drain-100", On::Postgres, "a delivery in a drain, 100 webhooks", 0.16),
        ("delivered", On::Postgres, "created, relayed, delivered, 64 clients, PostgreSQL", 0.60),
        ("delivered", On::Sqlite, "created, relayed, delivered, 64 clients, SQLite", 0.55),
    ] {
        lines.push(Line::new(what, cost(wild(name, on)), "ms", AtMost(most)).of(wild(name, on)));
    }
    let position = wild("position", On::Postgres);
    lines.push(
        Line::new("an event's position", position.map(|it| it.whole().cost_us()), "µs", AtMost(16.0)).of(position),
    );
    let beside = wild("create_with_engine", On::Postgres);
    let engine = ratio(cost(beside), cost(wild("create", On::Postgres)));
    let what = "a create with an engine and no subscriber, against one without an engine";
    lines.push(Line::new(what, engine, "×", AtMost(1.08)).of(beside));
    let accept = wild("accept", On::Postgres);
    let what = "from the request to the receiver, one at a time, p50, against a commit and a bare send";
    lines.push(Line::new(what, accept.and_then(slower), "×", AtMost(1.7)).of(accept));
    for (name, clients, must) in [("lookups", 64, true), ("lookups-16", 16, false)] {
        let lookups = wild(name, On::Postgres);
        let what = format!(
            "look-ups by external id, {clients} clients, against pgbench with the same statement where it is analysed, \
             the first or the last 10 s"
        );
        let line = Line::new(what, lookups.and_then(quicker), "×", AtLeast(0.8));
        lines.push(if must { line.must() } else { line }.of(lookups));
    }
    for (form, most) in [(Form::Wild, 1.3), (Form::Emptied, 1.3), (Form::Snapshot, 2.0)] {
        for name in IN_ALL_FORMS.into_iter().filter(|it| form != Form::Emptied || *it != NEVER_EMPTIED) {
            let churn = results.churn(name, On::Postgres, form);
            let analysed = results.churn(name, On::Postgres, Form::Analysed);
            let what = format!("{name}, {}, the first or the last 10 s, against analysed", form.word());
            let worse = churn.and_then(Churn::worse_end_us).map(|it| it / 1e3);
            lines.push(Line::new(what, ratio(worse, cost(analysed)), "×", AtMost(most)).must().of(churn));
            let what = format!("{name}, {}, the last 10 s against the first", form.word());
            lines.push(Line::new(what, churn.and_then(Churn::drift), "×", AtMost(most)).must().of(churn));
        }
    }
    for (on, what) in [(On::Postgres, "PostgreSQL"), (On::Sqlite, "SQLite")] {
        let sent = wild("broadcast", on);
        let rate = sent.map(|it| it.whole().rate());
        lines.push(Line::new(format!("messages of a broadcast a second, sandbox, {what}"), rate, "", AtLeast(2_000.0)));
        lines.push(Line::new(format!("… one of them, {what}"), cost(sent), "ms", AtMost(0.5)).of(sent));
    }
    let backlog = wild("others_beside_backlog", On::Postgres);
    let what = "runs beside messages that are due for one conversation, against without them";
    let felt = ratio(cost(backlog), cost(wild("others", On::Postgres)));
    lines.push(Line::new(what, felt, "×", AtMost(1.2)).of(backlog));
    lines
}

pub(super) fn table(results: &Results) -> String {
    let mut page =
        "## Targets\n\n\
         Measured on a new database with PostgreSQL's default settings and without `ANALYZE`, over a minute of work. Times are\n\
         processor time of the service and PostgreSQL together, for one operation.\n\n\
         | What | Figure | Target | |\n|---|---:|---:|---|\n"
            .to_owned();
    let lines = lines(results);
    for line in &lines {
        let row = format!("| {} | **{}** | {} | {} |\n", line.what, line.shown(), line.wanted(), line.verdict());
        page.push_str(&row);
    }
    page.push('\n');
    page.push_str(&forms(results));
    page.push_str(&short(&lines));
    page
}

/// Lists every measured form.
fn forms(results: &Results) -> String {
    let mut page =
        "### Each form\n\n\
         Processor time of one operation over the whole time. \"Last, first\" is the cost in the last slice, divided by\n\
         the cost in the first slice.\n\n\
         | What | Form | Rate | Service | PostgreSQL | Last, first | Slices |\n\
         |---|---|---:|---:|---:|---:|---:|\n"
            .to_owned();
    for churn in &results.churns {
        let whole = churn.whole();
        let on = churn.on.word();
        let who = if churn.earlier { ", earlier program" } else { "" };
        let database = if whole.database_cpu_us > 0.0 { millis(whole.database_cpu_us) } else { String::new() };
        page.push_str(&format!(
            "| {} ({}), {on}{who} | {} | {:.0}/s | {} | {database} | {} | {} |\n",
            churn.name,
            churn.unit,
            churn.form.word(),
            whole.rate(),
            millis(whole.service_cpu_us),
            churn.drift().map_or_else(String::new, |it| format!("{it:.2}")),
            churn.slices.len(),
        ));
    }
    page + "\n"
}

/// Shows how the time of missed targets was spent, once for each scenario.
fn short(lines: &[Line<'_>]) -> String {
    let mut page = String::new();
    let mut named: Vec<String> = Vec::new();
    for churn in lines.iter().filter(|it| it.is_short()).filter_map(|it| it.of) {
        if named.contains(&churn.title()) || churn.profile.is_empty() {
            continue;
        }
        if named.is_empty() {
            page.push_str(
                "### Missed targets: PostgreSQL's statements\n\n\
                 The slowest statements for one operation, including waits.\n\n",
            );
        }
        page.push_str(&format!("{}:\n\n| Statement | Calls | µs |\n|---|---:|---:|\n", churn.title()));
        for spent in churn.profile.iter().take(SHOWN) {
            let statement = brief(&spent.statement);
            page.push_str(&format!("| `{statement}` | {:.2} | {:.0} |\n", spent.calls, spent.micros));
        }
        page.push('\n');
        named.push(churn.title());
    }
    page
}

/// Shortens a statement for a table and omits a long list of columns.
fn brief(statement: &str) -> String {
    let short = match statement.split_once(" FROM ") {
        Some((columns, rest)) if columns.starts_with("SELECT ") && columns.len() > COLUMNS => {
            format!("SELECT … FROM {rest}")
        }
        _ => statement.to_owned(),
    };
    short.replace('|', "\\|").chars().take(LONG).collect()
}

fn ratio(ours: Option<f64>, other: Option<f64>) -> Option<f64> {
    Some(ours? / other.filter(|it| *it > 0.0)?)
}

/// Returns the service's time divided by the limit's.
fn slower(churn: &Churn) -> Option<f64> {
    let both = churn.slices.iter().zip(&churn.limits);
    Spread::of(both.filter_map(|(ours, limit)| ratio(ours.p50_ms, limit.p50_ms))).map(|it| it.median)
}

/// Returns the rate divided by the limit's, in the first or the last slice, whichever is lower.
fn quicker(churn: &Churn) -> Option<f64> {
    let both: Vec<f64> =
        churn.slices.iter().zip(&churn.limits).map(|(ours, limit)| ours.rate() / limit.rate()).collect();
    Some(both.first()?.min(*both.last()?))
}

fn millis(micros: f64) -> String {
    format!("{:.3} ms", micros / 1e3)
}

fn with_unit(figure: f64, unit: &str) -> String {
    match unit {
        "" => format!("{figure:.0}"),
        "µs" => format!("{figure:.1} µs"),
        _ => format!("{figure:.2} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Machine, OneRun, Sample, Spent};

    fn results(churns: Vec<Churn>, one_run: Option<OneRun>) -> Results {
        let machine = Machine {
            cores: 2,
            processor: String::new(),
            memory_gib: 1.0,
            sharing: String::new(),
            load_at_start: [0.0; 3],
            postgres: String::new(),
            fdatasync_ms: 1.0,
            fdatasync_ms_max: 1.0,
        };
        let (version, plan) = ("1".to_owned(), "standard".to_owned());
        let (against, settings, scenarios, facts) = (None, Vec::new(), Vec::new(), Vec::new());
        Results { version, against, plan, settings, machine, scenarios, facts, churns, one_run }
    }

    /// Each slice has a cost per operation, half of it on PostgreSQL, and a number of operations in one second.
    fn churn(name: &str, form: Form, slices: &[(f64, u64)]) -> Churn {
        let slice = |(millis, operations): &(f64, u64)| Sample {
            operations: *operations,
            seconds: 1.0,
            service_cpu_us: millis * 500.0,
            database_cpu_us: millis * 500.0,
            ..Sample::default()
        };
        Churn {
            name: name.to_owned(),
            unit: "one".to_owned(),
            on: On::Postgres,
            form,
            earlier: false,
            slices: slices.iter().map(slice).collect(),
            limits: Vec::new(),
            profile: vec![Spent { statement: "SELECT a || b".to_owned(), calls: 2.0, micros: 3.0 }],
        }
    }

    fn line<'l, 'r>(lines: &'l [Line<'r>], what: &str) -> &'l Line<'r> {
        lines.iter().find(|it| it.what == what).unwrap()
    }

    #[test]
    fn reports_missing_results_as_not_measured() {
        let nothing = results(Vec::new(), None);
        assert!(lines(&nothing).iter().all(|it| it.verdict() == "not measured"));
    }

    #[test]
    fn compares_forms_with_the_analysed_one_and_the_first_slice() {
        let wild = churn("runs", Form::Wild, &[(2.0, 100), (4.0, 100)]);
        let results = results(vec![wild, churn("runs", Form::Analysed, &[(2.0, 100), (2.0, 300)])], None);
        let lines = lines(&results);
        let against = line(&lines, "runs, wild, the first or the last 10 s, against analysed");
        assert_eq!((against.shown().as_str(), against.verdict()), ("2.00 ×", "**short**"));
        let last = line(&lines, "runs, wild, the last 10 s against the first");
        assert_eq!((last.shown().as_str(), last.wanted().as_str()), ("2.00 ×", "≤ 1.3 ×, must"));
        assert_eq!(line(&lines, "a run of three steps, 16 clients, PostgreSQL").shown(), "3.00 ms");
    }

    #[test]
    fn compares_rates_with_the_earlier_program_of_the_same_form() {
        let earlier = |form| Churn { earlier: true, ..churn("runs", form, &[(9.0, 10)]) };
        let ours = churn("runs", Form::Wild, &[(1.0, 200), (1.0, 100)]);
        let results = results(vec![ours, earlier(Form::Wild), earlier(Form::Analysed)], None);
        let lines = lines(&results);
        let first = "runs a second in the first 10 s of a new database, against the earlier program";
        assert_eq!(line(&lines, first).shown(), "20.00 ×");
        assert_eq!(line(&lines, "… the whole minute").shown(), "15.00 ×");
        assert_eq!(line(&lines, "… the whole minute, both analysed").verdict(), "not measured");
    }

    #[test]
    fn shortens_long_lists_of_columns() {
        let columns = "\"events\".\"id\", ".repeat(9);
        assert_eq!(brief(&format!("SELECT {columns} FROM events WHERE id = $1")), "SELECT … FROM events WHERE id = $1");
        assert_eq!(brief("SELECT a FROM b"), "SELECT a FROM b");
    }

    #[test]
    fn a_lookup_counts_by_the_worse_of_its_first_and_last_slice() {
        let mut lookups = churn("lookups", Form::Wild, &[(1.0, 50), (1.0, 90), (1.0, 80)]);
        lookups.limits = churn("limit", Form::Wild, &[(1.0, 100), (1.0, 100), (1.0, 100)]).slices;
        assert_eq!(quicker(&lookups), Some(0.5));
    }

    #[test]
    fn lists_the_statements_of_a_missed_target_once() {
        let counts = OneRun { statements: 30, transactions: 3, prepared: 0 };
        let results = results(vec![churn("runs", Form::Wild, &[(5.0, 10)])], Some(counts));
        let page = table(&results);
        assert_eq!(page.matches("| `SELECT a \\|\\| b` | 2.00 | 3 |").count(), 1, "{page}");
        assert!(page.contains("| one run alone: statements | **30** | ≤ 30 | met |"), "{page}");
        assert!(page.contains("| one run alone: transactions | **3** | ≤ 2 | **short** |"), "{page}");
    }
}

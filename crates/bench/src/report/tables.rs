//! Words and tables of the report.

use crate::results::{Compares, Results, Sample, Scenario, Spread, Target};

/// What it is, and where it was measured.
pub(super) fn head(results: &Results) -> String {
    let it = &results.machine;
    let [one, five, fifteen] = it.load_at_start;
    let settings = match results.settings.as_slice() {
        [] => "none but the plans' limits".to_owned(),
        changed => format!("the plans' limits, {}", changed.join(", ")),
    };
    format!(
        "# Benchmarks\n\n\
         Each figure stands beside the limit of what it is built on, measured in the same run on the same machine: `make bench`\n\
         (with a million contacts: `make bench-full`), then `make bench-report`, which writes this page. Absolute rates say\n\
         something about the machine; ratios are what may be compared.\n\n\
         | | |\n|---|---|\n\
         | program | {version}, plan `{plan}` |\n\
         | the earlier program | {against} |\n\
         | settings that differ from the defaults | {settings} |\n\
         | machine | {cores} cores, {processor}, {memory:.0} GiB; client, service and database share it |\n\
         | processors are shared out | {sharing} |\n\
         | load when the run began | {one:.2}, {five:.2}, {fifteen:.2} |\n\
         | PostgreSQL | {postgres}, fsync on |\n\
         | one fdatasync of 4 KiB | {disk:.2} ms, at most {disk_max:.2} ms |\n\n",
        version = results.version,
        against = results.against.as_deref().unwrap_or("none"),
        plan = results.plan,
        cores = it.cores,
        processor = it.processor,
        memory = it.memory_gib,
        sharing = it.sharing,
        postgres = it.postgres,
        disk = it.fdatasync_ms,
        disk_max = it.fdatasync_ms_max,
    )
}

/// Ours beside the limit.
pub(super) fn ratios(results: &Results) -> String {
    let mut page = "## Beside the limit\n\nMedian of the rounds, with the least and the most.\n\n".to_owned();
    for group in groups(results) {
        page.push_str(&format!(
            "### {group}\n\n| What | Limit | Ours | Limit's | Ratio | Target |\n|---|---|---:|---:|---:|---|\n"
        ));
        for row in results.scenarios.iter().filter(|it| it.group == group) {
            page.push_str(&ratio(row));
        }
        page.push('\n');
    }
    page
}

fn ratio(row: &Scenario) -> String {
    let notes: String = row.notes.iter().map(|note| format!("; {note}")).collect();
    let mut line = format!(
        "| {}{notes} | {} | {} | {} | {} | {} |\n",
        row.title,
        row.limit,
        figure(row, |it| Some(&it.ours)),
        figure(row, |it| it.limit.as_ref()),
        row.ratio.map_or_else(String::new, spread),
        verdict(row.target, row.ratio),
    );
    if row.p99_target.is_some() {
        line.push_str(&format!(
            "| … its 99th percentile | | {} | {} | {} | {} |\n",
            millis(Spread::of(row.rounds.iter().filter_map(|it| it.ours.p99_ms))),
            millis(Spread::of(row.rounds.iter().filter_map(|it| it.limit.as_ref()?.p99_ms))),
            row.p99_ratio.map_or_else(String::new, spread),
            verdict(row.p99_target, row.p99_ratio),
        ));
    }
    line
}

/// What each operation costs in processor time.
pub(super) fn costs(results: &Results) -> String {
    let mut page = "## What an operation costs\n\nMicroseconds of processor time, the median of the rounds: of the service, \
                    of PostgreSQL's processes, and of who asks (client, receiver or pgbench).\n\n\
                    | What | service | database | client | limit: server | database | client | p50, p99 ms | memory MiB |\n\
                    |---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for row in &results.scenarios {
        let ours = |take: fn(&Sample) -> f64| median(row.rounds.iter().map(|it| take(&it.ours)));
        let limits = |take: fn(&Sample) -> f64| median(row.rounds.iter().filter_map(|it| it.limit.as_ref().map(take)));
        let time = |take: fn(&Sample) -> Option<f64>| {
            Spread::of(row.rounds.iter().filter_map(|it| take(&it.ours))).map(|it| format!("{:.2}", it.median))
        };
        page.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
            row.name,
            ours(|it| it.service_cpu_us),
            ours(|it| it.database_cpu_us),
            ours(|it| it.client_cpu_us),
            limits(|it| it.service_cpu_us),
            limits(|it| it.database_cpu_us),
            limits(|it| it.client_cpu_us),
            [time(|it| it.p50_ms), time(|it| it.p99_ms)].into_iter().flatten().collect::<Vec<_>>().join(", "),
            median(row.rounds.iter().filter_map(|it| it.ours.resident_mib)),
        ));
    }
    page + "\n"
}

/// Figures without a limit.
pub(super) fn facts(results: &Results) -> String {
    let mut page =
        "## Memory, start, size\n\n| What | Figure | Least to most | Aim |\n|---|---:|---:|---|\n".to_owned();
    for fact in &results.facts {
        let (value, unit) = (fact.value, &fact.unit);
        let aim = fact.aim.map_or_else(String::new, |aim| {
            let met = if value.median <= aim { "met" } else { "**short**" };
            format!("≤ {aim} {unit}: {met}")
        });
        let around = format!("{:.1} to {:.1}", value.min, value.max);
        page.push_str(&format!("| {} | {:.1} {unit} | {around} | {aim} |\n", fact.title, value.median));
    }
    page + "\n"
}

/// How it is measured.
pub(super) fn method() -> String {
    "## How it is measured\n\n\
     In the wild:\n\n\
     - A new database in a cluster with PostgreSQL's own settings; only `pg_stat_statements` is added. The service runs from\n  \
     the first row on, so that it keeps what it planned when the tables were empty, and makes all data itself, by its API.\n\
     - Six slices of ten seconds, each until all that was begun is done: runs are complete and their messages sent, events have\n  \
     their positions, deliveries have arrived, no job is left. What is compared is processor time, which others on the\n  \
     machine change least.\n\
     - Emptied: rows went through the tables; with the queues full and nobody at work each is emptied to one row, vacuumed and\n  \
     analysed without giving back its pages (`VACUUM (ANALYZE, TRUNCATE off)`), and then they are filled again.\n\
     - Snapshot held: another connection holds a snapshot open from before the first slice to the end, so that no dead row\n  \
     can be removed.\n\
     - Analysed: `VACUUM ANALYZE` while the queues are in use, before the first slice.\n\
     - With an earlier program beside it, both databases are made just after autovacuum looked at them; where it has analysed the\n  \
     contacts before the first slice is over all the same, the run ends.\n\
     - The earlier program (`make bench BENCH=\"--against PATH\"`) runs the same on a database of its own, slice by slice in\n  \
     turn, with its defaults.\n\
     - Look-ups: the service has looked for ten contacts two thousand times before the others are made. pgbench sends the same\n  \
     statement, where as many contacts were made and analysed. Beside a snapshot, which comes after they were analysed,\n  \
     each contact is changed before each slice, so that all its versions stay; contacts are not emptied, as they are no queue.\n\
     - Drains: events for twenty thousand deliveries are written while nobody works, and then sent. A slice is as many drains as\n  \
     begin in half of its time, with what fills the queue; it is analysed while that fills.\n\
     - Positions: the events of all slices of the creates wait for the engine, nobody subscribed.\n\
     - One run alone: what PostgreSQL's log says of one run after two hundred others, begin and end of transactions counted,\n  \
     without numbering, logs and what is looked at each second.\n\
     - Messages for one conversation: its channel takes ten seconds to answer, so that they stay due, and cost nothing but\n  \
     being looked past.\n\n\
     Beside the limit:\n\n\
     - Rounds in turn: ours, the limit, ours, the limit …; each ratio is of two neighbours. A first round warms up and is\n  \
     thrown away.\n\
     - The limit of a query is `pgbench -M prepared` with the statements that the service sends for the same request. They\n  \
     are taken from PostgreSQL's log, parameters stay parameters; BEGIN and COMMIT around reads are left out.\n\
     - For writes it is the service's own transaction, from BEGIN to COMMIT, on a copy of the same database. Ids and names\n  \
     are new each time.\n\
     - Both sides are durable: `fsync`, `synchronous_commit` and `full_page_writes` on, SQLite with `synchronous=FULL`.\n  \
     Checkpoints and autovacuum wait until a run is over, for both. `shared_buffers` is a quarter of the machine's memory.\n\
     - The service runs with its default settings and its access log on; the plans' limits are raised.\n\
     - Contacts are copies of ten that were made through the API, each with two tags, two fields and an address.\n\
     - Every answer is checked while it is measured: its status and what it shows; contacts, events and kept answers are\n  \
     counted against what was acknowledged; each delivery arrives once, and one in sixteen signatures is verified.\n\
     - The client holds as many connections open as pgbench, in as many threads, and costs about what pgbench costs: see\n  \
     the table above. It shares the machine with what it measures.\n\n"
        .to_owned()
}

/// The groups in their order.
pub(super) fn groups(results: &Results) -> Vec<&str> {
    let mut groups: Vec<&str> = Vec::new();
    for row in &results.scenarios {
        if !groups.contains(&row.group.as_str()) {
            groups.push(&row.group);
        }
    }
    groups
}

fn figure<'r>(row: &'r Scenario, side: impl Fn(&'r crate::results::Round) -> Option<&'r Sample>) -> String {
    let samples = row.rounds.iter().filter_map(side);
    match row.compares {
        Compares::Time => millis(Spread::of(samples.filter_map(|it| it.p50_ms))),
        Compares::Rate => {
            Spread::of(samples.map(Sample::rate)).map_or_else(String::new, |it| format!("{:.0}/s", it.median))
        }
    }
}

fn millis(figure: Option<Spread>) -> String {
    figure.map_or_else(String::new, |it| format!("{:.2} ms", it.median))
}

fn spread(it: Spread) -> String {
    format!("**{:.2}** ({:.2} to {:.2})", it.median, it.min, it.max)
}

fn verdict(target: Option<Target>, ratio: Option<Spread>) -> String {
    let (Some(target), Some(ratio)) = (target, ratio) else { return "reported".to_owned() };
    let met = if target.is_met(ratio.median) { "met" } else { "**short**" };
    match target {
        Target::AtLeast(least) => format!("≥ {least}: {met}"),
        Target::AtMost(most) => format!("≤ {most}: {met}"),
    }
}

fn median(figures: impl Iterator<Item = f64>) -> String {
    match Spread::of(figures) {
        Some(it) if it.median >= 0.05 => format!("{:.1}", it.median),
        _ => String::new(),
    }
}

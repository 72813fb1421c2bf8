//! Texts and tables of the report.

use crate::results::{Compares, Results, Sample, Scenario, Spread, Target};

/// Describes the run and its machine.
pub(super) fn head(results: &Results) -> String {
    let it = &results.machine;
    let [one, five, fifteen] = it.load_at_start;
    let settings = match results.settings.as_slice() {
        [] => "none but the plans' limits".to_owned(),
        changed => format!("the plans' limits, {}", changed.join(", ")),
    };
    format!(
        "# Benchmarks\n\n\
         Each figure is compared with a limit: the same work, done directly by the underlying database or HTTP library, in the\n\
         same run on the same machine. `make bench` measures (`make bench-full` with a million contacts), and\n\
         `make bench-report` writes this page. Absolute rates depend on the machine; compare the ratios.\n\n\
         | | |\n|---|---|\n\
         | program | {version}, plan `{plan}` |\n\
         | the earlier program | {against} |\n\
         | settings that differ from the defaults | {settings} |\n\
         | machine | {cores} cores, {processor}, {memory:.0} GiB; client, service and database share it |\n\
         | processors are shared | {sharing} |\n\
         | load at the start of the run | {one:.2}, {five:.2}, {fifteen:.2} |\n\
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

/// Lists the figures of the service and of the limit.
pub(super) fn ratios(results: &Results) -> String {
    let mut page = "## Compared with the limit\n\nMedian of the rounds, with minimum and maximum.\n\n".to_owned();
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

/// Lists the processor time of each operation.
pub(super) fn costs(results: &Results) -> String {
    let mut page = "## Cost of an operation\n\nMicroseconds of processor time, as the median of the rounds: of the service, \
                    of PostgreSQL's processes, and of the caller (client, receiver or pgbench).\n\n\
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

/// Lists figures without a limit.
pub(super) fn facts(results: &Results) -> String {
    let mut page = "## Memory, start, size\n\n| What | Figure | Range | Target |\n|---|---:|---:|---|\n".to_owned();
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

pub(super) fn method() -> String {
    "## Method\n\n\
     Groups on a new database (\"wild\"):\n\n\
     - The database is new, in a cluster with PostgreSQL's default settings; only `pg_stat_statements` is added. The service\n  \
     starts before the first row exists, so its query plans are those of empty tables. It creates all data through its API.\n\
     - There are six slices of ten seconds. A slice ends when all its work is done: runs are complete, messages are sent, events\n  \
     have positions, deliveries have arrived, and no job is left. The comparison uses processor time, because other programs on\n  \
     the machine change it least.\n\
     - Emptied: rows passed through the tables. With full queues and an idle service, each table is reduced to one row, vacuumed\n  \
     and analysed without releasing its pages (`VACUUM (ANALYZE, TRUNCATE off)`), and then filled again.\n\
     - Snapshot held: another connection keeps a snapshot open from before the first slice to the end. PostgreSQL cannot remove\n  \
     dead rows.\n\
     - Analysed: `VACUUM ANALYZE` runs before the first slice, while the queues are in use.\n\
     - Compared with an earlier program, both databases are created just after autovacuum processed them. If autovacuum analyses\n  \
     the contacts before the first slice ends, the run stops.\n\
     - The earlier program (`make bench BENCH=\"--against PATH\"`) runs the same work on a separate database, in alternating\n  \
     slices, with its defaults.\n\
     - Look-ups: the service searches for ten contacts two thousand times before the other contacts are created. pgbench sends\n  \
     the same statement to a database with as many contacts, after `ANALYZE`. With a snapshot, which is taken after `ANALYZE`, each\n  \
     contact is changed before each slice, and all versions stay. Contacts are not emptied, because they are not a queue.\n\
     - Drains: events for twenty thousand deliveries are written while the engine is idle, and then sent. A slice contains the\n  \
     drains that start in half of its time, and the work that fills the queue. `ANALYZE` runs while the queue fills.\n\
     - Positions: the events of all slices of the creates wait for the engine. There are no subscribers.\n\
     - One run alone: counted from PostgreSQL's log of one run after two hundred others. The begin and end of transactions\n  \
     count; numbering, logs and the checks of each second do not.\n\
     - Messages for one conversation: the channel takes ten seconds to answer. The messages stay due, and cost only the time to\n  \
     skip them.\n\n\
     Groups compared with a limit:\n\n\
     - Rounds alternate: ours, the limit, ours, the limit …; each ratio compares two neighbouring rounds. A first round warms up\n  \
     and is discarded.\n\
     - The limit of a query is `pgbench -M prepared` with the statements that the service sends for the same request. The\n  \
     statements come from PostgreSQL's log. Parameters stay parameters; BEGIN and COMMIT around reads are omitted.\n\
     - The limit of a write is the service's own transaction, from BEGIN to COMMIT, on a copy of the same database. IDs and\n  \
     names are new each time.\n\
     - Both sides are durable: `fsync`, `synchronous_commit` and `full_page_writes` are on, and SQLite uses `synchronous=FULL`.\n  \
     Checkpoints and autovacuum wait until a run ends, on both sides. `shared_buffers` is a quarter of the machine's memory.\n\
     - The service runs with its default settings and with its access log on; the limits of the plans are raised.\n\
     - Contacts are copies of ten contacts that were created through the API, each with two tags, two fields and an address.\n\
     - Every response is checked during the measurement, by status and content. Contacts, events and stored responses are\n  \
     compared with the acknowledged requests. Each delivery arrives once, and one in sixteen signatures is verified.\n\
     - The client uses as many connections and threads as pgbench, and costs about as much as pgbench: see the table above. It\n  \
     shares the machine with the measured programs.\n\n"
        .to_owned()
}

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

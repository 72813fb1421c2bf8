//! The access paths of statement files: SQLite finds rows by these indexes, even without statistics.

use std::collections::BTreeSet;
use std::path::Path;

use diesel::prelude::*;
use diesel::sql_types::Text;
use tidings_storage_suite::databases::SqliteFile;

use crate::{connect, open};

/// The statements with their indexes on jobs and deliveries.
const PATHS: [(&str, &[&str]); 8] = [
    ("claim_calls", &["q jobs_calls_idx", "h jobs_calls_idx", "e jobs_lane_idx", "e jobs_claimed_lane_key"]),
    ("claim_deliveries", &["q deliveries_queue_idx", "h deliveries_queue_idx"]),
    ("claim_first", &["j jobs_due_idx", "e jobs_lane_idx", "e jobs_claimed_lane_key"]),
    ("claim_of_workspaces", &["j jobs_workspaces_idx", "e jobs_lane_idx", "e jobs_claimed_lane_key"]),
    ("claim_queued_deliveries", &["q jobs_turns_idx", "h jobs_turns_idx"]),
    ("poisoned_deliveries", &["q deliveries_queue_idx", "h deliveries_queue_idx"]),
    ("poisoned_jobs", &["j jobs_poison_idx"]),
    ("workspaces_behind", &["q jobs_workspaces_idx"]),
];

#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

/// Returns the tables and indexes in a plan, such as `j jobs_due_idx`. `f` and the updated table are looked up by key.
fn indexes(plan: &[Step]) -> BTreeSet<String> {
    let named = |step: &Step| {
        let (table, index) = step.detail.split_once(" USING ")?;
        let table = table.split_once(' ')?.1;
        let index = index.trim_start_matches("COVERING ").strip_prefix("INDEX ")?.split(' ').next()?;
        ["q", "h", "j", "e"].contains(&table).then(|| format!("{table} {index}"))
    };
    plan.iter().filter_map(named).collect()
}

/// Returns true for a step that reads a whole table, without an index, unless the table is a part of the statement
/// itself.
fn reads_all(step: &&Step) -> bool {
    let own = ["CONSTANT ROW", "line", "queue", "turn", "head", "(subquery"];
    let scanned = step.detail.strip_prefix("SCAN ").filter(|it| !it.contains(" USING "));
    scanned.is_some_and(|it| !own.iter().any(|part| it.starts_with(part)))
}

#[tokio::test]
async fn statement_files_find_rows_by_their_indexes() {
    let file = SqliteFile::new();
    drop(open(&file).await);
    let mut connection = connect(&file);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/jobs/sql");
    for (name, expected) in PATHS {
        let sql = std::fs::read_to_string(folder.join(format!("{name}.sqlite.sql"))).unwrap();
        let plan = diesel::sql_query(format!("EXPLAIN QUERY PLAN {sql}")).load::<Step>(&mut connection).unwrap();
        let expected: BTreeSet<String> = expected.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(indexes(&plan), expected, "{name}");
        assert_eq!(plan.iter().find(reads_all).map(|step| &step.detail), None, "{name}");
    }
}

#[test]
fn each_statement_file_has_both_databases_and_an_access_path() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/jobs/sql");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = files.collect();
    let expected = PATHS.iter().flat_map(|(name, _)| ["postgres", "sqlite"].map(|it| format!("{name}.{it}.sql")));
    assert_eq!(files, expected.collect::<BTreeSet<_>>());
}

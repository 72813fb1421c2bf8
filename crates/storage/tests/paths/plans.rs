//! Checks of plans: the rows that each logged statement read, and the statements that read too many.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tidings_storage_suite::databases::texts;

use super::filling::Believed;

/// The rows that one statement read and returned.
#[derive(Debug, Default, Clone, Copy)]
pub struct Read {
    rows: f64,
    given: f64,
    /// The largest number of pages of a scan that its rows do not explain.
    pages: f64,
}

fn number(node: &Value, key: &str) -> f64 {
    node[key].as_f64().unwrap_or_default()
}

fn pages(node: &Value) -> f64 {
    number(node, "Shared Hit Blocks") + number(node, "Shared Read Blocks")
}

impl Read {
    fn add(&mut self, node: &Value) {
        let kind = node["Node Type"].as_str().unwrap_or_default();
        let loops = number(node, "Actual Loops");
        let rows = number(node, "Actual Rows") * loops;
        if kind.ends_with("Scan") && !matches!(kind, "CTE Scan" | "Function Scan" | "Subquery Scan" | "Values Scan") {
            let removed = number(node, "Rows Removed by Filter") + number(node, "Rows Removed by Index Recheck");
            let read = rows + removed * loops;
            self.rows += read;
            let beneath: f64 = node["Plans"].as_array().into_iter().flatten().map(pages).sum();
            self.pages = self.pages.max(pages(node) - beneath - 8.0 * loops - 6.0 * read);
        }
        for child in node["Plans"].as_array().into_iter().flatten() {
            self.add(child);
        }
    }

    fn of(plan: &Value) -> Self {
        let mut read = Self::default();
        read.add(plan);
        let top = match plan["Node Type"].as_str() {
            Some("ModifyTable") => &plan["Plans"][0],
            _ => plan,
        };
        read.given = number(top, "Actual Rows") * number(top, "Actual Loops");
        read
    }

    /// A contact is read with its tags, values and identities.
    fn is_too_much(&self, sql: &str) -> bool {
        let each = if sql.contains("json_build_array") { 6.0 } else { 3.0 };
        self.rows > each * self.given + 50.0 || self.pages > 60.0
    }
}

/// Returns true for statements that may read more rows. Counts read all rows that they count. The planner chooses how
/// to find contacts by tags or values, and deleted contacts. No route lists the enrollments of a whole workspace. A
/// changed sequence reads all outdated enrollments. The next job of a sandbox is found behind the jobs of others
/// (docs/known-limits.md).
fn is_free(sql: &str) -> bool {
    let signs = [
        "count(*)",
        "COUNT(*)",
        "EXISTS (SELECT \"contact_tags\"",
        "(((\"contacts\".\"workspace_id\" = $1) AND (\"contacts\".\"updated_at\" >= $2))",
        "FROM \"enrollments\" WHERE (\"enrollments\".\"workspace_id\" = $1) ORDER BY",
        "(\"enrollments\".\"revision\" < ",
        "SELECT \"jobs\".\"due_at\" FROM \"jobs\" WHERE (((((\"jobs\".\"pool\" = $1) AND (\"jobs\".\"workspace_id\" = $2))",
    ];
    signs.iter().any(|sign| sql.contains(sign))
}

/// Returns true for tables without deletions: they cannot have one row in a large file.
fn never_shrinks(plan: &Value) -> bool {
    let never = ["contacts", "conversations", "messages", "enrollments"];
    let own = plan["Relation Name"].as_str().is_some_and(|table| never.contains(&table));
    own || plan["Plans"].as_array().into_iter().flatten().any(never_shrinks)
}

/// Returns the plans in the log, starting at a position.
pub async fn plans(url: &str, from: i64) -> Vec<(String, Value)> {
    let query = format!("SELECT pg_read_file('log', {from}, 1000000000)");
    let log = texts(url, &query).await.remove(0);
    let mut plans = Vec::new();
    for entry in log.split("  plan:\n").skip(1) {
        let json: String = entry.lines().take_while(|line| line.starts_with('\t')).collect::<Vec<_>>().join("\n");
        let told: Value = serde_json::from_str(&json).expect("a plan");
        plans.push((told["Query Text"].as_str().unwrap_or_default().to_owned(), told["Plan"].clone()));
    }
    plans
}

pub async fn end_of_log(url: &str) -> i64 {
    texts(url, "SELECT size::text FROM pg_stat_file('log')").await[0].parse().unwrap()
}

/// Statements that read too many rows, by their texts.
pub type TooMuch = BTreeMap<String, (String, Read, Value)>;

/// Adds such statements from the log, starting at a position. Returns the texts of all statements.
pub async fn add_too_much(
    too_much: &mut TooMuch,
    url: &str,
    from: i64,
    believed: Believed,
    mode: &str,
) -> BTreeSet<String> {
    let plans = plans(url, from).await;
    assert!(plans.len() > 100, "the log contains only {} statements", plans.len());
    let seen = plans.iter().map(|(sql, _)| sql.trim().to_owned()).collect();
    for (sql, plan) in plans.into_iter().filter(|(sql, _)| !is_free(sql)) {
        let read = Read::of(&plan);
        if read.is_too_much(&sql) && !(matches!(believed, Believed::OneOfMany) && never_shrinks(&plan)) {
            too_much.entry(sql).or_insert((format!("{believed:?} {mode}"), read, plan));
        }
    }
    seen
}

pub fn assert_none(too_much: &TooMuch) {
    let told: Vec<_> = too_much
        .iter()
        .map(|(sql, (when, read, plan))| format!("{when} {read:?}\n{sql}\n{}", brief(plan, 0)))
        .collect();
    assert!(told.is_empty(), "{} statements read too much:\n{}", told.len(), told.join("\n\n"));
}

fn brief(node: &Value, depth: usize) -> String {
    let text = |key: &str| node[key].as_str().unwrap_or_default().to_owned();
    let mut lines = format!(
        "{}{} {} {} cond {} filter {}: rows {} loops {} removed {} pages {}",
        "  ".repeat(depth),
        text("Node Type"),
        text("Relation Name"),
        text("Index Name"),
        text("Index Cond"),
        text("Filter"),
        node["Actual Rows"],
        node["Actual Loops"],
        node["Rows Removed by Filter"],
        node["Shared Hit Blocks"],
    );
    for child in node["Plans"].as_array().into_iter().flatten() {
        lines.push('\n');
        lines.push_str(&brief(child, depth + 1));
    }
    lines
}

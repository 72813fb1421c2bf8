//! What a statement of a migration does to those who write meanwhile, on PostgreSQL: one table of the kinds of
//! statements, after the chapter on explicit locking of PostgreSQL's documentation.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

/// What becomes of those who write into a table while a statement runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Writers {
    /// They go on.
    GoOn,
    /// Who changes the same rows waits until the transaction ends; all others go on.
    WaitForRows,
    /// They wait for a moment: the statement needs the table for itself, and reads none of its rows.
    WaitShortly,
    /// They wait for as long as the statement takes, which goes through the table.
    Wait,
    /// This program does not know such statements.
    Unknown,
}

/// A lock of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableLock {
    /// Its name in PostgreSQL.
    pub mode: &'static str,
    /// Of which table.
    pub table: String,
}

/// What a statement does to those who use the database meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Effect {
    /// The locks that it takes, beside those of readers.
    pub locks: Vec<TableLock>,
    /// What becomes of writers.
    pub writers: Writers,
    /// Whether rows that are there are written anew; `None` where that is not known.
    pub rewrites: Option<bool>,
    /// What else is to be known of it.
    pub note: &'static str,
}

/// A kind of statement, by the words with which it begins: `_` is any word, `*` any number of them, `@` the table that is
/// locked and `#` an index of it.
struct Kind {
    words: &'static str,
    mode: &'static str,
    writers: Writers,
    rewrites: bool,
    note: &'static str,
}

const fn kind(words: &'static str, mode: &'static str, writers: Writers, note: &'static str) -> Kind {
    Kind { words, mode, writers, rewrites: false, note }
}

const NO_LOCK: &str = "";
const BESIDE: &str = "waits for transactions that started earlier; scans the table twice";
const OF_INDEX: &str = "waits for transactions that use the table";
const ROWS: &str = "until all rows are processed";

/// The first that fits holds.
const KINDS: [Kind; 22] = [
    kind("CREATE TABLE _", NO_LOCK, Writers::GoOn, "a new table has no users"),
    kind("CREATE INDEX CONCURRENTLY _ ON @", "SHARE UPDATE EXCLUSIVE", Writers::GoOn, BESIDE),
    kind("CREATE INDEX _ ON @", "SHARE", Writers::Wait, "until the index is created"),
    kind("DROP INDEX CONCURRENTLY #", "SHARE UPDATE EXCLUSIVE", Writers::GoOn, OF_INDEX),
    kind("DROP INDEX #", "ACCESS EXCLUSIVE", Writers::WaitShortly, "readers also wait"),
    kind("ALTER INDEX # RENAME", NO_LOCK, Writers::GoOn, "SHARE UPDATE EXCLUSIVE of the index alone"),
    kind("ALTER TABLE @ ADD COLUMN", "ACCESS EXCLUSIVE", Writers::WaitShortly, "readers also wait"),
    kind("ALTER TABLE @ DROP COLUMN", "ACCESS EXCLUSIVE", Writers::WaitShortly, "readers also wait"),
    kind("ALTER TABLE @ RENAME", "ACCESS EXCLUSIVE", Writers::WaitShortly, "readers also wait"),
    kind("ALTER TABLE @ ALTER COLUMN _ DROP NULL", "ACCESS EXCLUSIVE", Writers::WaitShortly, "readers also wait"),
    kind("ALTER TABLE @ SET (", "SHARE UPDATE EXCLUSIVE", Writers::GoOn, "applies to rows that are written later"),
    Kind {
        words: "ALTER TABLE @ ALTER COLUMN _ TYPE",
        mode: "ACCESS EXCLUSIVE",
        writers: Writers::Wait,
        rewrites: true,
        note: "rebuilds the indexes, and rewrites the rows if the stored form differs; readers also wait",
    },
    kind("CREATE FUNCTION _", NO_LOCK, Writers::GoOn, ""),
    kind("CREATE TRIGGER * ON @", "SHARE ROW EXCLUSIVE", Writers::WaitShortly, ""),
    kind("DROP TRIGGER _ ON @", "ACCESS EXCLUSIVE", Writers::WaitShortly, "readers also wait"),
    kind("DROP FUNCTION _", NO_LOCK, Writers::GoOn, ""),
    kind("DROP TABLE @", "ACCESS EXCLUSIVE", Writers::WaitShortly, "readers also wait"),
    kind("INSERT INTO @", "ROW EXCLUSIVE", Writers::GoOn, ROWS),
    Kind { words: "UPDATE @", mode: "ROW EXCLUSIVE", writers: Writers::WaitForRows, rewrites: true, note: ROWS },
    Kind { words: "WITH * UPDATE @", mode: "ROW EXCLUSIVE", writers: Writers::WaitForRows, rewrites: true, note: ROWS },
    kind("DELETE FROM @", "ROW EXCLUSIVE", Writers::WaitForRows, ROWS),
    kind("SELECT 1", NO_LOCK, Writers::GoOn, ""),
];

/// A column with a default that is another one for each row is written into each.
const OF_EACH_ROW: [&str; 4] = ["clock_timestamp()", "random()", "gen_random_uuid()", "nextval("];

/// What a change of a table may do beside that with which it begins.
const MORE: [&str; 5] = [" UNIQUE", " CHECK", " GENERATED ", " PRIMARY KEY", " CONSTRAINT "];

/// Words that change nothing about the kind.
const PASSED_OVER: [&str; 7] = ["IF", "NOT", "EXISTS", "UNIQUE", "OR", "REPLACE", "ONLY"];

/// What is known of the schema along the way: which tables the migration makes itself, and the tables of indexes.
#[derive(Debug, Default)]
pub(super) struct Along {
    made: HashSet<String>,
    tables: HashMap<String, String>,
}

impl Along {
    /// Another migration begins: what the one before made may be written by then, as by triggers.
    pub(super) fn begin(&mut self) {
        self.made.clear();
    }

    /// Takes note of a statement of a migration that is applied already.
    pub(super) fn pass(&mut self, statement: &str) {
        self.note(&words_of(statement));
    }

    /// What a statement does where it is run next.
    pub(super) fn meet(&mut self, statement: &str) -> Effect {
        let words = words_of(statement);
        let (kind, named) = kind_of(&words);
        let effect = match kind {
            Some(kind) if !does_more(statement) => self.effect(kind, &named, statement, &words),
            _ => Effect { locks: Vec::new(), writers: Writers::Unknown, rewrites: None, note: UNKNOWN },
        };
        self.note(&words);
        if let ["CREATE", "TABLE", table, ..] = words.as_slice() {
            self.made.insert((*table).to_owned());
        }
        effect
    }

    fn effect(&self, kind: &Kind, named: &Named<'_>, statement: &str, words: &[&str]) -> Effect {
        let of_index = named.index.and_then(|index| self.tables.get(index).map(String::as_str));
        let table = named.table.or(of_index);
        if table.is_some_and(|table| self.made.contains(table)) {
            return Effect { locks: Vec::new(), writers: Writers::GoOn, rewrites: Some(false), note: NEW };
        }
        let lock = |mode, table: &str| TableLock { mode, table: table.to_owned() };
        let known = table.or(named.index).filter(|_| kind.mode != NO_LOCK);
        let mut effect = Effect {
            locks: known.map(|table| lock(kind.mode, table)).into_iter().collect(),
            writers: kind.writers,
            rewrites: Some(kind.rewrites),
            note: kind.note,
        };
        // What a foreign key leads to is kept from writers until the transaction ends.
        let leads_to = words.windows(2).filter_map(|pair| match pair {
            ["REFERENCES", to] if !self.made.contains(*to) => Some(*to),
            _ => None,
        });
        for to in leads_to {
            let lock = lock("SHARE ROW EXCLUSIVE", to);
            if !effect.locks.contains(&lock) {
                effect.locks.push(lock);
            }
            effect.writers = Writers::WaitShortly;
        }
        if kind.words.starts_with("INSERT") && statement.contains("DO UPDATE") {
            effect.writers = Writers::WaitForRows;
        }
        if kind.words.ends_with("ADD COLUMN") && OF_EACH_ROW.iter().any(|made| statement.contains(made)) {
            effect = Effect { writers: Writers::Wait, rewrites: Some(true), note: DIFFERS, ..effect };
        }
        effect
    }

    fn note(&mut self, words: &[&str]) {
        match words {
            ["CREATE", "INDEX", "CONCURRENTLY", index, "ON", table, ..]
            | ["CREATE", "INDEX", index, "ON", table, ..] => {
                self.tables.insert((*index).to_owned(), (*table).to_owned());
            }
            ["ALTER", "INDEX", index, "RENAME", "TO", new, ..] => {
                if let Some(table) = self.tables.get(*index).cloned() {
                    self.tables.insert((*new).to_owned(), table);
                }
            }
            _ => {}
        }
    }
}

const DIFFERS: &str = "the default differs for each row; readers also wait";
const UNKNOWN: &str = "unknown statement: check the PostgreSQL documentation before you run it";
const NEW: &str = "the migration creates this table: no client waits for it";

/// What a statement names.
#[derive(Default)]
struct Named<'s> {
    table: Option<&'s str>,
    index: Option<&'s str>,
}

/// The words of a statement, with each bracket as one, and without those that change nothing about its kind.
fn words_of(statement: &str) -> Vec<&str> {
    statement
        .split_whitespace()
        .flat_map(|word| {
            word.split_inclusive('(').flat_map(|part| match part.strip_suffix('(') {
                Some(before) => [before, "("],
                None => [part, ""],
            })
        })
        .filter(|word| !word.is_empty() && !PASSED_OVER.contains(word))
        .map(|word| word.trim_end_matches(','))
        .collect()
}

/// Whether a change of a table does more than its first words say.
fn does_more(statement: &str) -> bool {
    let mut depth = 0_i32;
    let has_several = statement.chars().any(|it| {
        depth += i32::from(it == '(') - i32::from(it == ')');
        it == ',' && depth == 0
    });
    statement.starts_with("ALTER TABLE") && (has_several || MORE.iter().any(|more| statement.contains(more)))
}

fn kind_of<'s>(words: &[&'s str]) -> (Option<&'static Kind>, Named<'s>) {
    for kind in &KINDS {
        if let Some(named) = fit(kind.words, words) {
            return (Some(kind), named);
        }
    }
    (None, Named::default())
}

/// What a statement names, if it begins with these words.
fn fit<'s>(pattern: &str, words: &[&'s str]) -> Option<Named<'s>> {
    let (mut named, mut words) = (Named::default(), words.iter().copied());
    let mut pattern = pattern.split(' ');
    while let Some(wanted) = pattern.next() {
        if wanted == "*" {
            let then = pattern.next()?;
            words.find(|word| *word == then)?;
            continue;
        }
        let word = words.next()?;
        match wanted {
            "_" => {}
            "@" => named.table = Some(word),
            "#" => named.index = Some(word),
            wanted if wanted == word => {}
            _ => return None,
        }
    }
    Some(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(statements: &[&str]) -> Effect {
        let mut along = Along::default();
        statements.iter().map(|it| along.meet(it)).last().unwrap()
    }

    fn lock(mode: &'static str, table: &str) -> TableLock {
        TableLock { mode, table: table.to_owned() }
    }

    #[test]
    fn an_index_beside_the_old_ones_holds_up_nobody_and_another_does() {
        let beside = met(&["CREATE UNIQUE INDEX CONCURRENTLY a_key ON a (b)"]);
        assert_eq!((beside.writers, beside.locks), (Writers::GoOn, vec![lock("SHARE UPDATE EXCLUSIVE", "a")]));
        let alone = met(&["CREATE INDEX IF NOT EXISTS a_idx ON a (b)"]);
        assert_eq!((alone.writers, alone.locks), (Writers::Wait, vec![lock("SHARE", "a")]));
    }

    #[test]
    fn an_index_is_known_by_its_table_also_after_it_was_renamed() {
        let mut along = Along::default();
        along.pass("CREATE INDEX CONCURRENTLY a_new ON a (b)");
        along.pass("ALTER INDEX a_new RENAME TO a_idx");
        assert_eq!(along.meet("DROP INDEX IF EXISTS a_idx").locks, [lock("ACCESS EXCLUSIVE", "a")]);
    }

    #[test]
    fn a_new_table_is_free_and_what_its_references_lead_to_is_not() {
        assert_eq!(met(&["CREATE TABLE a (b text)", "CREATE INDEX a_idx ON a (b)"]).writers, Writers::GoOn);
        let led = met(&["CREATE TABLE a (b uuid REFERENCES w (id))"]);
        assert_eq!((led.writers, led.locks), (Writers::WaitShortly, vec![lock("SHARE ROW EXCLUSIVE", "w")]));
    }

    #[test]
    fn a_default_that_is_another_one_for_each_row_rewrites_the_table() {
        let constant = met(&["ALTER TABLE a ADD COLUMN b bigint NOT NULL DEFAULT 1"]);
        assert_eq!((constant.writers, constant.rewrites), (Writers::WaitShortly, Some(false)));
        let volatile = met(&["ALTER TABLE a ADD COLUMN b timestamptz DEFAULT clock_timestamp()"]);
        assert_eq!((volatile.writers, volatile.rewrites), (Writers::Wait, Some(true)));
    }

    #[test]
    fn a_trigger_is_of_the_table_behind_its_columns() {
        let trigger =
            met(&["CREATE OR REPLACE TRIGGER t AFTER INSERT OR UPDATE OF b, c ON a FOR EACH ROW EXECUTE FUNCTION f()"]);
        assert_eq!((trigger.writers, trigger.locks), (Writers::WaitShortly, vec![lock("SHARE ROW EXCLUSIVE", "a")]));
    }

    #[test]
    fn what_is_not_known_is_told_so() {
        for statement in [
            "CLUSTER a USING a_idx",
            "ALTER TABLE a ADD COLUMN b text, ALTER COLUMN c TYPE bigint",
            "ALTER TABLE a ADD COLUMN b text UNIQUE",
            "SELECT setval('a', 1)",
        ] {
            let unknown = met(&[statement]);
            assert_eq!((unknown.writers, unknown.rewrites), (Writers::Unknown, None), "{statement}");
        }
    }
}

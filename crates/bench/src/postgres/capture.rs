//! Captures the service's statements from PostgreSQL's log.

use std::time::Duration;

use anyhow::{Result, bail};

use super::{Cluster, text};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    /// The PostgreSQL process that executed it; each connection has one.
    pub(crate) pid: u32,
    pub(crate) sql: String,
    /// Values as text; `None` is NULL.
    pub(crate) parameters: Vec<Option<String>>,
}

impl Statement {
    /// Whether it only reads rows of contacts.
    pub(crate) fn reads_contacts(&self) -> bool {
        let begins = |word: &str| self.sql.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
        (begins("select") || begins("with")) && self.sql.contains("contact")
    }
}

impl Cluster {
    /// Returns the statements executed in a database while `probe` runs.
    ///
    /// # Errors
    /// Errors of the probe, or an unreadable log.
    pub(crate) async fn listen(
        &self,
        database: &str,
        probe: impl Future<Output = Result<()>>,
    ) -> Result<Vec<Statement>> {
        let log = self.log_of("log_statement = 'all'", "log_statement", probe).await?;
        let statements = statements(&log, database);
        if statements.is_empty() {
            bail!("nothing was sent to PostgreSQL");
        }
        Ok(statements)
    }

    /// Returns PostgreSQL's log output while `probe` runs with this setting.
    ///
    /// # Errors
    /// Errors of the probe, or an unreadable log.
    pub(super) async fn log_of(
        &self,
        set: &str,
        name: &str,
        probe: impl Future<Output = Result<()>>,
    ) -> Result<String> {
        let admin = self.connect("postgres").await?;
        self.log(&format!("SET {set}")).await?;
        let begin: u64 = text(&admin, "SELECT size FROM pg_stat_file('log')").await?.parse()?;
        let outcome = probe.await;
        // The last statements may not be logged yet.
        tokio::time::sleep(Duration::from_millis(200)).await;
        let end: u64 = text(&admin, "SELECT size FROM pg_stat_file('log')").await?.parse()?;
        self.log(&format!("RESET {name}")).await?;
        outcome?;
        text(&admin, &format!("SELECT pg_read_file('log', {begin}, {})", end.saturating_sub(begin))).await
    }

    async fn log(&self, change: &str) -> Result<()> {
        let admin = self.connect("postgres").await?;
        admin.batch_execute(&format!("ALTER SYSTEM {change}")).await?;
        admin.batch_execute("SELECT pg_reload_conf()").await?;
        // Each process applies the change before its next statement, after the postmaster has signalled it.
        tokio::time::sleep(Duration::from_millis(200)).await;
        Ok(())
    }
}

/// Parses the log lines of one database.
fn statements(log: &str, database: &str) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    for line in log.replace("\n\t", " ").lines() {
        let mut parts = line.splitn(3, '|');
        let (Some(pid), Some(of), Some(said)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let Some(pid) = pid.parse().ok().filter(|_| of == database) else { continue };
        if let Some(sql) = said.strip_prefix("LOG:  statement: ") {
            found.push(Statement { pid, sql: sql.to_owned(), parameters: Vec::new() });
        } else if let Some((_, sql)) = said.strip_prefix("LOG:  execute ").and_then(|it| it.split_once(": ")) {
            found.push(Statement { pid, sql: sql.to_owned(), parameters: Vec::new() });
        } else if let Some(list) = said.strip_prefix("DETAIL:  ").and_then(|it| it.trim_start().split_once(": "))
            && let Some(statement) = found.iter_mut().rfind(|it| it.pid == pid)
        {
            statement.parameters = parameters(list.1);
        }
    }
    found
}

/// Parses `$1 = 'a', $2 = NULL`.
fn parameters(list: &str) -> Vec<Option<String>> {
    let mut values = Vec::new();
    let mut rest = list;
    while let Some((_, value)) = rest.split_once(" = ") {
        let Some(quoted) = value.strip_prefix('\'') else {
            values.push(None);
            rest = value.strip_prefix("NULL").unwrap_or(value);
            continue;
        };
        let (mut text, mut characters) = (String::new(), quoted.char_indices());
        rest = "";
        while let Some((place, character)) = characters.next() {
            let behind = quoted.get(place + character.len_utf8()..).unwrap_or_default();
            match (character, behind.starts_with('\'')) {
                ('\'', true) => {
                    characters.next();
                    text.push('\'');
                }
                ('\'', false) => {
                    rest = behind;
                    break;
                }
                _ => text.push(character),
            }
        }
        values.push(Some(text));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_read_with_their_parameters() {
        let log = "7|bench|LOG:  execute s1: SELECT a\n\tFROM b WHERE c = $1 AND d = $2\n\
                   7|bench|DETAIL:  parameters: $1 = 'it''s, $3 = ''x''', $2 = NULL\n\
                   8|other|LOG:  statement: BEGIN\n\
                   9|bench|LOG:  statement: COMMIT\n";
        let read = statements(log, "bench");
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].sql, "SELECT a FROM b WHERE c = $1 AND d = $2");
        assert_eq!(read[0].parameters, [Some("it's, $3 = 'x'".to_owned()), None]);
        assert_eq!((read[1].pid, read[1].sql.as_str()), (9, "COMMIT"));
    }
}

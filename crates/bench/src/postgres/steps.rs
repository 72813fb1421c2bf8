//! PostgreSQL's steps with their durations, from its log.

use anyhow::Result;

use super::Cluster;

/// A timed step of a PostgreSQL process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) pid: u32,
    pub(crate) asked: Asked,
    pub(crate) micros: u64,
    pub(crate) sql: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    Parse,
    Bind,
    Execute,
}

impl Cluster {
    /// Returns the steps in a database while `probe` runs.
    ///
    /// # Errors
    /// Errors of the probe, or an unreadable log.
    pub(crate) async fn listen_closely(
        &self,
        database: &str,
        probe: impl Future<Output = Result<()>>,
    ) -> Result<Vec<Step>> {
        let log = self.log_of("log_min_duration_statement = 0", "log_min_duration_statement", probe).await?;
        Ok(steps(&log, database))
    }
}

/// Parses the log lines of one database that contain a duration.
fn steps(log: &str, database: &str) -> Vec<Step> {
    let read = |line: &str| {
        let mut parts = line.splitn(3, '|');
        let (pid, of, said) = (parts.next()?, parts.next()?, parts.next()?);
        let (millis, what) = said.strip_prefix("LOG:  duration: ")?.split_once(" ms  ")?;
        let (asked, sql) = what.split_once(": ")?;
        let asked = match asked.split(' ').next()? {
            "parse" => Asked::Parse,
            "bind" => Asked::Bind,
            "execute" | "statement" => Asked::Execute,
            _ => return None,
        };
        // Always with three decimals.
        let micros = millis.replace('.', "").parse().ok()?;
        (of == database).then_some(Step { pid: pid.parse().ok()?, asked, micros, sql: sql.to_owned() })
    };
    log.replace("\n\t", " ").lines().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_with_their_times() {
        let log = "7|bench|LOG:  duration: 0.104 ms  parse s1: SELECT a\n\tFROM b WHERE c = $1\n\
                   7|bench|LOG:  duration: 0.021 ms  bind s1: SELECT a\n\tFROM b WHERE c = $1\n\
                   7|bench|DETAIL:  parameters: $1 = 'x'\n\
                   7|bench|LOG:  duration: 12.013 ms  execute s1: SELECT a\n\tFROM b WHERE c = $1\n\
                   8|other|LOG:  duration: 0.013 ms  statement: BEGIN\n\
                   9|bench|LOG:  duration: 0.004 ms  statement: COMMIT\n";
        let step = |pid, asked, micros, sql: &str| Step { pid, asked, micros, sql: sql.to_owned() };
        let query = "SELECT a FROM b WHERE c = $1";
        let expected = [
            step(7, Asked::Parse, 104, query),
            step(7, Asked::Bind, 21, query),
            step(7, Asked::Execute, 12_013, query),
            step(9, Asked::Execute, 4, "COMMIT"),
        ];
        assert_eq!(steps(log, "bench"), expected);
    }
}

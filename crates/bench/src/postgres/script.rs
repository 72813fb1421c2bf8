//! A pgbench script with the service's statements.
//!
//! Parameters stay parameters. Values that differ between requests get a new value each time: pgbench's number replaces
//! the number of the captured request, and IDs made by the service are derived from it.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use super::Statement;

/// The number in all unique values of a captured request.
pub(crate) const MARKER: &str = "777000000001";
/// Longer texts are sent unchanged: building them would cost time.
const LONG: usize = 256;

#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    /// The commands that set `n`, a number of twelve digits.
    head: String,
    /// The text that `n` replaces.
    marker: String,
    lines: Vec<String>,
    pub(crate) variables: BTreeMap<String, String>,
}

impl Script {
    /// Creates a script that is the same in every transaction.
    pub(crate) fn fixed() -> Self {
        Self { marker: MARKER.to_owned(), ..Self::default() }
    }

    /// Creates a script that uses one of `count` numbers from `first` on in place of the captured request's number.
    pub(crate) fn of_any(first: u64, count: u64, marker: u64) -> Self {
        let last = first + count.saturating_sub(1);
        let head = format!("\\set n random({first}, {last})\n");
        Self { head, marker: marker.to_string(), ..Self::default() }
    }

    /// Creates a script that uses a new, rising number in each transaction, unique for each client and round.
    pub(crate) fn of_new() -> Self {
        let head = "\\set i :i + 1\n\\set n :base + :i * 1000 + :client_id\n".to_owned();
        let variables = BTreeMap::from([("i".to_owned(), "0".to_owned()), ("base".to_owned(), base(0))]);
        Self { head, marker: MARKER.to_owned(), lines: Vec::new(), variables }
    }

    pub(crate) fn in_round(&self, round: u64) -> Self {
        let mut script = self.clone();
        script.variables.insert("base".to_owned(), base(round));
        script
    }

    /// Appends statements. `other` has the same statements of a second request; values that differ between the two are
    /// generated.
    ///
    /// # Errors
    /// The two requests sent different statements.
    pub(crate) fn say(mut self, statements: &[Statement], other: Option<&[Statement]>) -> Result<Self> {
        let mut made: BTreeMap<String, usize> = BTreeMap::new();
        for (place, statement) in statements.iter().enumerate() {
            let twin = other.map(|it| it.get(place).context("two requests sent different statements")).transpose()?;
            let mut sql = statement.sql.clone();
            for (index, value) in statement.parameters.iter().enumerate().rev() {
                let is_new = twin.is_some_and(|it| it.parameters.get(index) != Some(value));
                // Columns of rows are passed as arrays, here with one element; the statement contains their types.
                let element = value.as_deref().filter(|_| sql.contains("unnest(")).and_then(element);
                let text = match value {
                    Some(_) if let Some(made) = element.and_then(|it| self.anew(it, is_new, &mut made)) => {
                        format!("('{{' || {made} || '}}')")
                    }
                    None => "NULL".to_owned(),
                    Some(value) if value.contains(&self.marker) && value.len() <= LONG => numbered(value, &self.marker),
                    Some(value) if is_new && is_uuid(value) => {
                        let next = made.len();
                        let place = *made.entry(value.clone()).or_insert(next);
                        format!("('f0000000-0000-7000-{:04x}-' || :n)::uuid", 0x8000 + place)
                    }
                    Some(value) if is_new && ends_in_id(value) => {
                        let kept = value.get(..value.len() - MARKER.len()).unwrap_or_default();
                        format!("('{kept}' || :n)")
                    }
                    Some(value) if value.is_empty() => "''".to_owned(),
                    Some(value) => {
                        let name = format!("s{place}_{}", index + 1);
                        self.variables.insert(name.clone(), value.clone());
                        format!(":{name}")
                    }
                };
                sql = replace(&sql, index + 1, &text);
            }
            self.lines.push(format!("{sql};"));
        }
        Ok(self)
    }

    /// Returns the expression for an element of an array if its value changes each time.
    fn anew(&self, value: &str, is_new: bool, made: &mut BTreeMap<String, usize>) -> Option<String> {
        if value.contains(&self.marker) && value.len() <= LONG {
            return Some(numbered(value, &self.marker).trim_end_matches("::uuid").to_owned());
        }
        if is_new && is_uuid(value) {
            let next = made.len();
            let place = *made.entry(value.to_owned()).or_insert(next);
            return Some(format!("'f0000000-0000-7000-{:04x}-' || :n", 0x8000 + place));
        }
        let shown = is_new && ends_in_id(value);
        shown.then(|| format!("'{}' || :n", value.get(..value.len() - MARKER.len()).unwrap_or_default()))
    }

    /// Returns a script with only the first statement.
    pub(crate) fn first(&self) -> Self {
        let mut script = self.clone();
        script.lines.truncate(1);
        script
    }

    /// Adds a line of pgbench syntax.
    pub(crate) fn line(mut self, line: impl Into<String>) -> Self {
        self.lines.push(line.into());
        self
    }

    /// Replaces text in all statements.
    pub(crate) fn with(mut self, text: &str, by: &str) -> Self {
        self.lines.iter_mut().for_each(|line| *line = line.replace(text, by));
        self
    }

    /// Returns the whole script.
    pub(crate) fn text(&self) -> String {
        format!("{}{}\n", self.head, self.lines.join("\n"))
    }

    /// Returns all statements as one text with the values for this number.
    pub(crate) fn literal(&self, number: u64) -> String {
        // Before the values are inserted, because they may contain any text.
        let casts = "\u{1}";
        let mut text = self.lines.join("\n").replace("::", casts).replace(":n", &format!("'{number}'"));
        // Longer names first: one may be a prefix of another.
        for (name, value) in self.variables.iter().rev() {
            text = text.replace(&format!(":{name}"), &format!("'{}'", value.replace('\'', "''")));
        }
        text.replace(casts, "::")
    }

    pub(crate) fn statements(&self) -> usize {
        self.lines.len()
    }

    /// Describes the number of statements.
    pub(crate) fn size(&self) -> String {
        let count = self.statements();
        format!("{count} statement{}", if count == 1 { "" } else { "s" })
    }
}

fn base(round: u64) -> String {
    (300_000_000_000 + round * 100_000_000).to_string()
}

/// Returns the text of an array's only element.
fn element(array: &str) -> Option<&str> {
    let inner = array.strip_prefix('{')?.strip_suffix('}')?;
    let unquoted = inner.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    Some(unquoted.unwrap_or(inner)).filter(|it| !it.contains(['"', '\\', ',', '{']))
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36 && uuid::Uuid::try_parse(text).is_ok()
}

/// Whether the text ends in an ID as the API shows it: an underscore and 26 digits of base32.
fn ends_in_id(text: &str) -> bool {
    let digits = text.rsplit_once('_').map_or("", |it| it.1);
    digits.len() == 26 && digits.bytes().all(|it| it.is_ascii_digit() || it.is_ascii_lowercase())
}

/// Returns the value with pgbench's number in place of the request's.
fn numbered(value: &str, marker: &str) -> String {
    let pieces: Vec<String> = value.split(marker).map(|piece| format!("'{}'", piece.replace('\'', "''"))).collect();
    let joined = format!("({})", pieces.join(" || :n || "));
    match value.strip_prefix('{').map(|it| it.trim_end_matches('}')) {
        Some(inner) if is_uuid(inner) => format!("{joined}::uuid[]"),
        _ if is_uuid(value) => format!("{joined}::uuid"),
        _ => joined,
    }
}

/// Replaces the parameter with this number.
fn replace(sql: &str, number: usize, by: &str) -> String {
    let sign = format!("${number}");
    let mut pieces = sql.split(&sign);
    let mut replaced = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let longer = piece.starts_with(|it: char| it.is_ascii_digit());
        replaced.push_str(if longer { &sign } else { by });
        replaced.push_str(piece);
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(sql: &str, parameters: &[&str]) -> Statement {
        let parameters = parameters.iter().map(|it| Some((*it).to_owned())).collect();
        Statement { pid: 1, sql: sql.to_owned(), parameters }
    }

    #[test]
    fn turns_parameters_into_variables_and_new_ids() {
        let first = [statement("INSERT INTO a VALUES ($1, $2, $10)", &["019abc00-0000-7000-8000-000000000001", "x"])];
        let other = [statement("INSERT INTO a VALUES ($1, $2, $10)", &["019abc00-0000-7000-8000-000000000002", "x"])];
        let script = Script::of_new().say(&first, Some(&other)).unwrap();
        assert!(script.text().contains("VALUES (('f0000000-0000-7000-8000-' || :n)::uuid, :s0_2, $10);"), "{script:?}");
        assert_eq!(script.variables["s0_2"], "x");
    }

    #[test]
    fn replaces_shown_ids_with_new_ones() {
        let said = |id: &str| [statement("SELECT $1", &[id])];
        let (one, other) = (said("contact_01m7yjfvk9ewct6r3gb0brh6dt"), said("contact_01m7yjfvk9ewct6r3gb0brh6dz"));
        let text = Script::of_new().say(&one, Some(&other)).unwrap().text();
        assert!(text.contains("SELECT ('contact_01m7yjfvk9ewct' || :n);"), "{text}");
    }

    #[test]
    fn replaces_the_marker_with_the_number() {
        let marked = format!("01900000-0000-7000-8000-{MARKER}");
        let read = [statement("SELECT $1 = ANY($2)", &[&marked, &format!("{{{marked}}}")])];
        let text = Script::of_any(1, 5, MARKER.parse().unwrap()).say(&read, None).unwrap().text();
        assert!(text.contains("('01900000-0000-7000-8000-' || :n || '')::uuid = ANY("), "{text}");
        assert!(text.contains("('{01900000-0000-7000-8000-' || :n || '}')::uuid[])"), "{text}");
        assert!(text.starts_with("\\set n random(1, 5)\n"));
    }
}

//! The statements of a migration's text, for who wants to read them before they run.

/// Its statements in order, without comments and without the semicolon at the end.
pub(super) fn statements(text: &str) -> Vec<String> {
    let (mut found, mut statement, mut rest) = (Vec::new(), String::new(), text);
    while let Some(next) = rest.chars().next() {
        let end = if rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("$$") {
            closed(rest, "$$")
        } else if next == '\'' {
            closed(rest, "'")
        } else {
            next.len_utf8()
        };
        let (piece, after) = rest.split_at(end);
        match piece {
            ";" if !is_open(&statement) => end_of(&mut statement, &mut found),
            comment if comment.starts_with("--") => {}
            piece => statement += piece,
        }
        rest = after;
    }
    end_of(&mut statement, &mut found);
    found
}

/// How long a quoted text is, with its marks. A doubled mark begins another one.
fn closed(text: &str, mark: &str) -> usize {
    let inside = text.get(mark.len()..).unwrap_or_default();
    inside.find(mark).map_or(text.len(), |at| at + 2 * mark.len())
}

/// Whether a semicolon ends one of the statements of a trigger on SQLite, and not the trigger.
fn is_open(statement: &str) -> bool {
    let mut words = statement.split_whitespace();
    let is_trigger = words.next() == Some("CREATE") && words.next() == Some("TRIGGER");
    is_trigger && words.any(|word| word == "BEGIN") && !statement.trim_end().ends_with("END")
}

fn end_of(statement: &mut String, found: &mut Vec<String>) {
    let lines: Vec<&str> = statement.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    if !lines.is_empty() {
        found.push(lines.join("\n"));
    }
    statement.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_its_statements() {
        let text = "-- What for; and why.\n\nCREATE TABLE a (\n    b text DEFAULT ';' -- of it\n);\nDROP INDEX c;\n";
        assert_eq!(statements(text), ["CREATE TABLE a (\n    b text DEFAULT ';'\n)", "DROP INDEX c"]);
        assert_eq!(
            statements("INSERT INTO a VALUES ('it''s;', '');\n-- nothing more"),
            ["INSERT INTO a VALUES ('it''s;', '')"]
        );
    }

    #[test]
    fn what_a_function_or_a_trigger_does_is_part_of_it() {
        let function = "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n    RETURN NULL;\nEND\n$$";
        assert_eq!(statements(&format!("{function};\nSELECT 1;")), [function, "SELECT 1"]);
        let trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n    DELETE FROM b;\n    DELETE FROM c;\nEND";
        assert_eq!(statements(&format!("{trigger};\nSELECT 1;")), [trigger, "SELECT 1"]);
    }
}

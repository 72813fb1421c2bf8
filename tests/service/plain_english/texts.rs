//! Texts in the repository: Markdown without code, comments, messages in Rust, and the panel's texts.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// A type of text with its own limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    Docs,
    /// String literals of the program with three words or more.
    Messages,
    /// String literals of tests and benchmarks.
    TestMessages,
    Comments,
    /// Comments in other languages.
    OtherComments,
    PanelTexts,
}

/// A file with texts.
pub(super) struct File {
    pub(super) path: String,
    text: String,
}

/// Folders with generated or third-party files.
const SKIPPED: [&str; 9] = ["target", "node_modules", "dist", ".git", "data", "__pycache__", "build", "venv", ".venv"];
/// Generated files.
const GENERATED: [&str; 4] = ["schema.ts", "models.py", "benchmarks.md", "benchmark.md"];

/// Returns all text files of the repository.
pub(super) fn files() -> Vec<File> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                if !SKIPPED.contains(&name) {
                    folders.push(path);
                }
            } else if !GENERATED.contains(&name)
                && let Ok(text) = fs::read_to_string(&path)
            {
                files.push(File { path: path.strip_prefix(root).unwrap().to_str().unwrap().to_owned(), text });
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

static LINK_TARGET: LazyLock<Regex> = LazyLock::new(|| regex(r"\]\([^)]*\)"));
static CODE: LazyLock<Regex> = LazyLock::new(|| regex(r"`[^`]*`"));
static LITERAL: LazyLock<Regex> = LazyLock::new(|| regex(r#""((?:[^"\\]|\\.)*)""#));
static WORDS: LazyLock<Regex> = LazyLock::new(|| regex(r"[A-Za-z]+[^A-Za-z]+[A-Za-z]+[^A-Za-z]+[A-Za-z]"));
static PROSE: LazyLock<Regex> = LazyLock::new(|| regex(r"[a-z] [a-z]"));
static SQL: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WHERE)\b"));
static PANEL_TEXT: LazyLock<Regex> = LazyLock::new(|| regex(r"'((?:[^'\\]|\\.)*)'|`([^`]*)`"));

impl File {
    /// Returns each text with its group and line number.
    pub(super) fn texts(&self) -> Vec<(Group, usize, String)> {
        let name = self.path.rsplit('/').next().unwrap();
        let ending = name.rsplit_once('.').map_or("", |it| it.1);
        let lines = self.text.lines().enumerate().map(|(place, line)| (place + 1, line));
        match ending {
            "md" => self.markdown(),
            "rs" => lines.flat_map(|(number, line)| self.rust(number, line)).collect(),
            "ts" | "tsx" | "mjs" => lines.flat_map(|(number, line)| self.script(number, line)).collect(),
            "py" | "sh" | "toml" | "sql" => {
                lines.filter_map(|(number, line)| comment(number, line, &["#", "--"])).collect()
            }
            _ if matches!(name, "Makefile" | "run") => {
                lines.filter_map(|(number, line)| comment(number, line, &["#"])).collect()
            }
            _ => Vec::new(),
        }
    }

    fn markdown(&self) -> Vec<(Group, usize, String)> {
        let mut is_code = false;
        let mut texts = Vec::new();
        for (place, line) in self.text.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
            } else if !is_code {
                texts.push((
                    Group::Docs,
                    place + 1,
                    CODE.replace_all(&LINK_TARGET.replace_all(line, "]"), "X").into_owned(),
                ));
            }
        }
        texts
    }

    fn rust(&self, number: usize, line: &str) -> Vec<(Group, usize, String)> {
        let bare = line.trim();
        if let Some(text) = bare.strip_prefix("//") {
            let text = text.trim_start_matches(['/', '!']);
            return vec![(Group::Comments, number, CODE.replace_all(text.trim_start(), "X").into_owned())];
        }
        let is_test = self.path.starts_with("tests/")
            || self.path.contains("/tests")
            || self.path.contains("_tests.rs")
            || ["crates/bench/", "crates/storage-suite/"].iter().any(|it| self.path.starts_with(it));
        let group = if is_test { Group::TestMessages } else { Group::Messages };
        let literals = LITERAL.captures_iter(line).map(|it| it[1].to_owned());
        let is_prose = |text: &String| WORDS.is_match(text) && PROSE.is_match(text) && !SQL.is_match(text);
        literals.filter(is_prose).map(|text| (group, number, text)).collect()
    }

    fn script(&self, number: usize, line: &str) -> Vec<(Group, usize, String)> {
        let bare = line.trim();
        for mark in ["//", "/*", "*"] {
            if let Some(text) = bare.strip_prefix(mark) {
                return vec![(Group::OtherComments, number, text.trim_start_matches('*').trim_start().to_owned())];
            }
        }
        if !self.path.contains("/i18n/") {
            return Vec::new();
        }
        let texts =
            PANEL_TEXT.captures_iter(line).filter_map(|it| it.get(1).or(it.get(2)).map(|it| it.as_str().to_owned()));
        texts.filter(|text| text.contains(' ')).map(|text| (Group::PanelTexts, number, text)).collect()
    }
}

fn comment(number: usize, line: &str, marks: &[&str]) -> Option<(Group, usize, String)> {
    let text = marks.iter().find_map(|mark| line.trim().strip_prefix(mark))?;
    Some((Group::OtherComments, number, text.trim_start().to_owned()))
}

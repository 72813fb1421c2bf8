//! Cycles between the files of a crate, found through the paths in their sources.
//!
//! A file depends on another if a `use` or a path in its code refers to it: from `crate`, `super` or `self`, or from an
//! imported or declared module. Re-exports are followed to their origin. A module and its submodules may depend on each
//! other; tests are skipped. Method calls are not followed, because they need not name a file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The path of a module from the root of the crate.
type Module = Vec<String>;

/// The parsed source of a module.
#[derive(Default)]
struct Source {
    tokens: Vec<String>,
    /// The declared submodules.
    parts: Vec<String>,
    /// Imported paths by name.
    imports: BTreeMap<String, Vec<String>>,
    /// Modules imported with `*`.
    globs: Vec<Vec<String>>,
}

/// The modules of a crate, without test modules.
#[derive(Default)]
pub struct Crate {
    modules: BTreeMap<Module, Source>,
    /// The modules of exported macros, which are addressed from the root.
    macros: BTreeMap<String, Module>,
}

/// Each file in a cycle, with the files of the cycle that it depends on.
pub type Circles = BTreeMap<String, BTreeSet<String>>;

impl Crate {
    /// Reads a crate from its source folder.
    pub fn read(folder: &Path) -> Self {
        let root = ["lib.rs", "main.rs"].map(|name| folder.join(name)).into_iter().find(|file| file.is_file());
        let mut found = Self::default();
        found.add(&root.expect("the crate has a root file"), folder, Vec::new());
        found
    }

    /// Adds a file and its submodules, which are in `folder`.
    fn add(&mut self, file: &Path, folder: &Path, module: Module) {
        let source = Source::parse(&fs::read_to_string(file).unwrap());
        for part in source.parts.clone() {
            let (beside, within) = (folder.join(format!("{part}.rs")), folder.join(&part));
            let file = if beside.is_file() { beside } else { within.join("mod.rs") };
            self.add(&file, &within, [module.clone(), vec![part]].concat());
        }
        self.insert(module, source);
    }

    fn insert(&mut self, module: Module, source: Source) {
        for words in source.tokens.windows(3).filter(|words| words[0] == "macro_rules" && words[1] == "!") {
            self.macros.insert(words[2].clone(), module.clone());
        }
        self.modules.insert(module, source);
    }

    /// Resolves a path in `module`; `None` if it refers to another crate.
    fn leads(&self, module: &Module, path: &[String], depth: usize) -> Option<Module> {
        let mut at = module.clone();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => (at, rest) = (Vec::new(), &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|word| word == "super") {
                    at.pop()?;
                    rest = &rest[1..];
                }
            }
            name => {
                let source = &self.modules[module];
                let is_known = source.parts.iter().any(|part| part == name) || source.imports.contains_key(name);
                if !is_known {
                    return None;
                }
            }
        }
        while let Some((name, behind)) = rest.split_first() {
            let source = &self.modules[&at];
            let part = [at.clone(), vec![name.clone()]].concat();
            if self.modules.contains_key(&part) {
                (at, rest) = (part, behind);
                continue;
            }
            if depth > 8 {
                break;
            }
            if let Some(import) = source.imports.get(name) {
                let path = [import, behind].concat();
                return self.leads(&at, &path, depth + 1).or(Some(at));
            }
            let exported = self.macros.get(name).filter(|_| at.is_empty());
            let everything = || {
                source.globs.iter().find_map(|glob| {
                    let whole = self.leads(&at, glob, depth + 1)?;
                    let inner = self.leads(&whole, &[&["self".to_owned()], rest].concat(), depth + 1)?;
                    (inner != whole || self.modules[&whole].declares(name)).then_some(inner)
                })
            };
            return exported.cloned().or_else(everything).or(Some(at));
        }
        Some(at)
    }

    /// Returns the modules that a module depends on, without itself, its ancestors and its submodules.
    fn known_to(&self, module: &Module) -> BTreeSet<Module> {
        let source = &self.modules[module];
        let imports = source.imports.values().chain(&source.globs).cloned();
        let paths = imports.chain(source.paths());
        let known = paths.filter_map(|path| self.leads(module, &path, 0));
        known.filter(|other| !other.starts_with(module) && !module.starts_with(other)).collect()
    }

    /// Returns every file that is part of a cycle.
    pub fn circles(&self) -> Circles {
        let known: BTreeMap<&Module, BTreeSet<Module>> =
            self.modules.keys().map(|module| (module, self.known_to(module))).collect();
        let reached: BTreeMap<&Module, BTreeSet<&Module>> =
            known.keys().map(|module| (*module, reached_from(module, &known))).collect();
        let mut circles = Circles::new();
        for (module, others) in &known {
            let beside: BTreeSet<String> =
                others.iter().filter(|other| reached[other].contains(module)).map(|it| it.join("/")).collect();
            if !beside.is_empty() {
                circles.insert(module.join("/"), beside);
            }
        }
        circles
    }
}

/// Returns all modules that are reachable from `start`.
fn reached_from<'a>(start: &Module, known: &'a BTreeMap<&Module, BTreeSet<Module>>) -> BTreeSet<&'a Module> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![start]);
    while let Some(module) = next.pop() {
        for other in &known[module] {
            if reached.insert(other) {
                next.push(other);
            }
        }
    }
    reached
}

impl Source {
    fn parse(text: &str) -> Self {
        let mut source = Self { tokens: without_tests(&tokens(text)), ..Self::default() };
        let mut depth = 0_usize;
        for place in 0..source.tokens.len() {
            let word = |ahead: usize| source.tokens.get(place + ahead).map_or("", String::as_str);
            match word(0) {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "mod" if depth == 0 && word(2) == ";" => source.parts.push(word(1).to_owned()),
                "use" if word(1) != "<" => {
                    let end = source.tokens[place..].iter().position(|token| token == ";").unwrap_or(1);
                    let mut found = Vec::new();
                    leaves(&source.tokens[place + 1..place + end], &[], &mut found);
                    for (name, path) in found {
                        match name.as_str() {
                            "*" => source.globs.push(path),
                            _ => drop(source.imports.insert(name, path)),
                        }
                    }
                }
                _ => {}
            }
        }
        source
    }

    /// Returns every path of two or more segments in the code.
    fn paths(&self) -> Vec<Vec<String>> {
        let mut paths = Vec::new();
        let mut place = 0;
        while place < self.tokens.len() {
            let mut path = vec![self.tokens[place].clone()];
            let is_first = place == 0 || self.tokens[place - 1] != "::";
            while is_first
                && self.tokens.get(place + 1).is_some_and(|token| token == "::")
                && self.tokens.get(place + 2).is_some_and(|token| is_word(token))
            {
                path.push(self.tokens[place + 2].clone());
                place += 2;
            }
            // Paths before `::{` and `::*` are imports and handled there.
            let ends = self.tokens.get(place + 1).is_none_or(|token| token != "::");
            if ends && path.len() > 1 {
                paths.push(path);
            }
            place += 1;
        }
        paths
    }

    fn declares(&self, name: &str) -> bool {
        const ITEMS: [&str; 8] = ["struct", "enum", "trait", "fn", "type", "const", "static", "union"];
        self.tokens.windows(2).any(|words| ITEMS.contains(&words[0].as_str()) && words[1] == name)
    }
}

/// Collects the imports of a `use` tree: name and path.
fn leaves(tokens: &[String], before: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let mut path = before.to_vec();
    let mut place = 0;
    while let Some(token) = tokens.get(place) {
        match token.as_str() {
            "::" => {}
            "*" => return found.push(("*".to_owned(), path)),
            "as" => {
                let name = tokens.get(place + 1).cloned().unwrap_or_default();
                return found.push((name, path));
            }
            "{" => {
                let (mut depth, mut start) = (0, place + 1);
                for (end, token) in tokens.iter().enumerate().skip(place) {
                    depth += i32::from(token == "{") - i32::from(token == "}");
                    if (token == "," && depth == 1) || depth == 0 {
                        leaves(&tokens[start..end], &path, found);
                        start = end + 1;
                    }
                }
                return;
            }
            "self" if !path.is_empty() => break,
            word => path.push(word.to_owned()),
        }
        place += 1;
    }
    if path.len() > before.len() || (place < tokens.len() && !path.is_empty()) {
        found.push((path.last().cloned().unwrap_or_default(), path));
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Splits a source into words and punctuation, without comments and literals.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = text_at(rest) {
            length
        } else if is_word(rest) || first.is_numeric() {
            let length = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
            tokens.push(rest[..length].to_owned());
            length
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// Returns the length of the string or character literal at the start, if there is one.
fn text_at(rest: &str) -> Option<usize> {
    let prefix = rest.find(|it: char| !matches!(it, 'b' | 'c' | 'r')).filter(|length| *length <= 2)?;
    let (marked, raw) = (&rest[prefix..], rest[..prefix].contains('r'));
    if raw {
        let hashes = marked.find(|it| it != '#')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let inner = marked[hashes..].strip_prefix('"')?;
        return Some(prefix + hashes + 1 + inner.find(&end)? + end.len());
    }
    let quote = marked.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let mut characters = marked.char_indices().skip(1);
    while let Some((place, character)) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            // A lifetime: one word after the quote, and no closing quote.
            it if quote == '\''
                && place == 1
                && is_word(&it.to_string())
                && !marked[1 + it.len_utf8()..].starts_with('\'') =>
            {
                return None;
            }
            it if it == quote => return Some(prefix + place + 1),
            _ => {}
        }
    }
    None
}

/// Removes the items after `#[cfg(test)]`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut place = 0;
    while place < tokens.len() {
        if !tokens[place..].iter().take(TEST.len()).eq(TEST.iter()) {
            kept.push(tokens[place].clone());
            place += 1;
            continue;
        }
        let (mut depth, mut opened) = (0, false);
        place += TEST.len();
        while let Some(token) = tokens.get(place) {
            depth += i32::from(matches!(token.as_str(), "{" | "(" | "["))
                - i32::from(matches!(token.as_str(), "}" | ")" | "]"));
            opened |= token == "{" && depth == 1;
            place += 1;
            if depth == 0 && (token == ";" || (token == "}" && opened)) {
                break;
            }
        }
    }
    kept
}

/// Builds a crate from these modules, to test the rules.
#[cfg(test)]
pub fn of(sources: &[(&str, &str)]) -> Crate {
    let mut made = Crate::default();
    for (module, text) in sources {
        let module = module.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        made.insert(module, Source::parse(text));
    }
    made
}

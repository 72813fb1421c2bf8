use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::links::{address_of, resolved};
use crate::{CONTENTS, FILES, page, render, search};

fn root() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).to_owned()
}

/// Every Markdown file of the repository, with its path.
fn files() -> Vec<(String, String)> {
    let (mut files, mut folders) = (Vec::new(), vec![root()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                if !matches!(name, "target" | "node_modules" | ".git" | "data" | "build" | "venv" | ".venv") {
                    folders.push(path);
                }
            } else if name.ends_with(".md") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned(), text));
            }
        }
    }
    files
}

/// Every link of a text to a file of the repository.
fn links(text: &str) -> Vec<String> {
    let links = Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    });
    links.filter(|link| !link.contains("://") && !link.starts_with("mailto:")).collect()
}

#[test]
fn every_link_leads_to_an_existing_file_and_heading() {
    let (mut broken, mut count) = (Vec::new(), 0);
    for (from, text) in files() {
        for link in links(&text) {
            count += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let file = if path.is_empty() { from.clone() } else { resolved(&from, path) };
            let has_anchor = |text: &str| render::page(&file, text).sections.iter().any(|it| it.anchor == anchor);
            let path = root().join(&file);
            let is_right = match anchor {
                "" => path.exists(),
                _ => fs::read_to_string(path).is_ok_and(|text| has_anchor(&text)),
            };
            if !is_right {
                broken.push(format!("{from}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "broken links: {broken:#?}");
    assert!(count > 100, "{count} links");
}

/// The pieces of code in a text, by paragraph, list item and table row.
fn code(text: &str) -> Vec<Vec<String>> {
    let mut blocks = vec![Vec::new()];
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Paragraph | Tag::Item | Tag::TableRow) => blocks.push(Vec::new()),
            Event::Code(code) => blocks.last_mut().unwrap().push(code.to_string()),
            _ => {}
        }
    }
    blocks
}

/// Paths start at the root of the repository, in the README of a crate also in the folder of the crate. A function, such as
/// `page()`, is in a file that the same list item, paragraph or table row names, if it names one.
#[test]
fn paths_and_functions_that_describe_the_code_exist() {
    const ROOTS: [&str; 8] = ["crates/", "migrations/", "tests/", "docs/", "src/", "examples/", "fixtures/", "web/"];
    let (mut missing, mut count) = (Vec::new(), 0);
    for (page, text) in files() {
        let crate_folder = page.strip_suffix("/README.md").filter(|it| it.starts_with("crates/"));
        if crate_folder.is_none() && page != "docs/explanation/architecture.md" {
            continue;
        }
        let find = |path: &str| {
            let folders = [Some(root()), crate_folder.map(|folder| root().join(folder))];
            folders.into_iter().flatten().map(|folder| folder.join(path)).find(|path| path.exists())
        };
        for block in code(&text) {
            // Of a command, its first word.
            let words = block.iter().filter_map(|it| it.split(' ').next());
            let paths: Vec<_> = words.filter(|it| ROOTS.iter().any(|root| it.starts_with(root))).collect();
            let found: Vec<_> = paths.iter().map(|path| (path, find(path))).collect();
            missing.extend(found.iter().filter(|(_, it)| it.is_none()).map(|(path, _)| format!("{page}: {path}")));
            let files = found.iter().filter_map(|(_, path)| path.as_ref());
            let source: String = files.filter_map(|path| fs::read_to_string(path).ok()).collect();
            for name in block.iter().filter_map(|it| it.strip_suffix("()")).filter(|_| !source.is_empty()) {
                let name = name.rsplit("::").next().unwrap();
                let is_there = [format!("fn {name}("), format!("fn {name}<")].iter().any(|it| source.contains(it));
                missing.extend((!is_there).then(|| format!("{page}: {name}() is not in {paths:?}")));
            }
            count += paths.len();
        }
    }
    assert!(missing.is_empty(), "the code does not have {missing:#?}");
    assert!(count > 100, "{count} paths");
}

#[test]
fn lists_every_page_in_the_table_of_contents() {
    let contents = FILES.iter().find(|(file, _)| *file == CONTENTS).unwrap().1;
    let listed: BTreeSet<_> = links(contents).iter().map(|link| resolved(CONTENTS, link)).collect();
    let is_listed = |file: &str| listed.contains(file) || file.starts_with("docs/adr/") || file == CONTENTS;
    let missing: Vec<_> = FILES.iter().map(|(file, _)| *file).filter(|file| !is_listed(file)).collect();
    assert!(missing.is_empty(), "not in {CONTENTS}: {missing:?}");
}

#[test]
fn renders_whole_documents_without_scripts() {
    for (file, _) in FILES {
        let html = page(address_of(file)).unwrap();
        assert!(
            html.starts_with("<!doctype html>") && !html.contains("<script") && !html.contains("{{ title }}"),
            "{file}"
        );
        let links = html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let is_local = |link: &&str| !link.contains("://") && !link.starts_with("mailto:");
        let wrong: Vec<_> = links.filter(is_local).filter(|link| !link.starts_with(['/', '#'])).collect();
        assert!(wrong.is_empty(), "{file} links to files that are not pages: {wrong:?}");
    }
    assert!(page("no-such-page").is_none() && page("README").is_none() && page("../Cargo").is_none());
}

#[test]
fn ranks_headings_first_and_escapes_the_query() {
    let html = search("rotate webhook secret");
    let first = html.split("<ul class=\"results\">").nth(1).unwrap().split("</li>").next().unwrap();
    assert!(first.to_lowercase().contains("rotate") && first.contains("href=\"/docs/guide/"), "{first}");
    let html = search("<script>alert(1)</script>");
    assert!(html.contains("&lt;script&gt;") && !html.contains("<script"), "{html}");
    assert!(search("").contains("No page") && search(&"ä".repeat(500)).contains("No page"));
}

#[test]
fn all_pages_together_are_below_two_megabytes() {
    let size: usize = FILES.iter().map(|(_, text)| text.len()).sum();
    assert!(size < 2_000_000, "{size} bytes");
}

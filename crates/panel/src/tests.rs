//! The build output can be served as it is: complete, self-contained and valid under the strict content security
//! policy.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

use std::collections::BTreeSet;
use std::io::Read;

use regex::Regex;

use super::*;

fn text(file: &File) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(file.bytes)
        .read_to_string(&mut text)
        .unwrap_or_else(|why| panic!("{}: {why}", file.path));
    text
}

fn index() -> String {
    text(files().iter().find(|file| file.path == "index.html").expect("dist/index.html.gz exists"))
}

fn all<'t>(pattern: &str, text: &'t str) -> Vec<&'t str> {
    Regex::new(pattern).unwrap().captures_iter(text).map(|found| found.get(1).unwrap().as_str()).collect()
}

/// Returns addresses that a browser loads automatically.
fn loaded(file: &File) -> Vec<String> {
    let text = text(file);
    let patterns: &[&str] = match file.content_type.split(';').next().unwrap() {
        "text/html" | "image/svg+xml" => &[
            r#"(?i)\b(?:src|srcset|poster|action)\s*=\s*["']?([^"'\s>]+)"#,
            r#"(?i)<(?:link|use|image)\b[^>]*?\bhref\s*=\s*["']?([^"'\s>]+)"#,
        ],
        "text/css" => &[r#"url\(\s*["']?([^"')]+)"#, r#"@import\s+["']([^"']+)"#],
        "text/javascript" => &[
            r#"\bimport\s*\(?\s*["'`]([^"'`]+)["'`]"#,
            r#"\bfrom\s*["']([^"']+)["']"#,
            r#"\.(?:src|srcset)\s*=\s*["'`]([^"'`]+)["'`]"#,
            r#"\bnew\s+(?:Shared)?Worker\s*\(\s*["'`]([^"'`]+)["'`]"#,
            r#"\b(?:fetch|importScripts|EventSource|WebSocket)\s*\(\s*["'`]([^"'`]+)["'`]"#,
        ],
        _ => &[],
    };
    patterns.iter().flat_map(|pattern| all(pattern, &text)).map(ToOwned::to_owned).collect()
}

/// Whether a browser would request the address from another server.
fn is_outside(address: &str) -> bool {
    address.starts_with("//")
        || ["http:", "https:", "ws:", "wss:"].iter().any(|it| address.to_lowercase().starts_with(it))
}

#[test]
fn embeds_every_file_with_a_type_and_text_as_gzip() {
    let mut folders = vec![&DIST];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        for it in folder.files() {
            let file =
                file(it).unwrap_or_else(|| panic!("the table of content types lacks the extension of {:?}", it.path()));
            let is_packed_already = ["image/png", "font/woff2"].contains(&file.content_type);
            assert_ne!(file.gzip, is_packed_already, "{}", file.path);
            if file.gzip {
                // The gzip head contains no time and no name, so the same text always gives the same bytes.
                assert_eq!(file.bytes[..8], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0], "{}: pack it with `gzip -n`", file.path);
                assert!(!text(&file).is_empty(), "{}", file.path);
            }
            count += 1;
        }
    }
    let paths: BTreeSet<_> = files().iter().map(|file| file.path).collect();
    assert_eq!((paths.len(), files().len()), (count, count), "paths are unique");
}

#[test]
fn the_page_refers_only_to_existing_files() {
    let paths: BTreeSet<_> = files().iter().map(|file| format!("/{}", file.path)).collect();
    let named = all(r#"<(?:script|link|img)\b[^>]*?\b(?:src|href)="([^"]+)""#, &index()).join("\n");
    assert!(named.lines().any(|address| address.starts_with("/assets/")), "{named}");
    // A picture embedded in the page needs no file.
    for address in named.lines().filter(|address| !address.starts_with("data:image/")) {
        assert!(paths.contains(address), "index.html names {address}, which is not in dist");
    }
}

#[test]
fn files_refer_only_to_existing_files() {
    let paths: BTreeSet<_> = files().iter().map(|file| file.path).collect();
    for file in files().iter().filter(|file| file.gzip) {
        let text = text(file);
        for name in all(r#"["'`(/](?:\./|/?assets/)([\w.-]+\.(?:js|css|woff2|svg|png))["'`)]"#, &text) {
            assert!(
                paths.contains(format!("assets/{name}").as_str()),
                "{} refers to the missing file {name}",
                file.path
            );
        }
    }
}

#[test]
fn the_page_has_no_inline_script() {
    let page = index();
    for script in all(r"(?s)(<script\b.*?</script>)", &page) {
        assert!(script.contains(" src=") && script.ends_with("></script>"), "{script}");
    }
    assert!(!Regex::new(r"(?i)<[^>]+\son\w+\s*=|javascript:").unwrap().is_match(&page), "{page}");
}

#[test]
fn loads_nothing_from_another_host() {
    for file in files().iter().filter(|file| file.gzip) {
        let outside: Vec<_> = loaded(file).into_iter().filter(|address| is_outside(address)).collect();
        assert_eq!(outside, Vec::<String>::new(), "{}", file.path);
    }
}

#[test]
fn recognises_each_kind_of_load_from_another_host() {
    let found = |path: &'static str, text: &str| {
        let mut packed = Vec::new();
        flate2::read::GzEncoder::new(text.as_bytes(), flate2::Compression::fast()).read_to_end(&mut packed).unwrap();
        let content_type = content_type(path).unwrap();
        let file = File { path, content_type, bytes: packed.leak(), gzip: true, immutable: false };
        loaded(&file).iter().any(|address| is_outside(address))
    };
    for (path, text) in [
        ("a.html", r#"<script src="https://example.com/a.js"></script>"#),
        ("a.html", r#"<link rel="stylesheet" href="//example.com/a.css">"#),
        ("a.css", "@font-face { src: url(https://example.com/a.woff2) }"),
        ("a.css", r#"@import "http://example.com/a.css";"#),
        ("a.js", r#"import"https://example.com/a.js";"#),
        ("a.js", r#"const a=await import("https://example.com/a.js")"#),
        ("a.js", r#"import a from"https://example.com/a.js";"#),
        ("a.js", r#"image.src="https://example.com/a.png""#),
        ("a.js", r#"fetch("https://example.com/")"#),
    ] {
        assert!(found(path, text), "{text}");
    }
    for (path, text) in [
        ("a.html", r#"<a href="https://example.com/">more</a>"#),
        ("a.svg", r#"<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>"#),
        ("a.js", r#"document.createElementNS("http://www.w3.org/2000/svg","path");fetch("/api/v1/me")"#),
        ("a.css", "a { background: url(data:image/png;base64,AA) }"),
    ] {
        assert!(!found(path, text), "{text}");
    }
}

#[test]
fn only_files_with_a_hash_in_their_name_are_immutable() {
    let hashed = Regex::new(r"^assets/[\w.-]+-[\w-]{8}\.\w+$").unwrap();
    for file in files() {
        assert_eq!(file.immutable, file.path.starts_with("assets/"), "{}", file.path);
        assert_eq!(file.immutable, hashed.is_match(file.path), "{}", file.path);
    }
}

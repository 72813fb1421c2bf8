use super::*;

fn cleaned(html: &str) -> String {
    clean(html).unwrap_or_default()
}

/// Checks that HTML contains no other tags and attributes than those that are allowed, and that each element ends.
fn check(html: &str) {
    let (mut rest, mut open) = (html, Vec::new());
    while let Some((_, tag, after)) = next_tag(rest) {
        let (is_end, name) = name_of(tag);
        if is_end {
            assert_eq!(open.pop(), Some(name), "{html}");
        } else if !VOID.contains(&name.as_str()) {
            assert!(ELEMENTS.contains(&name.as_str()), "{name} in {html}");
            let mut attributes = tag.split('"').step_by(2).map(|it| it.trim().trim_end_matches('='));
            let first = attributes.next().unwrap();
            let first = first.strip_prefix(name.as_str()).unwrap().trim();
            for attribute in std::iter::once(first).chain(attributes) {
                assert!(["", "href", "rel", "target", "dir"].contains(&attribute), "{attribute} in {html}");
            }
            open.push(name);
        }
        rest = after;
    }
    assert_eq!(open, Vec::<String>::new(), "{html}");
    assert!(!rest.contains('<'), "{html}");
}

#[test]
fn keeps_the_form_of_a_text() {
    let html = "<html><head><title>x</title><style>p { color: red }</style></head>\n<body style=\"x\">\
                <p class=a>Hello\n <b>Ada</b>,</p><ul><li>one &amp; two<li>&lt;b&gt; &#228;</ul><hr>\
                <table border=1><tr><td>1<td>2</table><blockquote type=cite>Tea?</blockquote><br/>Bye</body></html>";
    let expected = "<p>Hello <b>Ada</b>,</p><ul><li>one &amp; two</li><li>&lt;b&gt; ä</li></ul><hr>\
                    <table><tr><td>1</td><td>2</td></tr></table><blockquote>Tea?</blockquote><br>Bye";
    assert_eq!(cleaned(html), expected);
    assert_eq!(cleaned("<pre>a\n  b\t&lt;</pre>"), "<pre>a\n  b\t&lt;</pre>");
    assert_eq!(cleaned("<div dir=RTL>שלום</div><p dir=x>a</p>"), "<div dir=\"rtl\">שלום</div><p>a</p>");
    assert_eq!(cleaned("<head><meta charset=x><body>Hi"), "Hi");
}

#[test]
fn keeps_links_to_the_web_only() {
    let link = |href: &str, text: &str| {
        format!("<a href=\"{href}\" rel=\"noopener noreferrer nofollow\" target=\"_blank\">{text}</a>")
    };
    for (html, expected) in [
        ("<a href='https://a.example/?a=1&amp;b=\"2\"'>x</a>", link("https://a.example/?a=1&amp;b=&quot;2&quot;", "x")),
        ("<A TARGET=_top HREF = HTTP://a.example>x</A>", link("HTTP://a.example", "x")),
        ("<a title='href=\"javascript:x\"' href=\"mailto:ada@example.com\">x</a>", link("mailto:ada@example.com", "x")),
        ("<a href=https://a.example><a href=https://b.example>x</a>y</a>", link("https://a.example", "x") + "y"),
    ] {
        assert_eq!(cleaned(html), expected, "{html}");
    }
    for href in [
        "javascript:evil()",
        " java\nscript:evil()",
        "&#106;avascript&colon;evil()",
        "\u{1}javascript:evil()",
        "data:text/html;base64,PHNjcmlwdD4=",
        "vbscript:x",
        "file:///etc/passwd",
        "cid:1",
        "//a.example",
        "/panel",
        "https:/a",
        "",
    ] {
        assert_eq!(cleaned(&format!("<a href=\"{href}\">x</a>")), "x", "{href}");
    }
    let long = format!("<a href=\"https://a.example/{}\">x</a>", "a".repeat(LONGEST_ADDRESS));
    assert_eq!(cleaned(&long), "x");
}

#[test]
fn drops_everything_that_runs_or_loads() {
    for (html, expected) in [
        ("a<script>evil('<p>')</script>b", "ab"),
        ("a<SCRIPT src=x>evil</script >b", "ab"),
        ("<p onclick=\"evil()\" style=\"background: url(https://a.example/t)\" id=x class=y>a</p>", "<p>a</p>"),
        ("a<img src=\"https://a.example/t.gif\" width=1 height=1>", "a"),
        ("a<img src=\"cid:1\" alt=\"The &lt;b&gt; cat\">", "a[The &lt;b&gt; cat]"),
        ("a<img src=x onerror=evil()>", "a"),
        ("a<svg onload=evil()><a href=https://a.example>b</a></svg>c", "ac"),
        ("a<iframe srcdoc=\"<p>\">b</iframe>c", "ac"),
        ("<form action=https://a.example><input name=p value=v><button>Send</button></form>", "Send"),
        ("<base href=https://a.example><meta http-equiv=refresh content=0><link rel=stylesheet href=x>a", "a"),
        ("<video poster=https://a.example/t src=x>b</video>a", "a"),
        ("<!--[if mso]><p>a</p><![endif]-->b<![if !mso]>c<![endif]>", "bc"),
        ("<x-evil>a</x-evil><font color=red>b</font><center>c</center>", "abc"),
        ("<plaintext>a<script>evil()</script>", "a"),
    ] {
        assert_eq!(cleaned(html), expected, "{html}");
        check(&cleaned(html));
    }
}

#[test]
fn broken_html_has_no_other_tags() {
    for html in [
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
        "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
        "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
        "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
        "<p title=\"a>b\" onclick=\"evil()\">x</p>",
        "<a href=\"https://a.example\"onmouseover=\"evil()\">x</a>",
        "<a href='https://a.example/\"><script>evil()</script>'>x</a>",
        "<p/onclick=evil()//>x",
        "<<p>><</p>>",
        "<p",
        "<p <b>x</b>",
        "&lt;script&gt;evil()&lt;/script&gt; &amp;lt;script&amp;gt;",
        "</p></div></table>x",
        "<b><p></b>x</p>",
        "<a = href=https://a.example>x</a>",
    ] {
        let html = cleaned(html);
        check(&html);
        assert!(!html.contains("<script") && !html.contains("<img"), "{html}");
        assert_eq!(cleaned(&html), html, "it stays the same");
    }
}

#[test]
fn returns_nothing_without_a_text() {
    for html in ["", " \n", "<p> <br></p>", "<script>x</script>", "<img src=x>", "<table><tr><td></table>", "&nbsp;"] {
        assert_eq!(clean(html), None, "{html}");
    }
}

#[test]
fn is_bounded() {
    for html in [
        "<table><tr><td>".repeat(1_500_000),
        "<table><tr><td>x</td></tr></table>".repeat(100_000),
        "x".repeat(1_000_000),
        "&amp;".repeat(100_000),
        "<p ".repeat(200_000),
        format!("<p {}>x", "a=b ".repeat(100_000)),
        "<!-- ".repeat(100_000),
        format!("<a href=\"https://a.example/{}\">x</a>", "&amp;".repeat(1_900)).repeat(100),
    ] {
        let html = cleaned(&html);
        assert!(html.len() <= 2 * MAX_CLEAN, "{}", html.len());
        check(&html);
    }
}

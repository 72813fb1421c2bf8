//! Tests of template features and limits.

use minijinja::Environment;
use serde_json::json;

use super::builtins::{FILTERS, FUNCTIONS, Filter, REFUSED_FILTERS, REFUSED_FUNCTIONS, REFUSED_TESTS, TESTS, Test};
use super::*;

fn render(text: &str) -> Result<String, TemplateError> {
    let context = json!({"contact": {"first_name": "Zoë"}, "vars": {"n": 3}});
    Template::parse(text)?.render(context.as_object().expect("an object"))
}

/// Returns large values as a run may have them, scaled by `times`.
fn values(times: usize) -> Map<String, Value> {
    let numbers: Vec<usize> = (0..100 * times).rev().collect();
    let texts: Vec<String> = (0..50 * times).map(|n| format!("Straße {n}")).collect();
    let map: Map<String, Value> = (0..50 * times).map(|n| (format!("k{n}"), json!(n))).collect();
    let dates: Vec<String> = (0..50 * times).map(|n| format!("2026-01-31T09:{:02}:00Z", n % 60)).collect();
    let context = json!({"dates": dates, "text": "aB ß".repeat(150 * times), "line": "a,\n".repeat(200 * times), "numbers": numbers,
                         "texts": texts, "map": map, "one": 1, "huge": 1e300});
    context.as_object().cloned().expect("an object")
}

/// Repeats a text a million times.
fn for_ever(inner: &str) -> String {
    format!("{{% for a in range(1000) %}}{{% for b in range(1000) %}}{inner}{{% endfor %}}{{% endfor %}}")
}

/// Nests loops that rebind a name to a value made from its previous value.
fn nested(seed: &str, made: &str, end: &str) -> String {
    let (begin, ends) = (format!("{{% for a in [{made}] %}}").repeat(30), "{% endfor %}".repeat(30));
    format!("{{% for a in [{seed}] %}}{begin}{end}{ends}{{% endfor %}}")
}

/// Returns templates that try to use as much time or memory as possible.
fn greedy() -> Vec<String> {
    let tests = [
        "numbers == numbers",
        "'ßaB' in text",
        "text|upper",
        "texts|sort",
        "texts|map('upper')",
        "texts|map('default', text)",
        "text == text",
        "map == map",
        "-1 in numbers",
        "text < text",
        "text[a:]",
        "numbers[a:]",
        "text[-1]",
        "numbers is in([numbers])",
        "text|lower",
        "text|title",
        "text|capitalize",
        "text|split(' ')",
        "text|split",
        "line|lines",
        "text|replace('a', 'b')",
        "text|replace('', '')",
        "text|reverse",
        "text|trim('aBß ')",
        "text|list",
        "numbers|sort",
        "texts|sort(attribute='a,a,a,a,a,a,a,a,a,a,a,a')",
        "texts|unique",
        "map|dictsort",
        "numbers|join(',')",
        "texts|map('replace', 'a', 'b')",
        "texts|map('split', '')",
        "numbers|select('in', numbers)",
        "numbers|reject('odd')",
        "numbers|sum",
        "texts|max",
        "texts|string",
        "numbers|string",
        "map|string",
        "map|items",
        "text|int(default=0)",
        "text|float(default=0)",
        "numbers|map('round', 1000)",
        "texts|selectattr('a', 'in', texts)",
        "dates|map('date', '%A %B %d %H:%M:%S %Z %A %B %d %H:%M:%S %Z %A %B %d %H:%M:%S', 'America/New_York')",
        "numbers|map('number', 20, ',', '.')",
        "huge|number(2, ',', '.')",
        "text|truncate(4000)",
        "texts|map('truncate', 5)",
        "text|urlencode",
        "texts|map('urlencode')",
    ];
    let mut all = vec![
        nested("text", "a|replace('a', 'aa')", "{{ a|length }}"),
        nested("'xy'", "[a, a]", "{{ a|string|length }}"),
        nested("'xy'", "{'a': a, 'b': a}", "{{ a|length }}"),
        nested("['xy']", "a|map('replace', 'x', 'xx')|list", "{{ a|length }}"),
        nested("'xy'", "a ~ a", "{{ a|length }}"),
        for_ever("{% for c in text %}{% endfor %}"),
        for_ever(&"long".repeat(50)),
    ];
    all.extend(tests.map(|test| for_ever(&format!("{{% if {test} %}}{{% endif %}}"))));
    all
}

#[test]
fn renders_whole_numbers_without_a_fraction() {
    let context = json!({"vars": {"points": 7.0, "half": 0.5, "list": [1.0, 2.5], "deep": {"n": [-3.0]}, "huge": 1e20, "id": "7.0"}});
    let context = context.as_object().expect("an object");
    for (text, expected) in [
        ("{{ vars.points }} points", "7 points"),
        ("{{ vars.points ~ ' points' }}", "7 points"),
        ("{{ vars.points | string }}{{ (14 / 2) | string }}", "77"),
        ("{{ 14 / 2 }} {{ 14 / 2 ~ '!' }} {{ 7 / 2 }}", "7 7! 3.5"),
        ("{{ vars.half + vars.half }} {{ vars.half }}", "1 0.5"),
        ("{{ vars.list | join(', ') }} {{ vars.list }} {{ vars.list | sum }}", "1, 2.5 [1, 2.5] 3.5"),
        ("{{ vars.deep.n[0] }} {{ 2.6 | round }} {{ '4' | float }}", "-3 3 4"),
        ("{{ vars.points | number(1) }} {{ vars.id }}", "7.0 7.0"),
        ("{{ vars.points == 7 and vars.points is integer }}", "True"),
        ("{{ vars.huge }}", "100000000000000000000"),
    ] {
        let rendered = Template::read(text).render(context);
        assert_eq!(rendered.as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn renders_names_defaults_and_filters() {
    assert_eq!(render("Hi {{ contact.first_name | upper }}").as_deref(), Ok("Hi ZOË"));
    assert_eq!(render("Hi {{ contact.last_name | default('there') }}").as_deref(), Ok("Hi there"));
    assert_eq!(render("{{ nothing.at.all }}.").as_deref(), Ok("."));
    assert_eq!(render("{% if vars.n > 2 %}many{% endif %}").as_deref(), Ok("many"));
    assert_eq!(render("{%- for n in [1, 2] -%} {{ n }} {%- endfor %}").as_deref(), Ok("12"));
    assert_eq!(render("{{ ['a', 'b'] | join(', ') | replace('a', 'c') }} {x} 100%").as_deref(), Ok("c, b {x} 100%"));
    assert_eq!(render("{{ 'a' ~ vars.n }}{{ vars.n * 2 + 1 }}").as_deref(), Ok("a37"));
    assert_eq!(render("{{ contact['first_name'][0] }}{{ 'abc'[1:] }}{{ [1, 2, 3][:2] }}").as_deref(), Ok("Zbc[1, 2]"));
    assert_eq!(render("{{ 'yes' if vars.n is odd and 1 <= vars.n < 4 else 'no' }}").as_deref(), Ok("yes"));
    assert_eq!(
        render("{% for k, v in {'a': 1}|items %}{{ k }}{{ v }}{{ loop.index }}{% endfor %}").as_deref(),
        Ok("a11")
    );
    assert_eq!(render("{{ range(3)|map('string')|join('-') }}").as_deref(), Ok("0-1-2"));
    assert_eq!(
        render("{{ [{'n': 2}, {'n': 1}]|sort(attribute='n')|map(attribute='n')|list }}").as_deref(),
        Ok("[1, 2]")
    );
    assert_eq!(render("{% raw %}{{ x }}{% endraw %}{# nothing #}").as_deref(), Ok("{{ x }}"));
}

#[test]
fn reports_where_a_text_is_invalid_or_not_allowed() {
    let wrong = |text: &str| Template::parse(text).expect_err(text).0;
    assert!(wrong("one\n{{ contact.").contains("line 2"));
    assert_eq!(wrong("{{ a | uper }}"), "unknown filter uper (line 1); did you mean: upper");
    assert_eq!(wrong("\n{{ a | indent(9) }}"), "the filter indent is not allowed in texts (line 2)");
    assert_eq!(wrong("{{ a is sameas b }}"), "the test sameas is not allowed in texts (line 1)");
    assert_eq!(wrong("{{ dict(a=1) }}"), "the function dict is not allowed in texts (line 1)");
    assert_eq!(
        wrong("{% if '%}' %}{% set a = 1 %}{% endif %}x").split(';').next(),
        Some("the statement set is not supported")
    );
    for refused in [
        "{% with a = 1 %}{% endwith %}",
        "{% filter upper %}x{% endfilter %}",
        "{{ loop.cycle(1) }}",
        "{{ a.b() }}",
        "{% for a in b recursive %}{{ loop(a) }}{% endfor %}",
        "{{ range(*[1]) }}",
        "{{ 'abc'[::-1] }}",
        "{{ 'x' * 1000000000 }}",
        "{{ [1] * 3 }}",
        "{% macro a() %}{% endmacro %}",
        "{% include 'a' %}",
        "{{ debug() }}",
    ] {
        assert!(Template::parse(refused).is_err(), "{refused}");
    }
    for filter in REFUSED_FILTERS {
        assert!(wrong(&format!("{{{{ a|{filter} }}}}")).contains("not allowed"), "{filter}");
        // Also by a name that is only known at run time.
        assert!(render(&format!("{{{{ [1]|map('{filter}')|list }}}}")).is_err(), "{filter}");
    }
    let stored = Template::read("{{ a|indent(9) }}");
    assert!(stored.render_error().is_some() && stored.render(&Map::new()).is_err() && stored.names().is_empty());
}

#[test]
fn every_builtin_of_the_engine_is_allowed_or_refused() {
    let engine = format!("{:?}", Environment::new());
    let names = |kind: &str| -> Vec<String> {
        let list = engine.split_once(&format!("{kind}: [")).expect(kind).1.split_once("],").expect(kind).0;
        list.split(", ").map(|name| name.trim_matches('"').to_owned()).collect()
    };
    let functions: Vec<String> = Environment::new().globals().map(|(name, _)| name.to_owned()).collect();
    let filters: Vec<&str> = FILTERS.iter().map(|it| it.name).chain(REFUSED_FILTERS).collect();
    let tests: Vec<&str> = TESTS.iter().map(|it| it.name).chain(REFUSED_TESTS).collect();
    let decided: Vec<&str> = FUNCTIONS.into_iter().chain(REFUSED_FUNCTIONS).collect();
    for (found, decided) in [(names("filters"), filters), (names("tests"), tests), (functions, decided)] {
        assert!(found.len() > 3, "{found:?}");
        let new: Vec<_> = found.iter().filter(|name| !decided.contains(&name.as_str())).collect();
        assert!(new.is_empty(), "allow or refuse in builtins.rs: {new:?}");
    }
}

#[test]
fn every_builtin_stays_within_bounds_for_any_argument() {
    let context = values(1);
    let mut rendered = 0;
    let mut holds = |text: String| {
        let Ok(template) = Template::parse(&text) else { panic!("{text}: {:?}", Template::parse(&text)) };
        if let Ok(text) = template.render_value(&context) {
            assert!(text.len() <= budget::MAX_BYTES, "{text}");
        }
        rendered += 1;
    };
    let huge = ["1000000000000000000", "-1000000000000000000", "text", "numbers"];
    let named = [
        "attribute",
        "default",
        "start",
        "base",
        "precision",
        "by",
        "reverse",
        "case_sensitive",
        "format",
        "zone",
        "decimals",
        "decimal_mark",
        "group_mark",
        "length",
        "end",
    ];
    for value in ["text", "texts", "map", "huge", "dates[0]"] {
        for Filter { name, .. } in FILTERS {
            holds(format!("{{{{ {value}|{name} }}}}"));
            for huge in huge {
                holds(format!("{{{{ {value}|{name}({huge}) }}}}"));
                holds(format!("{{{{ {value}|{name}('a', {huge}) }}}}"));
                holds(format!("{{{{ {value}|{name}(1, 1, {huge}) }}}}"));
                holds(format!("{{{{ [{value}, {value}]|map('{name}', {huge})|list|length }}}}"));
            }
            named.iter().for_each(|argument| holds(format!("{{{{ {value}|{name}({argument}=text) }}}}")));
        }
        for Test { name, .. } in TESTS.iter().filter(|it| it.name.starts_with(char::is_alphabetic)) {
            holds(format!("{{{{ {value} is {name} }}}}"));
            huge.iter().for_each(|huge| holds(format!("{{{{ {value} is {name}({huge}) }}}}")));
        }
    }
    for huge in huge {
        for call in [format!("range({huge})"), format!("range(0, {huge})"), format!("range(0, 9, {huge})")] {
            holds(format!("{{{{ {call}|length }}}}"));
        }
        holds(format!("{{{{ text[{huge}:] }}}}{{{{ numbers[:{huge}] }}}}{{{{ text[{huge}] }}}}"));
        holds(format!("{{{{ {huge} * {huge} }}}}{{{{ -one ** one }}}}"));
    }
    assert!(rendered > 2_500, "{rendered}");
}

#[test]
fn stops_texts_that_run_too_long_or_grow_too_large() {
    let context = values(20);
    for text in greedy() {
        assert!(Template::read(&text).render_value(&context).is_err(), "{text}");
    }
    let endless = "{% for a in range(999) %}{% for b in range(999) %}x{% endfor %}{% endfor %}";
    assert!(render(endless).is_err());
    assert!(render("{% for a in range(5000) %}x{% endfor %}").is_err());
    assert!(render(&format!("{{{{ '}}}}\\'' {} }}}}", "~ vars.n".repeat(9))).is_err());
    assert!(render("Hi {{ '\\u0000' }}").is_err());
    let long = json!({"x": "x".repeat(250_000)});
    let template = Template::parse("{% for n in range(900) %}{{ x }}{% endfor %}").expect("the template parses");
    assert!(template.render(long.as_object().expect("an object")).is_err());
    assert!(render(&format!("{{{{ 'a' {} }}}}", "| replace('a', 'aa')".repeat(60))).is_err());
    assert!(render(&format!("{{{{ range(900) | join('{}') }}}}", "long".repeat(100))).is_err());
    assert!(render(&format!("{{{{ {}1{} }}}}", "[".repeat(120), "]".repeat(120))).is_err());
    assert!(render(&format!("{{{{ a{} }}}}", ".a".repeat(2_000))).is_err());
    assert!(render(&format!("{{{{ a{} }}}}", "|d".repeat(2_000))).is_err());
    assert!(render(&format!("{{{{ {}1 }}}}", "not ".repeat(1_000))).is_err());
    assert!(render(&format!("{{{{ 1{} }}}}", "-1".repeat(2_000))).is_err());
    assert!(render("  {{ nothing }} ").is_err());
}

/// Measure with `cargo test --release -p tidings-domain -- --ignored --nocapture milliseconds`.
#[test]
#[ignore = "it measures time, which a busy machine has less of"]
fn no_text_takes_more_than_fifty_milliseconds() {
    let context = values(20);
    let mut slowest = Vec::new();
    for text in greedy() {
        let template = Template::read(&text);
        let begun = std::time::Instant::now();
        let _ = template.render_value(&context);
        slowest.push((begun.elapsed(), text));
    }
    slowest.sort();
    for (time, text) in slowest.iter().rev().take(12) {
        println!("{time:?} {text}");
    }
    assert!(slowest.iter().all(|(time, _)| time.as_millis() <= 50));
}

//! Tests of the project's own filters.

use serde_json::json;

use super::*;

/// Renders a template for a contact in Berlin, in a workspace in New York.
fn render(text: &str) -> Result<String, String> {
    let context = json!({
        "now": "2026-03-29T00:30:00.000Z", "vars": {"n": 1234567.891, "whole": -1234, "none": null, "list": [1]},
        "custom_fields": {"birthday": "1990-02-05", "due": "2026-12-24T18:00:00+01:00"},
        "contact": {"first_name": "Zoë & Co/KG"},
    });
    let mut context = context.as_object().cloned().expect("an object");
    put_zones(&mut context, chrono_tz::Europe::Berlin, chrono_tz::America::New_York);
    Template::parse(text).and_then(|template| template.render_value(&context)).map_err(|TemplateError(why)| why)
}

fn renders(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(render(text).as_deref(), Ok(*expected), "{text}");
    }
}

fn fails(cases: &[(&str, &str)]) {
    for (text, part) in cases {
        let why = render(text).expect_err(text);
        assert!(why.contains(part), "{text}: {why}");
    }
}

#[test]
fn date_uses_the_zone_of_the_contact_the_workspace_or_a_name() {
    renders(&[
        ("{{ now|date('%d.%m.%Y %H:%M') }}", "29.03.2026 01:30"),
        ("{{ now|date('%H:%M', 'contact') }}", "01:30"),
        ("{{ now|date('%-d %b, %-I:%M %p', 'workspace') }}", "28 Mar, 8:30 PM"),
        (
            "{{ now|date(zone='Asia/Tokyo', format='%A %Y-%m-%d %H:%M:%S %z %Z') }}",
            "Sunday 2026-03-29 09:30:00 +0900 JST",
        ),
        ("{{ now|date }}", "2026-03-29"),
        ("{{ now|date(zone='workspace') }}", "2026-03-28"),
        ("{{ custom_fields.due|date('%H:%M %:z') }}", "18:00 +01:00"),
        ("{{ ['2026-03-29T01:00:00Z', now]|map('date', '%H')|join(',') }}", "03,01"),
        ("{% for contact in [1] %}{{ now|date('%H', 'contact') }}{% endfor %}", "01"),
        ("{{ '0001-01-01T00:00:00Z'|date('%Y', 'workspace') }}{{ '9999-12-31T23:59:59Z'|date('%y') }}", "000000"),
    ]);
    // Without time zones in the values, UTC applies.
    let now = json!({"now": "2026-03-29T00:30:00.000Z"});
    let rendered =
        Template::parse("{{ now|date('%H') }}").and_then(|it| it.render(now.as_object().expect("an object")));
    assert_eq!(rendered.as_deref(), Ok("00"));
}

#[test]
fn date_formats_plain_dates_without_a_time_zone() {
    renders(&[
        (
            "{{ custom_fields.birthday|date('%d.%m.%y, %B %-d, day %j, week %V of %G, %u, 100%%') }}",
            "05.02.90, February 5, day 036, week 06 of 1990, 1, 100%",
        ),
        ("{{ custom_fields.birthday|date('%F' if vars.unset else '%d', 'Pacific/Apia') }}", "05"),
    ]);
    fails(&[
        (
            "{{ custom_fields.birthday|date('%d %H:%M') }}",
            "%H formats a time of day, but 1990-02-05 is a date without a time",
        ),
        ("{{ '+1990-2-05'|date }}", "requires a date such as 2026-01-31"),
    ]);
}

#[test]
fn date_errors_state_what_is_expected() {
    fails(&[
        ("{{ contact.first_name|date('%Y') }}", "got Zoë & Co/KG (line 1)"),
        ("{{ vars.n|date }}", "got 1234567.891"),
        ("{{ vars.list|date }}", "got a value of type sequence"),
        ("{{ now|date('%Y', vars.n) }}", "zone must be a text, got 1234567.891"),
        ("{{ now|date('%Y', format='%m') }}", "format is set twice"),
        ("{{ now|date(form='%Y') }}", "form"),
        ("{{ now|date('%Y', 'UTC', 3) }}", "too many"),
        ("{{ now|date('%' ~ 'Q') }}", "%Q is not a directive of date formats; supported: %Y"),
        ("{{ now|date('%d', 'Mars' ~ '/Base') }}", "unknown time zone Mars/Base; expected contact, workspace or"),
    ]);
    // Literal formats are rejected when the template is parsed, whatever the value.
    for text in [
        "{{ nothing|date('%Y %Q') }}",
        "{{ nothing|date('%') }}",
        "{{ nothing|date(format='%5Y') }}",
        "{{ nothing|date(vars.format, 'Berlin') }}",
        "{{ nothing|date(zone='CEST!') }}",
        &format!("{{{{ nothing|date('{}') }}}}", "x".repeat(101)),
    ] {
        assert!(Template::read(text).render_error().is_some(), "{text}");
    }
    assert_eq!(Template::read("{{ now|date(vars.format, vars.zone) }}").render_error(), None);
}

#[test]
fn number_rounds_decimals_and_inserts_marks() {
    renders(&[
        ("{{ vars.n|number }} {{ vars.n|number(2) }} {{ vars.n|number(0) }}", "1234567.891 1234567.89 1234568"),
        ("{{ vars.n|number(2, ',', '.') }}", "1.234.567,89"),
        ("{{ vars.n|number(decimals=1, group_mark=' ') }}", "1 234 567.9"),
        ("{{ vars.whole|number(2, group_mark=',') }}", "-1,234.00"),
        (
            "{{ 2.675|number(2) }} {{ -0.5|number(0) }} {{ 9.995|number(2) }} {{ 999.5|number(0, ',', '.') }}",
            "2.68 -1 10.00 1.000",
        ),
        ("{{ -0.001|number(2) }} {{ '007.10'|number }} {{ ' 12 '|number(1) }}", "0.00 7.10 12.0"),
        ("{{ (1 / 3)|number }} {{ 1e21|number(0, '.', ',') }}", "0.3333333333333333 1,000,000,000,000,000,000,000"),
        ("{{ [1, 2.5]|map('number', 2)|join(' ') }}", "1.00 2.50"),
    ]);
    fails(&[
        ("{{ contact.first_name|number }}", "number requires a number such as 12 or 1234.5, got Zoë & Co/KG"),
        ("{{ '1.'|number }}", "got 1."),
        ("{{ '1,5'|number }}", "got 1,5"),
        ("{{ true|number }}", "got True"),
        ("{{ vars.n|number(21) }}", "decimals must be a whole number from 0 to 20, got 21"),
        ("{{ vars.n|number(2, '') }}", "decimal_mark must be one character"),
        ("{{ vars.n|number(2, ',', ',') }}", "group_mark must be empty, or one character"),
        ("{{ vars.n|number(2, group_mark='1') }}", "group_mark must be empty, or one character"),
    ]);
}

#[test]
fn truncate_shortens_texts_at_the_end_of_a_word() {
    renders(&[
        ("{{ 'The quick brown fox'|truncate(12) }}", "The quick…"),
        ("{{ 'The quick brown fox'|truncate(10) }}", "The quick…"),
        ("{{ 'The quick brown fox'|truncate(19) }}", "The quick brown fox"),
        ("{{ 'The quick brown fox'|truncate(14, '...') }}", "The quick..."),
        ("{{ 'Donaudampfschiff'|truncate(6) }}", "Donau…"),
        ("{{ 'ßßßß'|truncate(3, end='') }}", "ßßß"),
        ("{{ 123456|truncate(3) }}", "12…"),
        ("{{ vars.none|truncate(3)|default('nothing') }}", "nothing"),
    ]);
    fails(&[
        ("{{ 'a'|truncate }}", "truncate requires a length, such as truncate(80)"),
        ("{{ 'a'|truncate(0) }}", "length must be a whole number from 1 to 4096, got 0"),
        ("{{ 'a'|truncate(2, '...') }}", "must not be longer than"),
        ("{{ vars.list|truncate(2) }}", "truncate requires a text, got a value of type sequence"),
    ]);
}

#[test]
fn urlencode_escapes_all_reserved_characters() {
    renders(&[
        ("{{ contact.first_name|urlencode }}", "Zo%C3%AB%20%26%20Co%2FKG"),
        ("{{ 'aZ09-._~'|urlencode }}{{ 12|urlencode }}", "aZ09-._~12"),
    ]);
    fails(&[("{{ {'a': 1}|urlencode }}", "urlencode requires a text, got a value of type map")]);
}

#[test]
fn filters_keep_missing_values_undefined() {
    for filter in ["date('%Y')", "number(2)", "truncate(9)", "urlencode"] {
        for value in ["nothing", "vars.none", "contact.last_name"] {
            assert_eq!(
                render(&format!("{{{{ {value}|{filter}|default('-') }}}}")).as_deref(),
                Ok("-"),
                "{value} {filter}"
            );
        }
    }
}

#[test]
fn asks_for_a_time_zone_only_if_a_text_uses_dates() {
    let asks = |text: &str| Template::asks_zone(&json!({"text": text}).to_string());
    assert!(asks("{{ now|date('%H') }}") && asks("{{ [now]|map('da' ~ 'te')|first }}"));
    assert!(!asks("Hi {{ contact.first_name }}"));
}

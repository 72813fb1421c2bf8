//! Tests that a template can only output secrets: generated templates and typical attacks.

use proptest::prelude::*;
use proptest::sample::select;

use super::{Template, TemplateError};

/// Text between outputs.
fn plain() -> impl Strategy<Value = String> {
    select(vec!["", "Bearer ", "a b", "\n", "{# secrets.A #}", "{% raw %}{{ secrets.A|upper }}{% endraw %}", "secrets"])
        .prop_map(ToOwned::to_owned)
}

/// An expression without secrets.
fn harmless() -> impl Strategy<Value = String> {
    let leaves =
        ["vars.x", "'secrets.A'", "7", "now", "vars.secrets.A", "contact['secrets']", "vars.list|first", "[1, 2]"];
    select(leaves.to_vec()).prop_map(ToOwned::to_owned)
}

/// The allowed form.
fn bare() -> impl Strategy<Value = String> {
    select(vec!["{{ secrets.A }}", "{{secrets.TOKEN_2}}", "{{- secrets.A -}}", "{{ secrets . A }}"])
        .prop_map(ToOwned::to_owned)
}

/// An expression that uses secrets.
fn expression() -> impl Strategy<Value = String> {
    let leaves = ["secrets", "secrets.A", "secrets['A']", "secrets[vars.x]", "secrets.A.B", "secrets.A[0]"];
    let leaf = select(leaves.to_vec()).prop_map(ToOwned::to_owned);
    leaf.prop_recursive(3, 8, 2, |inner| {
        (inner, harmless(), 0..24_usize).prop_map(|(secret, other, form)| match form {
            0 => format!("{secret}|upper"),
            1 => format!("({secret}|list)[0]"),
            2 => format!("{secret} ~ {other}"),
            3 => format!("{other} + {secret}"),
            4 => format!("{secret} == {other}"),
            5 => format!("{other} in {secret}"),
            6 => format!("{secret} is defined"),
            7 => format!("not {secret}"),
            8 => format!("{secret} if {other} else {other}"),
            9 => format!("{other} if {secret} else {other}"),
            10 => format!("[{other}, {secret}]"),
            11 => format!("{{'k': {secret}}}"),
            12 => format!("{{{secret}: 1}}"),
            13 => format!("{other}|default({secret})"),
            14 => format!("{other}|replace(from={secret}, to='x')"),
            15 => format!("{secret}[1:]"),
            16 => format!("vars.list[{secret}]"),
            17 => format!("range({secret})"),
            18 => format!("{other} is eq({secret})"),
            19 => format!("-{secret}"),
            20 => format!("{secret} and {other}"),
            21 => format!("{other} or {secret}"),
            22 => format!("({secret}, {other})"),
            _ => format!("1 < {other} < {secret}"),
        })
    })
}

/// A statement that processes a secret.
fn misuse() -> impl Strategy<Value = String> {
    // `secrets.A` alone is allowed as an output; the filter makes it a misuse.
    (expression(), 0..16_usize).prop_map(|(secret, form)| match form {
        0 => format!("{{{{ ({secret})|trim }}}}"),
        1 => format!("{{% if {secret} %}}yes{{% endif %}}"),
        2 => format!("{{% if vars.x %}}{{% elif {secret} %}}yes{{% endif %}}"),
        3 => format!("{{% for c in {secret} %}}{{{{ c }}}}{{% endfor %}}"),
        4 => format!("{{% for c in vars.list if {secret} %}}{{{{ c }}}}{{% endfor %}}"),
        5 => "{% for secrets in vars.list %}x{% endfor %}".to_owned(),
        6 => "{% for a, secrets in vars.list %}{{ secrets.A }}{% endfor %}".to_owned(),
        7 => format!("{{% set s = {secret} %}}{{{{ s }}}}"),
        8 => "{% set s %}{{ secrets.A }}{% endset %}{{ s|upper }}".to_owned(),
        9 => "{% set s %}{% if vars.x %}{{ secrets.A }}{% endif %}{% endset %}".to_owned(),
        10 => "{% filter upper %}{{ secrets.A }}{% endfilter %}".to_owned(),
        11 => "{% filter upper %}{% for x in vars.list %}{{ secrets.A }}{% endfor %}{% endfilter %}".to_owned(),
        12 => format!("{{% with s = {secret} %}}{{{{ s }}}}{{% endwith %}}"),
        13 => "{% with x = 1 %}{{ secrets.A }}{% endwith %}".to_owned(),
        14 => "{% autoescape true %}{{ secrets.A }}{% endautoescape %}".to_owned(),
        _ => format!("{{{{ [{secret}] }}}}"),
    })
}

/// Puts a template into conditions and loops without secrets.
fn nested(inner: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (inner, plain(), harmless(), 0..6_usize).prop_map(|(inner, plain, other, form)| match form {
        0 => inner,
        1 => format!("{plain}{inner}{plain}"),
        2 => format!("{{% if {other} %}}{inner}{{% endif %}}"),
        3 => format!("{{% if {other} %}}x{{% else %}}{inner}{{% endif %}}"),
        4 => format!("{{% for it in {other} %}}{plain}{inner}{{% endfor %}}"),
        _ => format!("{{% for it in {other} %}}{{% if it %}}{inner}{{% endif %}}{{% else %}}{inner}{{% endfor %}}"),
    })
}

/// Whether a template is rejected because of secrets, or does not parse.
fn is_refused(text: &str) -> bool {
    let template = Template::read(text);
    match (template.secret_misuse(), template.render_error()) {
        (Some(why), _) => why.0.contains("{{ secrets.NAME }}") && why.0.contains("line "),
        (None, Some(why)) => why.0.starts_with("invalid template"),
        (None, None) => false,
    }
}

proptest! {
    #[test]
    fn accepts_every_secret_that_is_an_output_of_its_own(text in nested(nested(bare()))) {
        let template = Template::parse(&text).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
        prop_assert_eq!(template.secret_misuse(), None, "{}", text);
    }

    #[test]
    fn refuses_every_other_use_of_a_secret(text in nested(nested(misuse()))) {
        prop_assert!(is_refused(&text), "{}", text);
    }

    #[test]
    fn refuses_a_misuse_beside_an_allowed_output(one in bare(), other in nested(misuse()), first in any::<bool>()) {
        let text = if first { format!("{one}{other}") } else { format!("{other}{one}") };
        prop_assert!(is_refused(&text), "{}", text);
    }
}

#[test]
fn no_function_shows_the_secrets_that_a_text_does_not_name() {
    for text in
        ["{{ debug() }}", "{{ self }}", "{{ self.secrets }}", "{{ context }}", "{{ dict() }}", "{{ namespace() }}"]
    {
        let values = serde_json::json!({"secrets": {"A": "s3cret"}});
        let shown = Template::read(text).render_value(values.as_object().expect("an object"));
        assert!(shown.as_ref().map_or(true, |shown| !shown.contains("s3cret")), "{text}: {shown:?}");
    }
    for text in [
        "{% include 'x' %}{{ secrets.A }}",
        "{% macro m() %}{{ secrets.A }}{% endmacro %}",
        "{% call m() %}{% endcall %}",
    ] {
        assert!(Template::parse(text).is_err(), "{text}");
    }
}

#[test]
fn handles_deeply_nested_and_long_texts() {
    let nested = |levels: usize| format!("{{{{ {}secrets.A{} }}}}", "(".repeat(levels), ")".repeat(levels));
    let filtered = |filter: &str, times: usize| format!("{{{{ secrets.A{} }}}}", filter.repeat(times));
    // Parentheses alone do not process the secret.
    let shallow = Template::parse(&nested(20)).unwrap();
    assert_eq!(shallow.secret_misuse(), None);
    for (text, why) in [
        (nested(120), "exceeds maximum recursion limits"),
        (filtered("|upper", 2_000), "at most 100 levels deep"),
        (filtered("|e", 8_000), "the filter e is not allowed"),
    ] {
        let TemplateError(refused) = Template::parse(&text).unwrap_err();
        assert!(refused.contains(why), "{refused}");
    }
    for times in [1, 90, 300] {
        assert!(Template::read(&filtered("|upper", times)).secret_misuse().is_some(), "{times} filters");
    }
}

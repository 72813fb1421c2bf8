use super::*;
use std::collections::BTreeMap;

fn fields() -> Vec<CustomField> {
    let field = |key: &str, name: &str| CustomField {
        key: key.to_owned(),
        name: name.to_owned(),
        kind: ColumnKind::Text,
        options: Vec::new(),
    };
    vec![field("company", "Company name"), field("nickname", "Spitzname")]
}

/// The results in short: `email`, `?subscribed!` (proposed, inverted), `2:phone` (conflict with column 2), `0<name`
/// (superseded by column 0), `read-only`, `reason`, `unknown`, `nameless`.
fn matched(headings: &[&str], given: &[(&str, &str)]) -> Vec<String> {
    let headings: Vec<_> = headings.iter().map(|it| (*it).to_owned()).collect();
    let given: Vec<_> = given.iter().map(|(it, target)| ((*it).to_owned(), Target::parse(target).unwrap())).collect();
    let matches = match_headings(&headings, &fields(), &given).unwrap();
    let shown = |it: &Match| match it {
        Match::Given(target) => format!("={target}"),
        Match::Mapped(target) => target.to_string(),
        Match::Proposed { target, is_inverted } => format!("?{target}{}", if *is_inverted { "!" } else { "" }),
        Match::Conflict { target, others } => format!("{}:{target}", others[0]),
        Match::Superseded { target, by } => format!("{}<{target}", by[0]),
        Match::ReadOnly => "read-only".to_owned(),
        Match::RejectionReason => "reason".to_owned(),
        Match::Unknown => "unknown".to_owned(),
        Match::Nameless => "nameless".to_owned(),
    };
    matches.columns.iter().map(shown).collect()
}

#[test]
fn maps_the_usual_exports() {
    for (headings, expected) in [
        // HubSpot
        (
            &[
                "Record ID",
                "First Name",
                "Last Name",
                "Email",
                "Phone Number",
                "Preferred language",
                "Unsubscribed from all email",
                "Opted out of email: Newsletter",
                "Lead Status",
            ][..],
            &[
                "external_id",
                "first_name",
                "last_name",
                "email",
                "phone",
                "locale",
                "?subscribed!",
                "?subscribed!",
                "unknown",
            ][..],
        ),
        // Intercom
        (
            &["Name", "Email", "Phone", "User ID", "Language override", "Unsubscribed from emails", "Tag", "Last seen"],
            &["name", "email", "phone", "external_id", "locale", "?subscribed!", "tags", "unknown"],
        ),
        // Mailchimp
        (
            &[
                "Email Address",
                "First Name",
                "Last Name",
                "SMS Phone Number",
                "MEMBER_RATING",
                "OPTIN_TIME",
                "TIMEZONE",
                "EUID",
                "TAGS",
                "UNSUB_REASON",
            ],
            &[
                "email",
                "first_name",
                "last_name",
                "phone",
                "unknown",
                "unknown",
                "time_zone",
                "?external_id",
                "tags",
                "unknown",
            ],
        ),
        // ManyChat
        (
            &[
                "Contact ID",
                "Full Name",
                "Email",
                "Phone",
                "Opted-in for Email",
                "Opted-in for SMS",
                "Opted-in for SMS date",
            ],
            &["external_id", "name", "email", "phone", "?subscribed", "?subscribed", "unknown"],
        ),
        // Chatwoot
        (
            &["id", "name", "email", "phone_number", "identifier"],
            &["read-only", "name", "email", "phone", "external_id"],
        ),
        // Google Contacts
        (
            &[
                "First Name",
                "Middle Name",
                "Last Name",
                "Labels",
                "E-mail 1 - Label",
                "E-mail 1 - Value",
                "E-mail 2 - Value",
                "Phone 1 - Value",
            ],
            &["first_name", "unknown", "last_name", "tags", "unknown", "email", "unknown", "phone"],
        ),
        // The project's own export
        (
            &[
                "id",
                "external_id",
                "name",
                "first_name",
                "last_name",
                "subscribed",
                "status",
                "tags",
                "created_at",
                "custom_fields.company",
            ],
            &[
                "read-only",
                "external_id",
                "3<name",
                "first_name",
                "last_name",
                "subscribed",
                "status",
                "tags",
                "read-only",
                "custom_fields.company",
            ],
        ),
    ] {
        assert_eq!(matched(headings, &[]), expected, "{headings:?}");
    }
}

#[test]
fn maps_headings_of_five_languages() {
    for (headings, expected) in [
        (
            &["Vorname", "Nachname", "E-Mail-Adresse", "Handynummer", "Sprache", "Abgemeldet"][..],
            &["first_name", "last_name", "email", "phone", "locale", "?subscribed!"][..],
        ),
        (
            &["Prénom", "Nom", "Courriel", "Téléphone portable", "Fuseau horaire", "Désabonné"],
            &["first_name", "last_name", "email", "phone", "time_zone", "?subscribed!"],
        ),
        (
            &["Nombre", "Apellidos", "Correo electrónico", "Teléfono móvil", "Suscrito"],
            &["first_name", "last_name", "email", "phone", "?subscribed"],
        ),
        (
            &["Nome", "Sobrenome", "E-mail", "Celular", "Não contatar"],
            &["first_name", "last_name", "email", "phone", "?subscribed!"],
        ),
        (&["Nom", "Courriel"], &["name", "email"]),
        (&["Nombre", "Correo"], &["name", "email"]),
        (&["Vorname", "Name"], &["first_name", "?last_name"]),
        (&["N° client", "Nº teléfono", "E-Mail (geschäftlich)"], &["external_id", "phone", "email"]),
    ] {
        assert_eq!(matched(headings, &[]), expected, "{headings:?}");
    }
}

#[test]
fn headings_of_full_names_can_name_their_order() {
    let order = |heading: &str| {
        assert_eq!(matched(&[heading], &[]), ["name"], "{heading}");
        kind_by_heading(ColumnKind::FullName { order: NameOrder::FirstLast }, heading)
    };
    for heading in LAST_NAME_FIRST.into_iter().chain(["Name, Vorname", "Last Name, First Name", "Nom et prénom"]) {
        assert_eq!(order(heading), ColumnKind::FullName { order: NameOrder::LastFirst }, "{heading}");
    }
    for heading in ["Name", "Full name", "Vorname Nachname", "Prénom Nom", "Nombre y apellidos"] {
        assert_eq!(order(heading), ColumnKind::FullName { order: NameOrder::FirstLast }, "{heading}");
    }
    assert_eq!(kind_by_heading(ColumnKind::Text, "Name, Vorname"), ColumnKind::Text);
}

#[test]
fn two_headings_for_one_target_need_a_decision() {
    assert_eq!(matched(&["Phone", "Email", "Mobile"], &[]), ["2:phone", "email", "0:phone"]);
    assert_eq!(matched(&["Phone", "Mobile"], &[("Mobile", "phone")]), ["1<phone", "=phone"]);
    assert_eq!(matched(&["'=x", "'@email"], &[("=x", "phone")]), ["=phone", "email"], "guards of headings are ignored");
    assert_eq!(matched(&["Phone", "Mobile"], &[("mobile", "-")]), ["phone", "=-"]);
    assert_eq!(matched(&["City", "Email", "city"], &[("CITY", "-")]), ["=-", "email", "=-"], "all are skipped");
}

#[test]
fn first_and_last_names_win_over_full_names() {
    assert_eq!(matched(&["Full Name", "First Name", "Last Name"], &[]), ["1<name", "first_name", "last_name"]);
    let headings = ["Kontakt", "Name", "Vorname"];
    assert_eq!(matched(&headings, &[("Kontakt", "last_name")]), ["=last_name", "0<name", "first_name"]);
}

#[test]
fn a_full_name_beside_one_part_is_imported_or_asked_for() {
    assert_eq!(matched(&["Full Name", "First Name"], &[]), ["name", "first_name"]);
    assert_eq!(matched(&["Name", "Surname"], &[]), ["name", "last_name"]);
    assert_eq!(matched(&["Kontakt", "Name"], &[("Kontakt", "last_name")]), ["=last_name", "name"]);
    assert_eq!(matched(&["first_name", "name"], &[]), ["first_name", "?last_name"]);
    assert_eq!(matched(&["first_name", "name"], &[("name", "name")]), ["first_name", "=name"]);
}

#[test]
fn proposes_consent_unless_the_heading_is_the_attribute() {
    assert_eq!(matched(&["subscribed"], &[]), ["subscribed"]);
    for heading in ["Subscribed", "Newsletter", "Marketing consent", "Einwilligung", "Consentement"] {
        assert_eq!(matched(&[heading], &[]), ["?subscribed"], "{heading}");
    }
    for heading in
        ["Opted out", "E-Mail Opt-Out", "Do not contact", "Widerspruch", "Dado de baja", "Unsubscribed from Sales"]
    {
        assert_eq!(matched(&[heading], &[]), ["?subscribed!"], "{heading}");
    }
}

#[test]
fn custom_fields_are_found_by_key_and_name() {
    assert_eq!(
        matched(&["Company", "SPITZNAME", "Nickname "], &[]),
        ["custom_fields.company", "2:custom_fields.nickname", "1:custom_fields.nickname"]
    );
    assert_eq!(matched(&["custom_fields.other", "", "City"], &[]), ["unknown", "nameless", "unknown"]);
}

#[test]
fn a_column_without_a_heading_is_named_by_its_position() {
    assert_eq!(matched(&["Email", "", "3"], &[("#2", "-")]), ["email", "=-", "unknown"]);
    assert_eq!(matched(&["Email", "", "3"], &[("#2", "first_name")])[1], "=first_name");
    let headings = ["Email", "", "3"].map(str::to_owned);
    assert_eq!(column_names(&headings), ["Email", "#2", "3"]);
    for name in ["#1", "#3", "#4", "2"] {
        let errors = match_headings(&headings, &[], &[(name.to_owned(), Target::Skip)]).unwrap_err();
        assert!(matches!(errors[..], [HeadingError::Missing { .. }]), "{name}: {errors:?}");
    }
}

#[test]
fn rows_of_an_earlier_import_keep_their_reasons() {
    let headings = ["line", "column", "code", "message", "email"];
    assert_eq!(matched(&headings, &[]), ["reason", "reason", "reason", "reason", "email"]);
    assert_eq!(matched(&headings[1..], &[]), ["unknown", "unknown", "unknown", "email"]);
}

#[test]
fn wrong_parameters_are_refused() {
    let headings = ["Email".to_owned(), "City".to_owned(), "City".to_owned(), "Name".to_owned()];
    let given = |heading: &str, target: &str| (heading.to_owned(), Target::parse(target).unwrap());
    let errors = match_headings(
        &headings,
        &[],
        &[given("Town", "tags"), given("City", "tags"), given("Email", "email"), given("Name", "email")],
    );
    let errors: Vec<_> = errors.unwrap_err().iter().map(ToString::to_string).collect();
    assert!(errors[0].contains("no column `Town`") && errors[0].contains("`Email`"), "{errors:?}");
    assert!(errors[1].contains("several columns `City`") && errors[2].contains("`email`"), "{errors:?}");
}

#[test]
fn languages_are_ordered_by_their_headings() {
    let languages = |headings: &[&str]| {
        let headings: Vec<_> = headings.iter().map(|it| (*it).to_owned()).collect();
        match_headings(&headings, &[], &[]).unwrap().languages
    };
    assert_eq!(languages(&["Vorname", "Nachname", "Email", "Telefon"]), [Language::German, Language::English]);
    assert_eq!(languages(&["E-Mail", "Vorname"]), [Language::German, Language::English]);
    assert_eq!(languages(&["Email", "Prénom"]), [Language::French, Language::English]);
    assert_eq!(languages(&["Name", "Revenue"]), [Language::English, Language::German]);
    assert_eq!(Language::German.tag(), "de");
}

#[test]
fn the_table_is_folded_and_each_word_has_one_meaning() {
    let mut meanings: BTreeMap<&str, Meaning> = BTreeMap::new();
    for (meaning, language, words) in HEADINGS {
        for word in *words {
            assert_eq!(fold(word), *word, "{word}");
            let before = *meanings.entry(word).or_insert(*meaning);
            assert_eq!(before, *meaning, "{word} {language:?}");
        }
        let unique: std::collections::BTreeSet<_> = words.iter().collect();
        assert_eq!(unique.len(), words.len(), "{meaning:?} {language:?}");
    }
}

#[test]
fn text_forms_of_targets_are_read_back() {
    for target in Target::PLAIN.into_iter().chain([Target::CustomField("plan".to_owned())]) {
        assert_eq!(Target::parse(&target.to_string()), Some(target));
    }
    assert_eq!(Target::parse("custom_fields."), None);
}

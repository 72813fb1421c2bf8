//! Tests of questions and answers.

use super::*;

#[test]
fn a_question_waits_for_its_answer_and_saves_it() {
    let mut stage = asking(json!({"timeout": "PT24H"}));
    let step = stage.play(Input::Timer);
    assert_eq!(said(&step), ["Your e-mail?"]);
    let StepEnd::Wait { wait, .. } = &step.ending else { panic!("{:?}", step.ending) };
    assert_eq!((wait.kind, wait.until), (WaitKind::Reply, Some(NOW.plus(Duration::from_secs(86_400)))));
    stage.later(60);
    let step = stage.play(Input::Reply(" Zoe@Example.com "));
    assert_eq!(outcomes(&step)[0], ("ask", "saved to contact.email"));
    assert_eq!(said(&step), ["Thanks, zoe@example.com"], "the next node sees the saved value");
    assert_eq!(step.contact.email.as_ref().map(ToString::to_string).as_deref(), Some("zoe@example.com"));
    assert_eq!(step.ending, StepEnd::Completed);
}

#[test]
fn asks_again_after_invalid_answers_and_ends_at_on_invalid() {
    let mut stage = asking(
        json!({"attempts": 2, "on_invalid": "never", "invalid_message": {"type": "text", "text": "An e-mail, please"}}),
    );
    stage.play(Input::Timer);
    let step = stage.play(Input::Reply("my mail"));
    assert_eq!(said(&step), ["An e-mail, please"]);
    assert!(matches!(&step.ending, StepEnd::Wait { wait, .. } if wait.attempt == 2), "{:?}", step.ending);
    let step = stage.play(Input::Reply("no"));
    assert_eq!(said(&step), ["No?"]);
    assert_eq!(step.trace[0].exit.as_deref(), Some("on_invalid"));
    assert_eq!(step.contact.email, None);
}

#[test]
fn rejects_an_email_of_another_contact() {
    let mut stage = asking(json!({"attempts": 1, "on_invalid": "never"}));
    stage.play(Input::Timer);
    stage.taken.insert((Attribute::Email, "zoe@example.com".to_owned()));
    let step = stage.play(Input::Reply("zoe@example.com"));
    assert_eq!(outcomes(&step)[0], ("ask", "not valid: another contact has this email"));
    assert_eq!(step.contact.email, None);
}

#[test]
fn a_timeout_takes_on_timeout_or_next() {
    for (more, expected) in
        [(json!({"timeout": "PT1H", "on_timeout": "never"}), "never"), (json!({"timeout": "PT1H"}), "thanks")]
    {
        let mut stage = asking(more);
        stage.play(Input::Timer);
        stage.later(3_599);
        assert!(matches!(stage.step(Input::Timer).ending, StepEnd::Wait { .. }), "the wait has not ended yet");
        stage.later(1);
        let step = stage.play(Input::Timer);
        assert_eq!(step.trace[1].node, expected);
    }
}

#[test]
fn reads_answers_by_their_type() {
    let answer = |expect: &str, options: Value, text: &str| {
        let mut more = json!({"expect": expect, "save_to": "vars.x", "attempts": 1});
        if expect == "select" {
            more["options"] = options;
        }
        let mut stage = asking(more);
        stage.play(Input::Timer);
        stage.play(Input::Reply(text)).vars.get("x").cloned()
    };
    let none = Value::Null;
    assert_eq!(answer("text", none.clone(), " Hello "), Some(json!("Hello")));
    assert_eq!(answer("number", none.clone(), "12"), Some(json!(12)));
    assert_eq!(answer("number", none.clone(), "1.5"), Some(json!(1.5)));
    assert_eq!(answer("number", none.clone(), "many"), None);
    assert_eq!(answer("number", none.clone(), "inf"), None);
    assert_eq!(answer("boolean", none.clone(), "YES"), Some(json!(true)));
    assert_eq!(answer("date", none.clone(), "2024-02-29"), Some(json!("2024-02-29")));
    assert_eq!(answer("date", none.clone(), "2023-02-29"), None);
    assert_eq!(answer("phone", none.clone(), "+49 30 1234567"), Some(json!("+49301234567")));
    assert_eq!(answer("select", json!(["Red", "Green"]), "red "), Some(json!("Red")));
    assert_eq!(answer("select", json!(["Red", "Green"]), "blue"), None);
}

#[test]
fn asks_again_with_an_example_after_an_ambiguous_answer() {
    let when = json!({"type": "text", "text": "When?"});
    let mut stage = asking(json!({"message": when, "expect": "date", "save_to": "vars.x", "attempts": 4}));
    stage.play(Input::Timer);
    let step = stage.play(Input::Reply("03/04/2026"));
    assert_eq!(said(&step), ["When? For example: 2026-12-31"]);
    assert_eq!(outcomes(&step)[0].1, "not valid, asked again: the answer can mean 2026-04-03 or 2026-03-04");
    assert_eq!(said(&stage.play(Input::Reply("tomorrow"))), ["When?"], "an invalid answer gets no example");
    assert_eq!(stage.play(Input::Reply("2026-04-03")).vars.get("x"), Some(&json!("2026-04-03")));
    let again = json!({"type": "text", "text": "Un nombre.\n"});
    let long = json!({"type": "text", "text": "x".repeat(4_096)});
    for (invalid, expected) in [(again, "Un nombre. Por ejemplo: 1234.5".to_owned()), (long, "x".repeat(4_096))] {
        let mut stage = asking(json!({"expect": "number", "save_to": "vars.x", "invalid_message": invalid}));
        stage.contact.locale = "es".parse().ok();
        stage.play(Input::Timer);
        assert_eq!(said(&stage.play(Input::Reply("1.234"))), [expected]);
    }
}

#[test]
fn the_default_country_decides_for_contacts_without_a_region() {
    let read = |locale: Option<&str>, country: &str| {
        let mut stage = asking(json!({"expect": "date", "save_to": "vars.x", "attempts": 1}));
        stage.contact.locale = locale.and_then(|it| it.parse().ok());
        stage.country = Country::parse(country);
        stage.play(Input::Timer);
        stage.play(Input::Reply("03/04/2026")).vars.get("x").cloned()
    };
    assert_eq!(read(None, "DE"), Some(json!("2026-04-03")));
    assert_eq!(read(Some("en"), "US"), Some(json!("2026-03-04")));
    assert_eq!(read(Some("en-GB"), "US"), Some(json!("2026-04-03")), "the region of the locale decides");
    assert_eq!(read(Some("en"), "CA"), None);
}

#[test]
fn a_national_phone_number_is_of_the_region_of_the_contact_or_of_the_default_country() {
    let read = |more: Value, locale: Option<&str>, country: &str| {
        let mut stage = asking(more);
        stage.contact.locale = locale.and_then(|it| it.parse().ok());
        stage.country = Country::parse(country);
        stage.play(Input::Timer);
        stage.play(Input::Reply("0171 2345678"))
    };
    let asked = json!({"expect": "phone", "save_to": "vars.x", "attempts": 1});
    let saved = |locale, country| read(asked.clone(), locale, country).vars.get("x").cloned();
    assert_eq!(saved(None, "DE"), Some(json!("+491712345678")));
    assert_eq!(saved(Some("de"), "DE"), Some(json!("+491712345678")));
    assert_eq!(saved(Some("de-DE"), "US"), Some(json!("+491712345678")), "the region of the locale decides");
    assert_eq!(saved(None, ""), None);
    assert_eq!(saved(Some("en-US"), "DE"), None, "the number is not one of the region");
    let text = json!({"expect": "text", "save_to": "contact.phone", "attempts": 1});
    let phone = read(text, None, "DE").contact.phone.map(|it| it.to_string());
    assert_eq!(phone.as_deref(), Some("+491712345678"));
}

#[test]
fn checks_answers_by_the_rules_of_the_field() {
    let mut stage = asking(json!({"expect": "text", "save_to": "custom_fields.age", "attempts": 3}));
    stage.play(Input::Timer);
    assert!(outcomes(&stage.play(Input::Reply("old")))[0].1.starts_with("not valid"));
    assert!(outcomes(&stage.play(Input::Reply("151")))[0].1.starts_with("not valid"));
    let step = stage.play(Input::Reply("42"));
    assert_eq!(step.contact.custom_fields.get("age"), Some(&json!(42)));
}

#[test]
fn a_text_for_a_target_of_another_type_is_read_as_that_type() {
    let mut stage = asking(json!({"expect": "text", "save_to": "custom_fields.age", "attempts": 3}));
    stage.play(Input::Timer);
    assert_eq!(said(&stage.play(Input::Reply("1.234"))), ["Your e-mail? For example: 1234.5"]);
    let step = stage.play(Input::Reply("42,5."));
    assert_eq!(step.contact.custom_fields.get("age"), Some(&json!(42.5)));
    let mut stage = asking(json!({"expect": "text", "save_to": "contact.phone"}));
    stage.play(Input::Timer);
    let step = stage.play(Input::Reply("0049 30 1234567"));
    assert_eq!(step.contact.phone.as_ref().map(ToString::to_string).as_deref(), Some("+49301234567"));
    let mut stage = asking(json!({"expect": "text", "save_to": "vars.x"}));
    stage.play(Input::Timer);
    assert_eq!(stage.play(Input::Reply("12,5.")).vars.get("x"), Some(&json!("12,5.")), "a text is not changed");
}

#[test]
fn waits_for_no_reply_during_human_handling() {
    let mut stage = asking(json!({}));
    let channel = a_channel();
    let id = crate::ids::ConversationId::from_uuid(uuid::Uuid::from_u128(1));
    let mut conversation = Conversation::new(id, stage.contact.id, channel.id, NOW);
    conversation.handler = Handler::Human;
    stage.conversation = Some(conversation);
    let step = stage.play(Input::Timer);
    assert_eq!(step.ending, StepEnd::Completed, "the run continues by `next`");
    assert_eq!(said(&step).len(), 2, "both messages are created, to be suppressed later");
}

fn choosing(message: Value, options: &[&str]) -> Stage {
    asking(json!({"message": message, "expect": "select", "options": options, "save_to": "vars.x", "attempts": 2}))
}

#[test]
fn a_choice_offers_its_options_as_quick_replies() {
    let which = || json!({"type": "text", "text": "Which?"});
    let mut stage = choosing(which(), &["Gold", "{{ vars.no }}"]);
    assert_eq!(
        offered(&stage.play(Input::Timer)),
        [["Gold", "{{ vars.no }}"]],
        "options are not rendered as templates"
    );
    assert_eq!(
        offered(&stage.play(Input::Reply("brass"))),
        [["Gold", "{{ vars.no }}"]],
        "the repeated question offers the same options"
    );
    let step = stage.play(Input::Reply("gold"));
    assert_eq!((step.vars.get("x"), offered(&step)), (Some(&json!("Gold")), vec![vec![]]));
    // All options or none: contacts would take a part of them for all.
    let many: Vec<String> = (0..11).map(|n| format!("option {n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(offered(&choosing(which(), &many).play(Input::Timer)), [[""; 0]]);
    let mut without = choosing(which(), &["Gold", "Silver"]);
    without.quick_replies = 1;
    assert_eq!(
        offered(&without.play(Input::Timer)),
        [[""; 0]],
        "all options are omitted if the channel carries only one"
    );
    let template = json!({"type": "template", "template": {"name": "plans"}});
    assert_eq!(offered(&choosing(template, &["Gold"]).play(Input::Timer)), [[""; 0]]);
    // A question without options has no quick replies.
    assert_eq!(offered(&asking(json!({})).play(Input::Timer)), [[""; 0]]);
}

#[test]
fn accepts_the_number_of_an_offered_reply() {
    let which = || json!({"type": "text", "text": "Which?"});
    for (options, reply, expected) in [
        (["Gold", "Silver"], "2", Some("Silver")),
        (["Gold", "Silver"], " 1. ", Some("Gold")),
        (["Gold", "Silver"], "2)", Some("Silver")),
        (["Gold", "Silver"], "3", None),
        (["Gold", "Silver"], "0", None),
        (["Gold", "Silver"], "1 2", None),
        (["2", "1"], "1", Some("1")),
    ] {
        let mut stage = choosing(which(), &options);
        stage.play(Input::Timer);
        let step = stage.play(Input::Reply(reply));
        assert_eq!(step.vars.get("x").and_then(Value::as_str), expected, "{options:?} {reply}");
    }
    let ten = json!({"type": "text", "text": "How many?", "quick_replies": [{"title": "10"}, {"title": "20"}]});
    let mut stage = asking(json!({"message": ten, "expect": "number", "save_to": "vars.x"}));
    stage.play(Input::Timer);
    assert_eq!(stage.play(Input::Reply("2")).vars.get("x"), Some(&json!(2)), "a number is the answer itself");
    let sure = json!({"type": "text", "text": "Sure?", "quick_replies": [{"title": "Nein", "payload": "no"}, {"title": "Ja", "payload": "yes"}]});
    let mut stage = asking(json!({"message": sure, "expect": "boolean", "save_to": "vars.x"}));
    stage.play(Input::Timer);
    assert_eq!(stage.play(Input::Reply("1")).vars.get("x"), Some(&json!(false)));
}

#[test]
fn matches_a_reply_by_title_or_payload_of_a_quick_reply() {
    let which = json!({"type": "text", "text": "Which?", "quick_replies": [
        {"title": "The best, {{ contact.first_name }}", "payload": "Gold"}, {"title": "Silver", "payload": "s-1"}, {"title": "None"}]});
    for (reply, expected) in [
        ("the best,  zoë", Some("Gold")),
        ("GOLD", Some("Gold")),
        ("s-1", Some("Silver")),
        ("silver", Some("Silver")),
        ("None", None),
        ("The best", None),
    ] {
        let mut stage = choosing(which.clone(), &["Gold", "Silver"]);
        let titles = ["The best, Zoë", "Silver", "None"];
        assert_eq!(offered(&stage.play(Input::Timer)), [titles], "the message keeps its own quick replies");
        let step = stage.play(Input::Reply(reply));
        assert_eq!(step.vars.get("x").and_then(Value::as_str), expected, "{reply}");
    }
    let sure = json!({"type": "text", "text": "Sure?", "quick_replies": [{"title": "Ja", "payload": "yes"}]});
    let mut stage = asking(json!({"message": sure, "expect": "boolean", "save_to": "vars.x"}));
    stage.play(Input::Timer);
    assert_eq!(stage.play(Input::Reply("ja")).vars.get("x"), Some(&json!(true)));
}

//! Messages that opt out, and messages that do not.

use super::*;

/// The meaning of a message by the words of the installation.
fn word(text: &str) -> Option<Word> {
    let words = OptOutWords::new([
        "STOP",
        "UNSUBSCRIBE",
        "CANCEL",
        "END",
        "QUIT",
        "STOPP",
        "ABMELDEN",
        "ARRET",
        "BAJA",
        "PARAR",
        "SAIR",
    ]);
    words.match_word(&readings(text))
}

#[test]
fn recognises_words_that_always_opt_out() {
    for text in [
        "STOP",
        "stop",
        "Stop.",
        "STOP!",
        "stop!!!",
        "stop?",
        "ＳＴＯＰ",
        "STOP 🛑",
        "🛑 stop 🛑",
        " Stop\n",
        "\"Stop\"",
        "(stop)",
        "*STOP*",
        "stop…",
        "Stop, please",
        "Stop. Thank you",
        "stop thanks!",
        "Please stop",
        "please, STOP. Thanks.",
        "stop bitte",
        "Stop, danke",
        "merci stop",
        "STOP por favor",
        "stop gracias",
        "stop, obrigado",
        "STOPALL",
        "Stop all",
        "STOP-ALL",
        "stop all, please",
        "OPTOUT",
        "Opt out",
        "opt-out",
        "OPT OUT!",
        "Unsubscribe",
        "UNSUBSCRIBE please",
        "unsubscribe 🙏",
        "Revoke",
        "revoke.",
        "s.t.o.p.",
        "S T O P",
        "st\u{200b}op",
        "stop\u{fe0f}",
        "STÖP",
        "𝗦𝗧𝗢𝗣",
        "Ⓢⓣⓞⓟ",
        "\u{feff}STOP",
        "STOP\u{a0}",
        "stop 👨‍👩‍👧‍👦",
        "stop ❤️",
        "STOP!!1".trim_end_matches('1'),
    ] {
        assert_eq!(word(text), Some(Word::Always), "{text:?}");
    }
}

#[test]
fn recognises_other_opt_out_words_and_opt_in_words() {
    for text in [
        "CANCEL",
        "cancel.",
        "Cancel please",
        "end",
        "END!",
        "quit",
        "Quit, thanks",
        "Stopp!",
        "abmelden",
        "Bitte abmelden",
        "Arrêt",
        "ARRET",
        "arrêt, merci",
        "baja",
        "Baja, por favor",
        "parar",
        "PARAR obrigado",
        "sair",
        "SAIR 🙏",
    ] {
        assert_eq!(word(text), Some(Word::Leave), "{text:?}");
    }
    assert_eq!(
        (word("START"), word("unstop."), word("Start, please")),
        (Some(Word::Return), Some(Word::Return), Some(Word::Return))
    );
}

#[test]
fn other_messages_do_not_opt_out() {
    let texts = [
        "",
        " ",
        "🛑",
        "👍",
        "!!!",
        "please",
        "Thank you",
        "thanks!",
        "Stop by at 5?",
        "don't stop",
        "Don’t stop!",
        "dont stop",
        "never stop",
        "cancel my order",
        "Please cancel my order",
        "end of May",
        "The end",
        "weekend",
        "bus stop",
        "Where is the bus stop?",
        "non-stop",
        "nonstop",
        "stop it",
        "stop that",
        "stop sending",
        "stop me if you can",
        "can you stop by",
        "stopping",
        "stopped",
        "unstoppable",
        "stop and go",
        "full stop",
        "stopwatch",
        "STOP 5",
        "1 stop",
        "I want to cancel",
        "cancelled",
        "canceled",
        "cancellation",
        "How do I cancel?",
        "cancel that, please",
        "cancel anytime?",
        "the end is near",
        "end date",
        "endless",
        "in the end",
        "quit smoking",
        "I quit my job",
        "quite",
        "I will not quit",
        "opt",
        "out",
        "opt in",
        "opt out of what?",
        "what does opt out mean",
        "unsubscribed",
        "resubscribe",
        "How do I unsubscribe?",
        "revoke my key",
        "revoked",
        "no",
        "yes",
        "ok stop",
        "stop ok",
        "stop stop now",
        "stop or go",
        "stop https://example.com",
        "bajar",
        "la baja de Ana",
        "sair de casa",
        "parar no sinal",
        "arrêt de bus",
        "abmelden morgen",
        "stoppuhr",
        "thank you for the stop",
        "start",
        "begin",
        "S T",
        "s t o p p e r s",
        "stop\u{2028}by",
    ];
    assert!(texts.len() >= 60);
    for text in texts {
        assert!(!matches!(word(text), Some(Word::Always | Word::Leave)), "{text:?}");
    }
    let long = format!("stop{}", " please".repeat(20));
    assert_eq!(word(&long), None);
}

#[test]
fn no_setting_removes_the_words_that_always_opt_out() {
    let none = OptOutWords::new([]);
    for text in ["STOP", "stopall", "Stop all", "unsubscribe", "optout", "opt out", "revoke"] {
        assert_eq!(none.match_word(&readings(text)), Some(Word::Always), "{text}");
    }
    assert_eq!((none.match_word(&readings("cancel")), none.first()), (None, None));
}

#[test]
fn rejects_custom_words_without_letters_or_that_opt_in() {
    assert_eq!(OptOutWords::check("Avmeld"), Ok(()));
    for word in ["!!!", "🛑", "Start", "UNSTOP."] {
        let refused = OptOutWords::check(word).unwrap_err();
        assert_eq!(refused.code, "invalid_value", "{word}");
    }
}

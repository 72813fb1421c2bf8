//! Segments of text messages: a message of more than 160 (GSM-7) or 70 (UCS-2) units is sent as several, and each is
//! charged. See 3GPP TS 23.038 and <https://www.twilio.com/docs/glossary/what-sms-character-limit>.

use tidings_domain::channels::{SegmentEncoding, Segments};
use unicode_segmentation::UnicodeSegmentation;

/// The basic characters of GSM-7: one unit each.
const BASIC: &str = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡\
                     ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/// The extended characters of GSM-7: an escape and a character, so two units each.
const EXTENDED: &str = "\u{c}^{}\\[~]|€";

/// Units of a single segment, and of each of several segments, which have a header.
const GSM7: (usize, usize) = (160, 153);
const UCS2: (usize, usize) = (70, 67);

/// Returns the encoding of a text, and its number of segments. A character is never divided between two segments.
pub(super) fn segments(text: &str) -> Segments {
    match text.chars().map(gsm7_units).collect::<Option<Vec<_>>>() {
        Some(units) => Segments { encoding: SegmentEncoding::Gsm7, count: count(&units, GSM7) },
        None => {
            let units: Vec<usize> = text.graphemes(true).map(|it| it.chars().map(char::len_utf16).sum()).collect();
            Segments { encoding: SegmentEncoding::Ucs2, count: count(&units, UCS2) }
        }
    }
}

/// Returns the units of a character; `None` if GSM-7 does not have it.
fn gsm7_units(character: char) -> Option<usize> {
    match (BASIC.contains(character), EXTENDED.contains(character)) {
        (true, _) => Some(1),
        (false, true) => Some(2),
        (false, false) => None,
    }
}

fn count(units: &[usize], (single, several): (usize, usize)) -> usize {
    if units.iter().sum::<usize>() <= single {
        return 1;
    }
    let (mut count, mut used) = (1, 0);
    for units in units {
        if used + units > several && used > 0 {
            (count, used) = (count + 1, 0);
        }
        // A grapheme that is longer than a segment is divided.
        count += (used + units - 1) / several;
        used = (used + units - 1) % several + 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str) -> (SegmentEncoding, usize) {
        let Segments { encoding, count } = segments(text);
        (encoding, count)
    }

    #[test]
    fn counts_segments_of_gsm7() {
        use SegmentEncoding::Gsm7;
        for (text, expected) in [
            (String::new(), 1),
            ("x".repeat(160), 1),
            ("x".repeat(161), 2),
            ("x".repeat(306), 2),
            ("x".repeat(307), 3),
            (format!("{}€", "x".repeat(158)), 1),
            (format!("{}€", "x".repeat(159)), 2),
            // The escape and its character stay in one segment.
            (format!("{}€{}", "x".repeat(152), "x".repeat(152)), 3),
            (format!("{}€{}", "x".repeat(151), "x".repeat(153)), 2),
            ("Ä ö ü ß Ñ à @ £ Δ ¿\r\n".to_owned(), 1),
        ] {
            assert_eq!(counted(&text), (Gsm7, expected), "{text}");
        }
        assert_eq!(BASIC.chars().count(), 127, "the escape is the 128th character");
    }

    #[test]
    fn one_other_character_makes_the_whole_text_ucs2() {
        use SegmentEncoding::Ucs2;
        for (text, expected) in [
            ("ç".to_owned(), 1),
            (format!("{}🦀", "x".repeat(68)), 1),
            (format!("{}🦀", "x".repeat(69)), 2),
            ("ж".repeat(70), 1),
            ("ж".repeat(71), 2),
            ("ж".repeat(134), 2),
            ("ж".repeat(135), 3),
            // The halves of an emoji stay in one segment.
            (format!("{}🦀{}", "ж".repeat(66), "ж".repeat(66)), 3),
            (format!("{}🦀{}", "ж".repeat(65), "ж".repeat(67)), 2),
        ] {
            assert_eq!(counted(&text), (Ucs2, expected), "{text}");
        }
    }

    #[test]
    fn divides_a_grapheme_that_is_longer_than_a_segment() {
        assert_eq!(counted(&format!("e{}", "\u{301}".repeat(133))).1, 2);
        assert_eq!(counted(&format!("e{}", "\u{301}".repeat(134))).1, 3);
        assert_eq!(counted(&format!("xe{}", "\u{301}".repeat(133))).1, 3);
    }
}

//! Small files as spreadsheets and other programs write them, through both passes.

mod libreoffice;

use crate::*;

/// A workspace with a field of each kind.
fn fields() -> Vec<CustomField> {
    let field = |key: &str, name: &str, kind, options: &[&str]| CustomField {
        key: key.to_owned(),
        name: name.to_owned(),
        kind,
        options: options.iter().map(|it| (*it).to_owned()).collect(),
    };
    vec![
        field("revenue", "Umsatz", ColumnKind::Number, &[]),
        field("born", "Geboren", ColumnKind::Date, &[]),
        field("since", "Since", ColumnKind::DateTime, &[]),
        field("plan", "Plan", ColumnKind::Choice, &["Gold", "Silver"]),
        field("topics", "Topics", ColumnKind::Choices, &["Music", "Art, Design"]),
        field("vip", "VIP", ColumnKind::YesNo { is_inverted: false }, &[]),
        field("note", "Note", ColumnKind::Text, &[]),
    ]
}

/// The report of a check and the values of an import, as text: the dialect and the columns in the first line, then the
/// rows.
///
/// A column is `target format`; `?` marks a decision of the user, `!` a format with failures, `-` a column that is
/// skipped. A cell is its value, or `!` and the code of its error. The second pass reads mapped and proposed columns
/// alike, and an undecided format as the first proposal.
fn report(bytes: &[u8], country: &str) -> String {
    first_pass(bytes, country)
        .and_then(|check| second_pass(bytes, &check))
        .unwrap_or_else(|error| format!("! {}", error.code()))
}

struct Check {
    head: String,
    dialect: Dialect,
    formats: Vec<Option<(Format, Options)>>,
}

fn read_all(bytes: &[u8], options: ReadOptions, mut row: impl FnMut(Row<'_>)) -> Result<TableReader, TableError> {
    let mut reader = TableReader::new(options);
    for piece in bytes.chunks(7) {
        reader.push(piece)?;
        while let Some(next) = reader.next_row()? {
            row(next);
        }
    }
    reader.finish()?;
    while let Some(next) = reader.next_row()? {
        row(next);
    }
    Ok(reader)
}

fn first_pass(bytes: &[u8], country: &str) -> Result<Check, TableError> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let reader = read_all(bytes, ReadOptions::default(), |row| {
        rows.push(row.cells.map(|cells| cells.iter().map(str::to_owned).collect()).unwrap_or_default());
    })?;
    let headings = reader.headings().unwrap_or_default();
    let matches = match_headings(headings, &fields(), &[]).unwrap();
    let locales: Vec<_> = matches.languages.iter().map(|it| it.tag().to_owned()).collect();
    let dialect = reader.dialect();
    let encoding = dialect.encoding.map(|it| it.to_string()).unwrap_or_else(|| "ascii".to_owned());
    let mut head = format!("{encoding} {}{}", dialect.delimiter, if dialect.has_sep_line { " sep" } else { "" });
    let mut formats = Vec::new();
    for (place, column) in matches.columns.iter().enumerate() {
        let (name, target, is_inverted) = match column {
            Match::Given(target) | Match::Mapped(target) => (target.to_string(), Some(target), false),
            Match::Proposed { target, is_inverted } => (format!("?{target}"), Some(target), *is_inverted),
            Match::Conflict { target, .. } => (format!("?{target}"), None, false),
            Match::Superseded { target, .. } => (format!("-{target}"), None, false),
            Match::ReadOnly | Match::RejectionReason => ("-".to_owned(), None, false),
            Match::Unknown | Match::Nameless => ("?".to_owned(), None, false),
        };
        head += &format!("; {name}");
        let Some((kind, options)) = target.and_then(|it| it.kind(&fields(), is_inverted)) else {
            formats.push(None);
            continue;
        };
        let kind = kind_by_heading(kind, &headings[place]);
        let hints = Hints { locales: locales.clone(), country: Country::parse(country) };
        let mut guess = ColumnGuess::new(kind, options.clone(), hints);
        for (row, cells) in rows.iter().enumerate() {
            guess.add(row as u64 + 2, cells.get(place).map(String::as_str).unwrap_or_default());
        }
        let (sign, format) = match guess.finish().outcome {
            Outcome::Empty(format) | Outcome::Fits(format) => (" ", format),
            Outcome::Undecided(proposals) => {
                let all: Vec<_> = proposals.iter().map(|it| it.format.to_string()).collect();
                head += &format!(" ?{}", all.join(" or "));
                ("", proposals[0].format)
            }
            Outcome::Misfits(best) => (" !", best.format),
        };
        if !sign.is_empty() {
            head += &format!("{sign}{format}");
        }
        // The report repeats as a parameter.
        formats.push(Some((format.to_string().parse().unwrap(), options)));
    }
    Ok(Check { head, dialect, formats })
}

fn second_pass(bytes: &[u8], check: &Check) -> Result<String, TableError> {
    let options = ReadOptions { encoding: check.dialect.encoding, delimiter: Some(check.dialect.delimiter) };
    let mut text = check.head.clone();
    read_all(bytes, options, |row| {
        let values = match row.cells {
            Ok(cells) => cells
                .iter()
                .zip(&check.formats)
                .filter_map(|(cell, format)| {
                    let (format, options) = format.as_ref()?;
                    Some(match parse(cell, *format, options) {
                        Ok(value) => value.map(|it| it.to_string()).unwrap_or_default(),
                        Err(error) => format!("!{}", error.reason.code()),
                    })
                })
                .collect::<Vec<_>>()
                .join("; "),
            Err(error) => format!("! {}", error.code()),
        };
        text += format!("\n{}: {values}", row.number).trim_end();
    })?;
    Ok(text)
}

fn utf_16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

fn windows(text: &str) -> Vec<u8> {
    encoding_rs::WINDOWS_1252.encode(text).0.into_owned()
}

fn files() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let marked = |mark: &[u8], bytes: Vec<u8>| [mark.to_vec(), bytes].concat();
    vec![
        // Programs and encodings
        ("excel-en-utf-8", marked(b"\xEF\xBB\xBF", text("Email,First Name\r\nada@example.com,Zoë\r\n")), ""),
        (
            "excel-de",
            windows("E-Mail;Vorname;Umsatz\r\nada@example.com;Jürgen;1.234,50\r\nbob@example.com;Bob;12,5\r\n"),
            "",
        ),
        ("excel-fr", windows("Courriel;Prénom;Nom;Umsatz\r\nada@example.com;Zoé;L’Été;1\u{a0}234,50\r\n"), ""),
        (
            "excel-unicode-text",
            marked(b"\xFF\xFE", utf_16("Email\tVorname\r\nada@example.com\tJürgen\r\n", u16::to_le_bytes)),
            "",
        ),
        (
            "utf-16-big-marked",
            marked(b"\xFE\xFF", utf_16("Email;Vorname\nada@example.com;Zoë\n", u16::to_be_bytes)),
            "",
        ),
        ("utf-16-little-bare", utf_16("Email;Vorname\r\nada@example.com;Zoë\r\n", u16::to_le_bytes), ""),
        ("utf-16-big-bare", utf_16("Email,Vorname\r\nada@example.com,Zoë\r\n", u16::to_be_bytes), ""),
        ("libreoffice", text("\"Email\",\"Vorname\"\n\"ada@example.com\",\"Zoë, die Große\"\n"), ""),
        ("numbers-mac", text("Email;Vorname\nada@example.com;Zoë"), ""),
        ("google-sheets", text("Email,First Name,Note\r\nada@example.com,Ada,\"two\r\nlines\"\r\n"), ""),
        ("old-mac-lines", text("Email;Vorname\rada@example.com;Ada\r"), ""),
        (
            "old-mac-encoding",
            encoding_rs::MACINTOSH.encode("Email;Vorname\nada@example.com;Jürgen Jäger\n").0.into_owned(),
            "",
        ),
        ("cyrillic", encoding_rs::WINDOWS_1251.encode("Email;Имя\nada@example.com;Наталья\n").0.into_owned(), ""),
        ("workbook", b"PK\x03\x04\x14\x00\x06\x00".to_vec(), ""),
        ("old-workbook", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\x00".to_vec(), ""),
        ("empty", Vec::new(), ""),
        ("only-separators", text(";;;\r\n;;;\r\n"), ""),
        // Delimiters
        ("sep-line", text("sep=;\r\nEmail;First Name\r\nada@example.com;Ada, B.\r\n"), ""),
        ("sep-line-comma-in-semicolons", text("sep=|\nEmail|Tags\nada@example.com|a;b\n"), ""),
        ("pipe", text("email|first_name\nada@example.com|Ada\n"), ""),
        ("tab", text("email\tfirst_name\nada@example.com\tAda; B\n"), ""),
        ("one-column", text("email\nada@example.com\nbob@example.com\n"), ""),
        ("semicolons-with-decimal-commas", text("Email;Umsatz\na@example.com;1,5\nb@example.com;2,25\n"), ""),
        ("quoted-delimiters", text("email,note\na@example.com,\"x; y; z\"\nb@example.com,\"p; q\"\n"), ""),
        ("inch-sign", text("email,note\na@example.com,5\" pipe\nb@example.com,x\n"), ""),
        ("open-quote", text("email,note\na@example.com,\"x\nb@example.com,y\n"), ""),
        // Shapes of rows
        ("trailing-columns", text("email;note;;;\na@example.com;x;;;\nb@example.com;y\n;;;;\n"), ""),
        ("surplus-cell", text("email,note\na@example.com,x,oops\nb@example.com,y\n"), ""),
        ("blank-rows", text("\n\nemail,note\n\na@example.com,x\n,\n\nb@example.com,y\n\n"), ""),
        ("nameless-column", text("email,,note\na@example.com,1,x\n"), ""),
        ("short-rows", text("email,first_name,note\na@example.com\nb@example.com,Bob\n"), ""),
        // Headings
        (
            "hubspot",
            text(
                "Record ID,First Name,Last Name,Email,Phone Number,Unsubscribed from all email\n51,Ada,Lovelace,a@example.com,+1 415-555-0100,true\n",
            ),
            "",
        ),
        (
            "intercom",
            text(
                "Name,Email,Phone,User ID,Unsubscribed from emails,Tag\nAda Lovelace,a@example.com,+49301234567,u-1,false,\"vip, beta\"\n",
            ),
            "",
        ),
        (
            "mailchimp",
            text(
                "Email Address,First Name,Last Name,Phone Number,OPTIN_TIME,TAGS\na@example.com,Ada,Lovelace,,2026-05-31 18:00:00,\"\"\"vip\"\",\"\"beta\"\"\"\n",
            ),
            "",
        ),
        (
            "google-contacts",
            text(
                "First Name,Last Name,Labels,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Value\nAda,Lovelace,* myContacts ::: Friends,a@example.com,b@example.com,+49 30 1234567\n",
            ),
            "",
        ),
        (
            "chatwoot",
            text("id,name,email,phone_number,identifier\n7,\"Lovelace, Ada\",a@example.com,+49301234567,crm-7\n"),
            "",
        ),
        (
            "manychat",
            text(
                "Contact ID,Full Name,Email,Phone,Opted-in for Email\n12345,Ada Lovelace,a@example.com,491701234567,yes\n",
            ),
            "",
        ),
        (
            "own-export",
            text(
                "id,external_id,email,phone,first_name,last_name,name,subscribed,tags,custom_fields.revenue,created_at\ncon_1,crm-1,a@example.com,'+49301234567,'=Ada,L,x,true,\"[\"\"a,b\"\"]\",'-5,2026-05-31\n",
            ),
            "",
        ),
        (
            "rejected-rows",
            text("line,column,code,message,email\n7,email,invalid_value,expected an email,a@example.com\n"),
            "",
        ),
        ("two-phones", text("Email,Phone,Mobile\na@example.com,+49301234567,+491701234567\n"), ""),
        ("consent", text("Email,Newsletter,Opted out\na@example.com,x,\nb@example.com,,ja\n"), ""),
        ("german-names", text("Vorname;Name;E-Mail\nAda;Lovelace;a@example.com\n"), ""),
        (
            "portuguese",
            windows(
                "Nome;Sobrenome;E-mail;Celular;Geboren\r\nJoão;Conceição;a@example.com;+55 11 91234-5678;31/05/2026\r\n",
            ),
            "",
        ),
        (
            "spanish",
            windows("Nombre;Apellidos;Correo electrónico;Teléfono móvil\r\nAna;Núñez;a@example.com;612 345 678\r\n"),
            "ES",
        ),
        // Numbers
        ("numbers-ambiguous", text("email,Umsatz\na@example.com,1.234\nb@example.com,\n"), ""),
        ("numbers-thousands", text("email;Umsatz\na@example.com;1,000\nb@example.com;1,234,567\n"), ""),
        ("numbers-swiss", text("email;Umsatz\na@example.com;1'234.50\nb@example.com;12.5\n"), ""),
        ("numbers-spaces", text("email;Umsatz\na@example.com;1\u{202f}234,5\nb@example.com;1\u{a0}000\n"), ""),
        ("numbers-broken", text("email;Umsatz\na@example.com;12,5\nb@example.com;#NV\nc@example.com;5 €\n"), ""),
        ("tags-in-quotes", text("email,TAGS\na@example.com,\"\"\"vip, gold\"\",\"\"beta\"\"\"\n"), ""),
        ("numbers-mixed", text("email;Umsatz\na@example.com;12,5\nb@example.com;12.5\nc@example.com;7,25\n"), ""),
        // Dates
        ("dates-german", text("email;Geboren\na@example.com;31.05.1990\nb@example.com;1.2.1991\n"), ""),
        ("dates-american", text("email,Geboren\na@example.com,05/31/1990\nb@example.com,1/2/1991\n"), ""),
        ("dates-ambiguous", text("email,Geboren\na@example.com,03/04/2026\nb@example.com,05/05/2026\n"), ""),
        ("dates-serial", text("email,Geboren\na@example.com,45291\nb@example.com,2026-05-31\n"), ""),
        ("dates-two-digits", text("email;Geboren\na@example.com;31.05.90\nb@example.com;31.05.1990\n"), ""),
        ("dates-midnight", text("email,Geboren\na@example.com,2026-05-31 00:00:00\n"), ""),
        ("times-local", text("email;Since\na@example.com;31.05.2026 18:00\nb@example.com;29.03.2026 02:30\n"), ""),
        (
            "times-zoned",
            text("email,Since\na@example.com,2026-05-31T18:00:00Z\nb@example.com,2026-05-31 18:00:00 +0200\n"),
            "",
        ),
        ("times-american", text("email,Since\na@example.com,5/31/2026 6:00 PM\n"), ""),
        (
            "times-mixed",
            text(
                "email,Since\na@example.com,2026-05-31 18:00\nb@example.com,2026-05-31T18:00:00Z\nc@example.com,2026-06-01 09:00\n",
            ),
            "",
        ),
        // Other kinds
        ("yes-no", text("email;VIP\na@example.com;ja\nb@example.com;NEIN\nc@example.com;\nd@example.com;1\n"), ""),
        ("yes-no-x", text("email;VIP\na@example.com;x\nb@example.com;\n"), ""),
        ("yes-no-wrong", text("email;VIP\na@example.com;ja\nb@example.com;vielleicht\n"), ""),
        (
            "options",
            text(
                "email;Plan;Topics\na@example.com;GOLD;music|art, design\nb@example.com;silver;MUSIC\nc@example.com;bronze;\n",
            ),
            "",
        ),
        ("tags-semicolons", text("email,tags\na@example.com,vip; beta\nb@example.com,vip\n"), ""),
        ("tags-two-separators", text("email|tags\na@example.com|vip;beta\nb@example.com|vip,new\n"), ""),
        ("phones-national", text("phone;first_name\n030 1234567;Ada\n0049 170 1234567;Bob\n"), "DE"),
        ("phones-no-country", text("phone;first_name\n030 1234567;Ada\n+49 170 1234567;Bob\n"), ""),
        ("phones-scientific", text("phone,external_id\n4.9E+11,1\n+49301234567,4.9E+11\n"), ""),
        (
            "zones-and-locales",
            text("email,Timezone,Language\na@example.com,europe/berlin,de_DE\nb@example.com,America/New York,EN\n"),
            "",
        ),
        (
            "formulas",
            text("email,first_name,Umsatz\na@example.com,'=1+1,'-5\nb@example.com,''=x,-7\nc@example.com,'tis,+3\n"),
            "",
        ),
    ]
}

/// The expected reports, each under `## NAME`.
const EXPECTED: &str = include_str!("files_tests/expected.txt");

/// Splits a text of expected reports into names and reports.
fn expected_reports(text: &str) -> Vec<(&str, &str)> {
    let reports = text.split("## ").skip(1).map(|it| it.split_once('\n').unwrap());
    reports.map(|(name, report)| (name, report.trim_end())).collect()
}

#[test]
fn reads_every_file_with_the_expected_report() {
    let files = files();
    assert!(files.len() >= 60);
    let expected = expected_reports(EXPECTED);
    let names: Vec<_> = files.iter().map(|(name, _, _)| *name).collect();
    assert_eq!(expected.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
    for ((name, bytes, country), (_, expected)) in files.into_iter().zip(expected) {
        assert_eq!(report(&bytes, country).trim_end(), expected, "{name}");
    }
}

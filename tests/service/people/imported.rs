//! Imports of contacts with the command, next to a running server.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use crate::support::people::Person;
use crate::support::{Server, Store};

/// A file in its own folder, deleted with it.
struct Table(PathBuf);

impl Table {
    fn of(name: &str, text: impl AsRef<[u8]>) -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("tidings-import-{}-{number}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("table.csv"), text).unwrap();
        Self(folder)
    }

    fn path(&self) -> String {
        self.0.join("table.csv").display().to_string()
    }

    fn rejected(&self) -> String {
        std::fs::read_to_string(self.0.join("table.rejected.csv")).unwrap_or_default()
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn import(server: &Server, table: &Table, more: &[&str]) -> Value {
    let path = table.path();
    let mut arguments = vec!["import", "contacts", &path, "--workspace", &server.workspace];
    arguments.extend(more);
    server.command(&arguments)
}

fn counts(of: &Value) -> [u64; 5] {
    ["lines", "created", "updated", "unchanged", "rejected"].map(|name| of[name].as_u64().unwrap())
}

async fn imports_a_table(store: Store) {
    let server = Server::start(store, &[]);
    let client = server.client();
    client.post("/api/v1/custom-fields", &json!({"name": "Plan", "type": "text"})).await.expect(201);
    client.post("/api/v1/contacts", &json!({"external_id": "c1", "email": "old@example.com"})).await.expect(201);
    let mut text = "\u{feff}external_id,E-Mail,first_name,tags,custom_fields.plan,Notes\r\n".to_owned();
    for number in 0..1_200 {
        let tags = if number % 10 == 0 { "\"vip, tenth\"" } else { "" };
        text += &format!("c{number},c{number}@example.com,\"Ada, {number}\",{tags},=plan {number},none\r\n");
    }
    text += "c7,c7@example.com,The last,,,\r\n";
    text += "bad1,nobody,,,,\r\nc9,c8@example.com,,,,\r\nshort\r\n,,Nobody,,,\r\n";
    let table = Table::of("all", &text);
    let more = ["--column", "E-Mail=email", "--column", "Notes=-"];
    let done = import(&server, &table, &more);
    assert_eq!(counts(&done), [1_205, 1_200, 2, 0, 3], "{done}\n{}", table.rejected());
    let rejected = table.rejected();
    let lines: Vec<&str> = rejected.split("\r\n").collect();
    let head = "line,column,code,message,external_id,E-Mail,first_name,tags,custom_fields.plan,Notes";
    assert_eq!(lines[0], head);
    assert!(lines[1].starts_with("1203,E-Mail,invalid_value,") && lines[1].ends_with(",bad1,nobody,,,,"), "{rejected}");
    assert!(rejected.contains("1204,E-Mail,contact_exists,another contact has this value: contact_"), "{rejected}");
    assert!(rejected.contains("1206,,required,"), "{rejected}");
    assert!(rejected.contains("to identify the contact\",,,Nobody,,,\r\n"), "{rejected}");
    let one = client.get("/api/v1/contacts/external_id:c1").await.expect(200);
    assert_eq!((&one["email"], &one["custom_fields"]["plan"]), (&json!("c1@example.com"), &json!("=plan 1")));
    assert_eq!(client.get("/api/v1/contacts/external_id:c7").await.expect(200)["first_name"], "The last");
    assert_eq!(client.get("/api/v1/contacts?tag=tenth&include=total").await.expect(200)["total"], 120);

    // The same import again: contacts that the table lists twice are changed twice, all others are unchanged.
    let again = import(&server, &table, &more);
    assert_eq!(counts(&again), [1_205, 0, 2, 1_200, 3], "{again}");
    assert_eq!(client.get("/api/v1/contacts?include=total").await.expect(200)["total"], 1_201);
    // An export can be imported without changes.
    let exported = Table::of("exported", client.get("/api/v1/contacts/export").await.text);
    assert_eq!(counts(&import(&server, &exported, &[])), [1_201, 0, 0, 1_201, 0], "{}", exported.rejected());
    // Corrected rows are imported as a table of the same form; rows that are still invalid are returned in that form.
    let mended = rejected.replace(",bad1,nobody,", ",bad1,bad1@example.com,").replace(",c9,c8@", ",c9,c9@");
    let mended = Table::of("mended", mended);
    assert_eq!(counts(&import(&server, &mended, &more)), [3, 1, 0, 1, 1], "{}", mended.rejected());
    let lines = mended.rejected();
    assert!(lines.starts_with(&format!("{head}\r\n")) && lines.contains(",Nobody,,,\r\n"), "{lines}");
    // If every row is rejected, the command fails. It names the columns that it does not read.
    let wrong = Table::of("wrong", "email,first_name,last_name,name,created_at\nnobody,A,B,A B,2026\nalso,,,,\n");
    let said = server.refused(&["import", "contacts", &wrong.path(), "--workspace", &server.workspace]);
    assert!(said.contains("every row was rejected"), "{said}");
    assert!(said.contains("Columns that are not imported: `name`, `created_at`."), "{said}");
    // The rejected rows cannot overwrite the table that is read.
    let path = mended.path();
    let same = ["import", "contacts", &path, "--workspace", &server.workspace, "--rejected", &path];
    let said = server.refused(&[&same[..], &more[..]].concat());
    assert!(said.contains("use another file"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejects_unusable_tables_before_any_change() {
    let server = Server::start(Store::sqlite().await, &[]);
    let wide = format!("{}\n", vec!["email"; 10_000].join(","));
    let cases: [(&str, Vec<u8>, &str); 6] = [
        ("empty", Vec::new(), "the table is empty"),
        ("workbook", b"PK\x03\x04xl/workbook.xml".to_vec(), "not CSV"),
        ("wide", wide.into_bytes(), "too many cells"),
        ("unnamed", b"first_name\nAda\n".to_vec(), "to identify contacts"),
        ("unknown", b"email,emial\n".to_vec(), "did you mean `email`"),
        ("binary", b"email\n\x81\x8d\n".to_vec(), "0x81"),
    ];
    for (name, text, why) in cases {
        let table = Table::of(name, text);
        let said = server.refused(&["import", "contacts", &table.path(), "--workspace", &server.workspace]);
        assert!(said.contains(why), "{name}: {said}");
    }
    // An overlong line is one rejected row.
    let long = Table::of("long", format!("email\nada@example.com\n{}\neve@example.com\n", "x".repeat(1 << 20)));
    assert_eq!(counts(&import(&server, &long, &[])), [3, 2, 0, 0, 1]);
    let told = "line,column,code,message,email\r\n3,,too_long,";
    assert!(long.rejected().starts_with(told), "{}", long.rejected());
}

/// A file of a German spreadsheet: it is checked first, and values that do not fit are skipped and reported.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn checks_and_imports_a_german_spreadsheet() {
    let server = Server::start(Store::sqlite().await, &[]);
    let client = server.client();
    client
        .post("/api/v1/custom-fields", &json!({"key": "umsatz", "name": "Umsatz", "type": "number"}))
        .await
        .expect(201);
    let text = b"Nachname;Vorname;E-Mail;Telefon;Umsatz\r\nM\xfcller;Ada;ada@example.com;+49 30 1234567;1.234,50\r\n\
        Weiss;Bob;bob@example.com;;unbekannt\r\n";
    let table = Table::of("german", text);
    let check = import(&server, &table, &["--check"]);
    assert_eq!((&check["ready"], &check["columns"][4]["failing"]), (&json!(true), &json!(1)), "{check}");
    assert_eq!(check["columns"][4]["format"], "number:1.234,5");
    assert_eq!(client.get("/api/v1/contacts").await.expect(200)["data"], json!([]), "a check imports nothing");
    let open = Table::of("open", "email,umsatz,Notiz\na@example.com,\"12,5\",x\n");
    let told = server.refused(&["import", "contacts", &open.path(), "--workspace", &server.workspace, "--check"]);
    assert!(told.contains("column `Notiz`: ") && told.contains("custom_fields.umsatz, number:1234,5"), "{told}");
    assert!(told.contains(r#"--column "umsatz=custom_fields.umsatz" --format "umsatz=number:1234,5""#), "{told}");
    let done = import(&server, &table, &[]);
    assert_eq!((counts(&done), &done["skipped_cells"]), ([2, 2, 0, 0, 0], &json!(1)), "{done}");
    let ada = client.get("/api/v1/contacts/email:ada@example.com").await.expect(200);
    let told = (&ada["last_name"], &ada["phone"], &ada["custom_fields"]["umsatz"]);
    assert_eq!(told, (&json!("Müller"), &json!("+49301234567"), &json!(1234.5)));
    assert!(table.rejected().contains("3,Umsatz,not_a_number,\"The cell was skipped: "), "{}", table.rejected());
    let done = import(&server, &table, &["--on-error", "reject_row"]);
    assert_eq!(counts(&done), [2, 0, 0, 1, 1], "{done}");
    // National phone numbers use the workspace's country, as in requests.
    let phones = Table::of("phones", "email,Telefon\nada@example.com,030 7654321\n");
    server.refused(&["import", "contacts", &phones.path(), "--workspace", &server.workspace]);
    assert!(phones.rejected().contains("2,Telefon,missing_country_code,"), "{}", phones.rejected());
    let owner = Person::new(&server, &server.workspace, "owner").client(&server).await;
    let path = format!("/platform/workspaces/{}", server.workspace);
    owner.call("PATCH", &path, Some(&json!({"default_country": "DE"}))).await.expect(200);
    assert_eq!(counts(&import(&server, &phones, &[])), [1, 0, 1, 0, 0]);
    let ada = client.get("/api/v1/contacts/email:ada@example.com").await.expect(200);
    assert_eq!(ada["phone"], "+49307654321");
    // An ambiguous format is not guessed.
    let table = Table::of("ambiguous", "email,umsatz\na@example.com,\"1,000\"\n");
    let said = server.refused(&["import", "contacts", &table.path(), "--workspace", &server.workspace]);
    assert!(said.contains("--format") && said.contains("`format=umsatz:number:"), "{said}");
}

/// A table on standard input is read twice, and its rejected rows are written to the given file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn imports_a_table_from_standard_input() {
    let server = Server::start(Store::sqlite().await, &[]);
    let folder = Table::of("piped", "");
    let rejected = folder.0.join("table.rejected.csv").display().to_string();
    let arguments: [&str; 7] = ["import", "contacts", "-", "--workspace", &server.workspace, "--rejected", &rejected];
    let text = b"E-Mail;Vorname\r\nada@example.com;J\xfcrgen\r\nnobody;Eve\r\n";
    let done = server.command_with_input(&arguments, text);
    assert_eq!(counts(&done), [2, 1, 0, 0, 1], "{done}");
    assert!(folder.rejected().contains("3,E-Mail,invalid_value,"), "{}", folder.rejected());
    let ada = server.client().get("/api/v1/contacts/email:ada@example.com").await.expect(200);
    assert_eq!(ada["first_name"], "Jürgen");
}

on_both! {
    imports_a_table,
}

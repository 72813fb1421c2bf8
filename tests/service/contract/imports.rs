//! Imports of contacts over HTTP: imported, rejected by row, and rejected as a whole.

use serde_json::{Value, json};

use crate::support::{Client, Reply, Server};

const IMPORT: &str = "/api/v1/contacts/import";
const CSV: (&str, &str) = ("content-type", "text/csv; charset=utf-8");

async fn send(client: &Client, query: &str, table: impl Into<Vec<u8>>) -> Reply {
    client.send("POST", &format!("{IMPORT}{query}"), &[CSV], Some(table.into())).await.unwrap()
}

/// Waits for the end of the import and returns it.
async fn over(client: &Client, started: &Value) -> Value {
    let path = format!("/api/v1/contacts/imports/{}", started["id"].as_str().unwrap());
    client.until(&path, |it| !["queued", "running"].contains(&it["status"].as_str().unwrap())).await
}

async fn imported(client: &Client, query: &str, table: impl Into<Vec<u8>>) -> Value {
    let started = send(client, query, table).await.expect(202);
    over(client, &started).await
}

fn counts(import: &Value) -> Value {
    let counts = &import["counts"];
    json!([counts["rows"], counts["created"], counts["updated"], counts["kept"], counts["rejected"]])
}

async fn rejected(client: &Client, import: &Value) -> Vec<String> {
    let path = format!("/api/v1/contacts/imports/{}/rejected", import["id"].as_str().unwrap());
    let reply = client.get(&path).await;
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/csv; charset=utf-8")), "{}", reply.text);
    reply.text.lines().map(ToOwned::to_owned).collect()
}

/// Columns are mapped, contacts are created with events, and invalid rows are returned; a repeated request with the
/// same key is done once.
pub async fn imports_a_table_with_mapped_columns(server: &Server) {
    let client = server.new_client("Imports", "full");
    client.post("/api/v1/custom-fields", &json!({"key": "plan", "name": "Plan", "type": "text"})).await.expect(201);
    let table = "\u{feff}E-Mail,first_name,Tarif,Notes,tags\r\n\
                 ada@example.com,=Ada,gold,x,\"vip, new\"\r\n\
                 \"eve@example.com\",Eve,\"gold\nplus\",,\r\n\
                 nonsense,@Mallory,gold,\"a,b\",\r\n\
                 bob@example.com,Bob\r\n";
    let query = "?column=E-Mail:email&column=Tarif:custom_fields.plan&column=Notes:-";
    let key = ("idempotency-key", "once");
    let path = format!("{IMPORT}{query}");
    let started = client.send("POST", &path, &[CSV, key], Some(table.into())).await.unwrap();
    let location = started.header("location").map(ToOwned::to_owned);
    let started = started.expect(202);
    assert_eq!(started["created_by"]["type"], "api_key");
    assert_eq!(location, Some(format!("/api/v1/contacts/imports/{}", started["id"].as_str().unwrap())));
    assert_eq!((&started["existing"], &started["counts"]["rows"]), (&json!("update"), &json!(4)));
    assert_eq!(started["ignored_columns"], json!(["Notes"]));
    let again = client.send("POST", &path, &[CSV, key], Some(table.into())).await.unwrap();
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.expect(202)["id"], started["id"]);
    let done = over(&client, &started).await;
    assert_eq!((done["status"].as_str(), counts(&done)), (Some("completed"), json!([4, 3, 0, 0, 1])), "{done}");
    assert_eq!((&done["counts"]["done"], &done["ignored_columns"]), (&json!(4), &json!(["Notes"])));
    assert!(done["started_at"].is_string() && done["ended_at"].is_string() && done["error"].is_null(), "{done}");
    let ada = client.get("/api/v1/contacts/email:ada@example.com").await.expect(200);
    assert_eq!((&ada["first_name"], &ada["custom_fields"]["plan"]), (&json!("=Ada"), &json!("gold")));
    assert_eq!(ada["tags"].as_array().unwrap().len(), 2);
    let lines = rejected(&client, &done).await;
    assert_eq!(lines[0], "line,column,code,message,E-Mail,first_name,Tarif,Notes,tags");
    assert!(lines[1].starts_with("5,E-Mail,invalid_value,"), "{lines:?}");
    assert!(lines[1].ends_with(",nonsense,'@Mallory,gold,\"a,b\","), "no cell is a formula: {lines:?}");
    assert_eq!(lines.len(), 2, "missing cells are empty: {lines:?}");
    let feed = client.until("/api/v1/events?types=contact.created", |it| it["data"][2].is_object()).await;
    assert_eq!(feed["data"].as_array().unwrap().len(), 3);
    let list = client.get("/api/v1/contacts/imports").await.expect(200);
    assert_eq!((list["data"].as_array().unwrap().len(), &list["data"][0]), (1, &done));
    // Imported again: existing contacts match the table.
    let again = imported(&client, query, table).await;
    assert_eq!(counts(&again), json!([4, 0, 0, 3, 1]));
}

/// Rejected rows can be corrected and sent again as a table of the same form; rows that are still invalid are returned
/// in the same form.
pub async fn imports_corrected_rows_again(server: &Server) {
    let client = server.new_client("Mended", "full");
    let query = "?column=E-Mail:email&column=%40id:external_id&column=message:last_name";
    let table = "E-Mail,@id,first_name,subscribed,message\n\
                 ada,1,=Ada,perhaps,Lovelace\n\
                 eve@example.com,2,Eve,true,\n\
                 bob,3,Bob,,\n";
    let first = imported(&client, query, table).await;
    assert_eq!(counts(&first), json!([3, 1, 0, 0, 2]), "{first}");
    let lines = rejected(&client, &first).await;
    let head = "line,column,code,message,E-Mail,'@id,first_name,subscribed,message";
    assert_eq!((lines[0].as_str(), lines.len()), (head, 4), "{lines:?}");
    for (line, begin, end) in [
        (1, "2,E-Mail,invalid_value,", ",ada,1,'=Ada,perhaps,Lovelace"),
        (2, "2,subscribed,not_yes_no,", ",ada,1,'=Ada,perhaps,Lovelace"),
        (3, "4,E-Mail,invalid_value,", ",bob,3,Bob,,"),
    ] {
        assert!(lines[line].starts_with(begin) && lines[line].ends_with(end), "{line}: {lines:?}");
    }
    let mended = lines.join("\n").replace(",ada,1,", ",ada@example.com,1,").replace(",perhaps,", ",false,");
    let second = imported(&client, query, mended).await;
    assert_eq!(counts(&second), json!([3, 1, 0, 1, 1]), "a row of two lines is imported once: {second}");
    let ada = client.get("/api/v1/contacts/external_id:1").await.expect(200);
    let told = ["email", "first_name", "last_name", "subscribed"].map(|name| ada[name].clone());
    assert_eq!(told, [json!("ada@example.com"), json!("=Ada"), json!("Lovelace"), json!(false)]);
    let left = rejected(&client, &second).await;
    assert_eq!((left[0].as_str(), left.len()), (head, 2), "{left:?}");
    assert!(left[1].starts_with("4,E-Mail,invalid_value,") && left[1].ends_with(",bob,3,Bob,,"), "{left:?}");
    let third = imported(&client, query, left.join("\n").replace(",bob,3,", ",bob@example.com,3,")).await;
    assert_eq!(counts(&third), json!([1, 1, 0, 0, 0]), "{third}");
    assert_eq!(rejected(&client, &third).await, [head]);
}

/// An existing contact is updated, kept, or rejected.
pub async fn updates_keeps_or_rejects_existing_contacts(server: &Server) {
    let client = server.new_client("Existing", "full");
    client.post("/api/v1/contacts", &json!({"external_id": "1", "first_name": "Old"})).await.expect(201);
    let table = "external_id,first_name\n1,New\n2,Other\n";
    let kept = imported(&client, "?existing=keep", table).await;
    assert_eq!((counts(&kept), &kept["existing"]), (json!([2, 1, 0, 1, 0]), &json!("keep")));
    let refused = imported(&client, "?existing=reject", table).await;
    assert_eq!(counts(&refused), json!([2, 0, 0, 0, 2]));
    assert!(rejected(&client, &refused).await[1].starts_with("2,,contact_exists,"));
    let name = async || client.get("/api/v1/contacts/external_id:1").await.expect(200)["first_name"].clone();
    assert_eq!(name().await, "Old");
    // Of two rows of one contact, the second is processed after the first.
    let updated = imported(&client, "?existing=update", "external_id,first_name\n1,New\n1,Newer\n").await;
    assert_eq!((counts(&updated), name().await), (json!([2, 0, 2, 0, 0]), json!("Newer")));
}

/// A table without usable rows is rejected at once with the place of the error; nothing is stored.
pub async fn reports_why_a_table_is_rejected(server: &Server) {
    let client = server.new_client("Refused", "full");
    let wide = format!("email{}\n", ",x".repeat(10_000));
    let cases: Vec<(&str, Vec<u8>, &str, &str)> = vec![
        ("", b"".to_vec(), "required", "the table is empty"),
        ("", b"email,first_name\na@example.com,\x81\x8d\n".to_vec(), "invalid_encoding", "line 2 has the byte 0x81"),
        ("", wide.into_bytes(), "invalid_line", "too many cells"),
        ("?format=email:number:1234.5", b"email\na\n".to_vec(), "invalid_format", "does not suit the target"),
        ("?format=Nothing:text", b"email\na\n".to_vec(), "unknown_column", "no column with this heading"),
        ("", b"email,emial\n".to_vec(), "unknown_column", "column `emial`"),
        ("", b"email,email\n".to_vec(), "duplicate", "two columns contain `email`"),
        ("?column=A:email&column=B:email", b"A,B\n".to_vec(), "duplicate", "which another column has already"),
        ("?column=Post:email", b"email\n".to_vec(), "unknown_column", "the table has no column `Post`"),
        ("?column=E-Mail:mail", b"E-Mail\n".to_vec(), "unknown_column", "`mail` is not a known column"),
        ("", b"ada@example.com,Ada\neve@example.com,Eve\n".to_vec(), "unknown_column", "ada@example.com"),
    ];
    for (query, table, code, message) in cases {
        let refused = send(&client, query, table).await.expect(422);
        let errors = refused["errors"].as_array().unwrap();
        let told = errors.iter().any(|it| it["code"] == code && it["message"].as_str().unwrap().contains(message));
        assert!(told, "{code}: {message}: {refused}");
    }
    for query in [
        "?column=email",
        "?column=:email",
        "?format=email",
        "?format=email:nothing",
        "?encoding=ebcdic",
        "?delimiter=x",
        "?on_error=ignore",
        "?existing=sometimes",
        "?nobody=1",
    ] {
        send(&client, query, "email\na@example.com\n").await.expect(422);
    }
    let large = vec![b'a'; (5 << 20) + 1];
    assert_eq!(send(&client, "", large).await.expect(413)["code"], "payload_too_large");
    let json =
        client.send("POST", IMPORT, &[("content-type", "application/json")], Some(b"{}".to_vec())).await.unwrap();
    assert_eq!(json.expect(415)["code"], "unsupported_media_type");
    assert_eq!(client.get("/api/v1/contacts/imports").await.expect(200)["data"], json!([]));
    assert_eq!(client.get("/api/v1/contacts").await.expect(200)["data"], json!([]));
    // A table with only a header ends at once.
    assert_eq!(counts(&imported(&client, "", "email\n").await), json!([0, 0, 0, 0, 0]));
}

/// A check reports the effects of an import and stores nothing. Its returned parameters repeat its reading of the
/// table.
pub async fn checks_a_table_before_importing_it(server: &Server) {
    let client = server.new_client("Checked", "full");
    for (key, kind) in [("umsatz", "number"), ("seit", "date")] {
        client.post("/api/v1/custom-fields", &json!({"key": key, "name": key, "type": kind})).await.expect(201);
    }
    let table = b"E-Mail;Vorname;Umsatz;Seit;Notiz\r\nada@example.com;J\xfcrgen;1.234,50;03/04/2026;x\r\n\
        bob@example.com;Bob;viel;05/06/2026;\r\nnobody;Eve;12,5;07/08/2026;\r\n";
    let check = send(&client, "?check=true", table.as_slice()).await.expect(200);
    assert_eq!(
        (&check["ready"], &check["encoding"], &check["delimiter"]),
        (&json!(false), &json!("windows-1252"), &json!(";"))
    );
    let told: Vec<_> = check["problems"].as_array().unwrap().iter().map(|it| (&it["column"], &it["code"])).collect();
    assert_eq!(told, [(&json!("Seit"), &json!("ambiguous_format")), (&json!("Notiz"), &json!("unknown_column"))]);
    let example = &check["columns"][3]["proposals"][0]["example"];
    assert_eq!(example["value"], "03/04/2026", "{check}");
    let refused = send(&client, "", table.as_slice()).await.expect(422);
    assert_eq!(
        refused["errors"].as_array().unwrap().len(),
        2,
        "an import rejects the problems of the check: {refused}"
    );

    let query = "?column=Notiz:-&format=Seit:date:dd/mm/yyyy&on_error=skip_cell";
    let check = send(&client, &format!("{query}&check=true"), table.as_slice()).await.expect(200);
    assert_eq!(check["ready"], true, "{check}");
    let failing: Vec<_> = check["columns"].as_array().unwrap().iter().map(|it| it["failing"].clone()).collect();
    assert_eq!(failing, [json!(1), json!(0), json!(1), json!(0), json!(0)]);
    assert_eq!(client.get("/api/v1/contacts/imports").await.expect(200)["data"], json!([]), "nothing is stored");

    let repeat: Vec<_> = check["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let text = |name: &str| it[name].as_str().unwrap().to_owned();
            format!("{}={}", text("name"), text("value").replace(';', "%3B"))
        })
        .collect();
    let done = imported(&client, &format!("?{}&on_error=skip_cell", repeat.join("&")), table.as_slice()).await;
    assert_eq!((counts(&done), &done["counts"]["skipped_cells"]), (json!([3, 2, 0, 0, 1]), &json!(1)), "{done}");
    let ada = client.get("/api/v1/contacts/email:ada@example.com").await.expect(200);
    assert_eq!(
        (&ada["first_name"], &ada["custom_fields"]),
        (&json!("Jürgen"), &json!({"umsatz": 1234.5, "seit": "2026-04-03"}))
    );
    let lines = rejected(&client, &done).await;
    assert!(lines[1].starts_with("3,Umsatz,not_a_number,\"The cell was skipped: "), "{lines:?}");
    assert!(lines[2].starts_with("4,E-Mail,invalid_value,"), "{lines:?}");
}

/// A check reads the whole table, so a workspace has one at a time.
pub async fn a_workspace_checks_one_table_at_a_time(server: &Server) {
    let client = server.new_client("Checking", "full");
    let row = format!("ada@example.com,{}\n", "x".repeat(1_000));
    let long = send(&client, "?check=true&column=Notes:-", format!("email,Notes\n{}", row.repeat(2_000)));
    futures::pin_mut!(long);
    let is_busy = |reply: &Reply| reply.status == 429 && reply.code() == "search_limit";
    let mut rejected = None;
    let last = loop {
        tokio::select! {
            reply = &mut long => break reply,
            reply = send(&client, "?check=true", "email\n"), if rejected.is_none() => {
                rejected = Some(reply).filter(is_busy);
            }
        }
    };
    let rejected = rejected.or_else(|| Some(last).filter(is_busy)).expect("one of the checks is rejected");
    assert!(rejected.header("retry-after").is_some(), "{}", rejected.text);
}

/// An export in spreadsheet form can be imported without loss.
pub async fn an_export_is_imported_again_without_a_change(server: &Server) {
    let client = server.new_client("Again", "full");
    for (key, kind) in [("note", "text"), ("score", "number"), ("mobile", "phone")] {
        client.post("/api/v1/custom-fields", &json!({"key": key, "name": key, "type": kind})).await.expect(201);
    }
    let ada = json!({"external_id": "+7", "phone": "+49301234567", "first_name": "'=Ada", "last_name": "-x",
        "tags": ["a,b", "=c"], "custom_fields": {"note": " two\nlines ", "score": -12.5, "mobile": "+491701234567"}});
    let before = client.post("/api/v1/contacts", &ada).await.expect(201);
    let text = client.get("/api/v1/contacts/export?bom=true").await.text;
    assert!(
        text.starts_with("\u{feff}id,") && text.contains(",+49301234567,") && text.ends_with(",-12.5\r\n"),
        "{text}"
    );
    let done = imported(&client, "", text.clone()).await;
    assert_eq!(counts(&done), json!([1, 0, 0, 1, 0]), "{done}\n{text}");
    let after = client.get("/api/v1/contacts/external_id:+7").await.expect(200);
    assert_eq!((&after["version"], &after["custom_fields"]), (&before["version"], &before["custom_fields"]));
    let some = client.get("/api/v1/contacts/export?columns=external_id,custom_fields.score").await.text;
    assert_eq!(some, "external_id,custom_fields.score\r\n'+7,-12.5\r\n");
    let refused = client.get("/api/v1/contacts/export?columns=external_id,nothing").await.expect(422);
    assert!(refused["errors"][0]["message"].as_str().unwrap().contains("its columns are `id`"), "{refused}");
}

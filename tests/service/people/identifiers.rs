//! Identifiers of contacts: an opt-out stays with an identifier, an upsert does not take over another contact, and
//! spellings of one address are one address.

use serde_json::{Value, json};

use crate::support::{Client, Server, Store};

const CONTACTS: &str = "/api/v1/contacts";
const UPSERT: &str = "/api/v1/contacts?on_conflict=update";

fn path(contact: &Value) -> String {
    format!("{CONTACTS}/{}", contact["id"].as_str().unwrap())
}

async fn make(client: &Client, body: Value) -> Value {
    client.post(CONTACTS, &body).await.expect(201)
}

async fn patch(client: &Client, contact: &Value, body: Value) -> Value {
    client.call("PATCH", &path(contact), Some(&body)).await.expect(200)
}

async fn import(client: &Client, query: &str, table: &str) -> Value {
    let started = client.post(&format!("{CONTACTS}/import{query}"), &json!(table)).await.expect(202);
    let import = format!("{CONTACTS}/imports/{}", started["id"].as_str().unwrap());
    client.until(&import, |it| it["ended_at"].is_string()).await
}

/// All ways for an identifier to leave an unsubscribed contact, with one identifier each.
async fn a_refusal_stays_with_an_identifier(server: &Server) {
    let client = server.client();
    let refused = async |email: &str, more: Value| {
        let mut body = json!({"email": email, "subscribed": false});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        make(&client, body).await
    };
    let gone = ["put", "patch", "cleared", "upserted", "imported", "batched", "merged", "deleted", "erased", "flow"];
    let email = |way: &str| format!("{way}@refused.example");

    let it = refused(&email("put"), json!({})).await;
    client.put(&path(&it), &json!({"email": "put@new.example"})).await.expect(200);
    let it = refused(&email("patch"), json!({})).await;
    let after = patch(&client, &it, json!({"email": "patch@new.example"})).await;
    assert_eq!(after["subscribed"], json!(false));
    let it = refused(&email("cleared"), json!({})).await;
    patch(&client, &it, json!({"email": null})).await;
    refused(&email("upserted"), json!({"external_id": "upserted"})).await;
    let body = json!({"external_id": "upserted", "email": "upserted@new.example", "subscribed": true});
    let after = client.post(UPSERT, &body).await.expect(200);
    assert_eq!((&after["subscribed"], &after["still_opted_out"]), (&json!(false), &json!(true)), "{after}");
    refused(&email("imported"), json!({"external_id": "imported"})).await;
    let done = import(&client, "", "external_id,email,subscribed\nimported,imported@new.example,true\n").await;
    assert_eq!(done["counts"]["still_opted_out"], json!(1), "{done}");
    let it = refused(&email("batched"), json!({})).await;
    let operation = json!({"action": "update", "id": it["id"], "contact": {"email": "batched@new.example"}});
    client.post(&format!("{CONTACTS}/batch"), &json!({"operations": [operation]})).await.expect(200);
    let it = refused(&email("merged"), json!({})).await;
    let other = make(&client, json!({"email": "survivor@new.example"})).await;
    let merged = client.post(&format!("{}/merge", path(&it)), &json!({"into": other["id"]})).await.expect(200);
    assert_eq!(merged["subscribed"], json!(false));
    let it = refused(&email("deleted"), json!({})).await;
    client.delete(&path(&it)).await.expect(204);
    let it = refused(&email("erased"), json!({})).await;
    client.post(&format!("{}/erase", path(&it)), &json!({})).await.expect(202);
    set_by_a_flow(&client, &refused(&email("flow"), json!({})).await).await;

    for way in gone {
        let back = make(&client, json!({"email": email(way), "subscribed": true})).await;
        assert_eq!((&back["subscribed"], &back["still_opted_out"]), (&json!(false), &json!(true)), "{way}: {back}");
        let shown = client.get(&path(&back)).await.expect(200);
        assert_eq!(shown.get("still_opted_out"), None, "only the response to the creation has `still_opted_out`");
        let body = json!({"email": email(way), "subscribed": true});
        assert_eq!(client.post(UPSERT, &body).await.expect(200)["subscribed"], json!(false), "{way}");
        assert_eq!(patch(&client, &back, json!({"subscribed": true})).await["subscribed"], json!(true), "{way}");
        client.delete(&path(&back)).await.expect(204);
        assert_eq!(
            make(&client, json!({"email": email(way)})).await["subscribed"],
            json!(true),
            "{way}: the opt-out is lifted"
        );
    }

    for (field, value) in [("phone", "+4930777900"), ("external_id", "crm-900")] {
        let mut body = json!({"subscribed": false});
        body[field] = json!(value);
        let it = make(&client, body.clone()).await;
        patch(&client, &it, json!({field: null})).await;
        let gets = make(&client, json!({})).await;
        let after = patch(&client, &gets, json!({field: value})).await;
        assert_eq!(after["subscribed"], json!(false), "a contact that gets the {field} gets its opt-out");
    }

    let first = make(&client, json!({"email": "restored@refused.example"})).await;
    client.delete(&path(&first)).await.expect(204);
    let second = refused("restored@refused.example", json!({})).await;
    patch(&client, &second, json!({"email": null})).await;
    let restored = client.post(&format!("{}/restore", path(&first)), &json!({})).await.expect(200);
    assert_eq!(restored["subscribed"], json!(false), "{restored}");
}

/// Sets another address with a flow.
async fn set_by_a_flow(client: &Client, contact: &Value) {
    let set =
        json!({"id": "set", "type": "set_field", "field": "contact.email", "value": "flow@new.example", "next": "end"});
    let definition = json!({"start": "set", "nodes": [set, {"id": "end", "type": "end"}]});
    let flow = client.publish_flow("Another address", &definition).await;
    client.post(&format!("{}/start-flow", path(contact)), &json!({"flow_id": flow})).await.expect(202);
    client.until(&path(contact), |it| it["email"] == "flow@new.example").await;
}

/// The precedence of identifiers, in the API, batches and imports.
async fn an_upsert_does_not_take_over_another_person(server: &Server) {
    let client = server.client();
    let ann = json!({"email": "ann@example.com", "phone": "+4930777001"});
    let ann = client.post(UPSERT, &ann).await.expect(201);
    let bob = json!({"email": "bob@example.com", "phone": "+4930777001"});
    let refused = client.post(UPSERT, &bob).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "contact_exists"));
    assert_eq!(refused.json()["existing_id"], ann["id"]);
    let batch = json!({"operations": [{"action": "create", "contact": bob}]});
    let batch = client.post(&format!("{CONTACTS}/batch?on_conflict=update"), &batch).await.expect(200);
    assert_eq!(batch["outcomes"][0]["problem"]["code"], "contact_exists", "{batch}");
    let table = "email,phone\ncarl@example.com,+4930777002\ndora@example.com,+4930777002\n";
    let done = import(&client, "", table).await;
    assert_eq!((&done["counts"]["created"], &done["counts"]["rejected"]), (&json!(1), &json!(1)), "{done}");
    assert_eq!(client.get(&path(&ann)).await.expect(200)["email"], "ann@example.com");

    let named = json!({"external_id": "ann", "email": "ann@example.com"});
    let named = client.post(UPSERT, &named).await.expect(200);
    assert_eq!(named["id"], ann["id"], "a contact without an external ID gets the one of the request");
    let moved = json!({"external_id": "ann", "email": "ann@new.example", "phone": "+4930777003"});
    let moved = client.post(UPSERT, &moved).await.expect(200);
    assert_eq!((&moved["id"], &moved["email"]), (&ann["id"], &json!("ann@new.example")));

    let by_phone = json!({"email": "ann@third.example", "phone": "+4930777003"});
    let by_key = format!("{UPSERT}&key=phone");
    assert_eq!(client.post(&by_key, &by_phone).await.expect(200)["email"], "ann@third.example");
    let two = json!({"email": "carl@example.com", "phone": "+4930777003"});
    assert_eq!(
        client.post(&by_key, &two).await.code(),
        "contact_exists",
        "other identifiers do not select the contact"
    );
    let lacks = client.post(&by_key, &json!({"email": "eve@example.com"})).await.expect(422);
    assert_eq!((&lacks["errors"][0]["pointer"], &lacks["errors"][0]["code"]), (&json!("/phone"), &json!("required")));
    let alone = client.post(&format!("{CONTACTS}?key=phone"), &by_phone).await.expect(422);
    assert_eq!(alone["errors"][0]["parameter"], "key");
    let done = import(&client, "?key=phone", "email,phone\nann@fourth.example,+4930777003\n").await;
    assert_eq!((&done["counts"]["updated"], &done["key"]), (&json!(1), &json!("phone")), "{done}");
}

/// Different spellings of an address, a number and a name.
async fn spellings_are_one_identifier(server: &Server) {
    let client = server.client();
    let out = make(&client, json!({"email": "opt@xn--mnchen-3ya.de", "subscribed": false})).await;
    assert_eq!(out["email"], "opt@xn--mnchen-3ya.de", "the address is shown as written");
    for spelling in ["opt@münchen.de", "opt@MÜNCHEN.de", "opt@mu\u{308}nchen.de", "\u{feff}opt@münchen.de\u{a0}"] {
        let again = client.post(CONTACTS, &json!({"email": spelling})).await;
        assert_eq!(again.json()["existing_id"], out["id"], "{spelling}");
        let upserted = client.post(UPSERT, &json!({"email": spelling})).await.expect(200);
        assert_eq!(upserted["id"], out["id"], "{spelling}");
    }
    assert_eq!(client.get(&format!("{CONTACTS}/email:opt@m%C3%BCnchen.de")).await.expect(200)["id"], out["id"]);
    let list = client.get(&format!("{CONTACTS}?email=opt%40xn--mnchen-3ya.de")).await.expect(200);
    assert_eq!(list["data"][0]["id"], out["id"]);
    for value in ["opt@münchen.de", "opt@xn--mnchen-3ya.de"] {
        let filter = json!({"filter": {"field": "email", "op": "eq", "value": value}});
        let found = client.post(&format!("{CONTACTS}/search"), &filter).await.expect(200);
        assert_eq!(found["data"][0]["id"], out["id"], "{value}");
    }
    client.delete(&path(&out)).await.expect(204);
    let back = make(&client, json!({"email": "opt@münchen.de"})).await;
    assert_eq!(back["subscribed"], json!(false), "the opt-out applies to every spelling");
    for other in ["opt@muenchen.de", "opt+a@münchen.de", "o.pt@münchen.de"] {
        make(&client, json!({"email": other})).await;
    }
    make(&client, json!({"email": "a@straße.de"})).await;
    make(&client, json!({"email": "a@strasse.de"})).await;

    let phone = make(&client, json!({"phone": "+49\u{a0}30\u{a0}1234567"})).await;
    assert_eq!(phone["phone"], "+49301234567");
    let mexican = make(&client, json!({"phone": "+52 1 55 1234 5678"})).await;
    let same = client.post(UPSERT, &json!({"phone": "+52 55 1234 5678"})).await.expect(200);
    assert_eq!(same["id"], mexican["id"]);

    let named =
        make(&client, json!({"first_name": "\u{a0}O\u{2019}Neil\u{200b} ", "last_name": "می\u{200c}خواهم"})).await;
    assert_eq!((&named["first_name"], &named["last_name"]), (&json!("O\u{2019}Neil"), &json!("می\u{200c}خواهم")));
    for (name, code) in [("\u{200b}\u{2060}", "blank"), ("Ada\tLovelace", "invalid_character")] {
        for (at, body) in [(CONTACTS, json!({"first_name": name})), ("/api/v1/tags", json!({"name": name}))] {
            assert_eq!(client.post(at, &body).await.expect(422)["errors"][0]["code"], code, "{at} {name:?}");
        }
    }
}

/// Concurrent requests about one contact wait for each other.
async fn parallel_upserts_of_one_contact_all_succeed(server: &Server) {
    let client = server.client();
    for round in 0..3 {
        let upserts = (0..24).map(|number| {
            let body = json!({"email": format!("busy{round}@example.com"), "tags": ["busy", format!("busy {number}")]});
            let client = &client;
            async move { client.post(UPSERT, &body).await.status }
        });
        let statuses = futures::future::join_all(upserts).await;
        assert!(statuses.iter().all(|status| matches!(status, 200 | 201)), "{statuses:?}");
        let contact = client.get(&format!("{CONTACTS}/email:busy{round}@example.com")).await.expect(200);
        assert_eq!(contact["tags"].as_array().unwrap().len(), 25);
    }
}

async fn identifiers_stay_unique_and_keep_opt_outs(store: Store) {
    let server = Server::start(store, &[]);
    a_refusal_stays_with_an_identifier(&server).await;
    an_upsert_does_not_take_over_another_person(&server).await;
    spellings_are_one_identifier(&server).await;
    parallel_upserts_of_one_contact_all_succeed(&server).await;
}

on_both! {
    identifiers_stay_unique_and_keep_opt_outs,
}

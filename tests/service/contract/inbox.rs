//! The list of conversations, as agents use it.

use serde_json::{Value, json};

use crate::support::people::Person;
use crate::support::{Client, Server};

async fn ids(client: &Client, query: &str) -> Vec<String> {
    let page = client.get(&format!("/api/v1/conversations?{query}")).await.expect(200);
    page["data"].as_array().unwrap().iter().map(|it| it["contact_id"].as_str().unwrap().to_owned()).collect()
}

/// Sorted by last message, and filtered by assignee, unread messages and contact name.
pub async fn sorts_and_filters_conversations(server: &Server) {
    let client = server.new_client("Inbox", "full");
    let mut contacts: Vec<String> = Vec::new();
    for (name, external_id) in [("Ada", "crm-1"), ("Zoë", "crm-2"), ("Adam", "crm-3")] {
        let made = json!({"first_name": name, "external_id": external_id});
        let made = client.post("/api/v1/contacts", &made).await.expect(201);
        contacts.push(made["id"].as_str().unwrap().to_owned());
    }
    let write = async |contact: &str| {
        let path = format!("/api/v1/contacts/{contact}/send-message");
        client.post(&path, &json!({"type": "text", "text": "Hi"})).await.expect(202)
    };
    for contact in &contacts {
        write(contact).await;
    }
    let [ada, zoe, adam] = contacts.try_into().unwrap();
    write(&ada).await;
    assert_eq!(ids(&client, "").await, [adam.as_str(), &zoe, &ada]);
    assert_eq!(ids(&client, "sort=-last_message_at").await, [ada.as_str(), &adam, &zoe]);
    assert_eq!(ids(&client, "sort=last_message_at&assignee_id=none&unread=false").await, [zoe.as_str(), &adam, &ada]);
    assert_eq!(ids(&client, "unread=true").await, [""; 0]);
    assert_eq!(ids(&client, "q=ada&sort=-last_message_at").await, [ada.as_str(), &adam]);
    assert_eq!(ids(&client, "q=crm-2+zo%C3%AB").await, [zoe.as_str()]);
    assert_eq!(ids(&client, "q=zoe").await, [zoe.as_str()], "diacritics are ignored");
    assert_eq!(ids(&client, "q=nobody").await, [""; 0]);

    // Page by page; a cursor is valid only for the same request.
    let first = client.get("/api/v1/conversations?sort=-last_message_at&limit=2&include=total").await.expect(200);
    assert_eq!((first["data"].as_array().unwrap().len(), &first["total"]), (2, &json!(3)));
    let cursor = first["next_cursor"].as_str().unwrap();
    assert_eq!(ids(&client, &format!("sort=-last_message_at&limit=2&cursor={cursor}")).await, [zoe.as_str()]);
    let other = client.get(&format!("/api/v1/conversations?limit=2&cursor={cursor}")).await;
    assert_eq!(other.code(), "invalid_cursor");
    for (query, parameter) in
        [("sort=updated_at", "sort"), ("assignee_id=nobody", "assignee_id"), ("unread=1", "unread"), ("q=", "q")]
    {
        let refused: Value = client.get(&format!("/api/v1/conversations?{query}")).await.expect(422);
        assert_eq!(refused["errors"][0]["parameter"], parameter, "{query}");
    }
}

/// Sorted by waiting time, longest first, and filtered by the contacts' tags; one request counts all views.
pub async fn sorts_conversations_by_waiting_time(server: &Server) {
    let workspace = server.new_workspace("Waiting");
    let owner = Person::new(server, &workspace, "owner").client(server).await;
    let (client, sandbox) = server.new_sandbox(&owner, &workspace).await;
    let mut contacts: Vec<String> = Vec::new();
    for name in ["Ada", "Zoë", "Kim"] {
        let made = client.post("/api/v1/contacts", &json!({"first_name": name})).await.expect(201);
        contacts.push(made["id"].as_str().unwrap().to_owned());
    }
    let [ada, zoe, kim] = contacts.try_into().unwrap();
    for contact in [&zoe, &ada, &kim] {
        client.post("/api/v1/sandbox/inbound", &json!({"contact": contact, "text": "Hello?"})).await.expect(202);
        client.post("/api/v1/sandbox/clock", &json!({"advance": "PT1M"})).await.expect(200);
    }
    let reply = json!({"type": "text", "text": "Hi"});
    client.post(&format!("/api/v1/contacts/{kim}/send-message"), &reply).await.expect(202);
    let tag = client.post(&format!("/api/v1/contacts/{ada}/tags"), &json!({"name": "VIP"})).await.expect(201);
    let tag = tag["tags"][0]["id"].as_str().unwrap().to_owned();

    assert_eq!(ids(&client, "sort=waiting_since").await, [zoe.as_str(), &ada, &kim]);
    assert_eq!(ids(&client, "sort=-waiting_since").await, [ada.as_str(), &zoe, &kim]);
    assert_eq!(ids(&client, "sort=waiting_since&waiting=true&status=open").await, [zoe.as_str(), &ada]);
    assert_eq!(ids(&client, "waiting=false").await, [kim.as_str()]);
    for tagged in ["tag=vip".to_owned(), format!("tag={tag}&waiting=true"), format!("tag={tag}&tag=VIP")] {
        assert_eq!(ids(&client, &tagged).await, [ada.as_str()], "{tagged}");
    }
    for (query, parameter) in [("tag=nothing", "tag"), ("waiting=1", "waiting")] {
        let refused: Value = client.get(&format!("/api/v1/conversations?{query}")).await.expect(422);
        assert_eq!(refused["errors"][0]["parameter"], parameter, "{query}");
    }
    let first = client.get("/api/v1/conversations?sort=waiting_since&limit=2").await.expect(200);
    let cursor = first["next_cursor"].as_str().unwrap();
    assert_eq!(ids(&client, &format!("sort=waiting_since&limit=2&cursor={cursor}")).await, [kim.as_str()]);

    let counts = async |query: &str| client.get(&format!("/api/v1/conversations/counts{query}")).await.expect(200);
    let number = |number: u64| json!({"count": number, "is_capped": false});
    let all = counts("").await;
    for (view, expected) in [("open", 3), ("waiting", 2), ("unassigned", 3), ("resolved", 0), ("all", 3)] {
        assert_eq!(all[view], number(expected), "{view}: {all}");
    }
    assert_eq!(all["mine"], Value::Null, "an API key has no conversations");
    assert_eq!(counts("?tag=vip").await["waiting"], number(1));
    let headers = [("x-workspace-id", sandbox.as_str())];
    let of_person = owner.send("GET", "/api/v1/conversations/counts", &headers, None).await.unwrap().expect(200);
    assert_eq!((&of_person["mine"], &of_person["all"]), (&number(0), &number(3)));
    assert_eq!(client.get("/api/v1/conversations/counts?q=ada").await.expect(422)["errors"][0]["parameter"], "q");
}

/// Members list assignees, without email addresses; viewers cannot.
pub async fn assignees_are_listed_for_members(server: &Server) {
    let workspace = server.new_workspace("Assignees");
    let [viewer, member, owner] = ["viewer", "member", "owner"].map(|role| Person::new(server, &workspace, role));
    let headers = [("x-workspace-id", workspace.as_str())];
    let ask = async |person: &Person| {
        let client = person.client(server).await;
        client.send("GET", "/api/v1/assignees?sort=created_at", &headers, None).await.unwrap()
    };
    assert_eq!(ask(&viewer).await.code(), "insufficient_scope");
    let listed = ask(&member).await.expect(200);
    let rows = listed["data"].as_array().unwrap();
    assert_eq!(rows.iter().map(|it| &it["id"]).collect::<Vec<_>>(), [&json!(member.id), &json!(owner.id)]);
    assert!(rows.iter().all(|it| it["name"].is_string() && it.get("email").is_none()), "{listed}");

    let client = server.client().with_key(Some(&server.new_key(&workspace, "full")));
    let contact = client.create("/api/v1/contacts", &json!({"external_id": "crm-1"})).await;
    let send = format!("/api/v1/contacts/{contact}/send-message");
    let sent = client.post(&send, &json!({"type": "text", "text": "Hi"})).await.expect(202);
    let assign = format!("/api/v1/conversations/{}/assign", sent["conversation_id"].as_str().unwrap());
    let refused = client.post(&assign, &json!({"assignee_id": viewer.id})).await.expect(422);
    assert_eq!(refused["errors"][0]["code"], "not_assignable", "{refused}");
    let assigned = client.post(&assign, &json!({"assignee_id": member.id})).await.expect(200);
    assert_eq!(assigned["assignee_id"], json!(member.id));
}

/// A member's reply assigns an unassigned conversation, unless the workspace disables it; a key's reply does not.
pub async fn a_reply_assigns_an_unassigned_conversation(server: &Server) {
    let workspace = server.new_workspace("Replies");
    let client = server.client().with_key(Some(&server.new_key(&workspace, "full")));
    let member = Person::new(server, &workspace, "owner");
    let person = member.client(server).await;
    let contact = |id: &str| json!({"external_id": id});
    let reply = async |contact: &Value| {
        let path = format!("/api/v1/contacts/{}/send-message", contact["id"].as_str().unwrap());
        let body = json!({"type": "text", "text": "Hi"}).to_string().into_bytes();
        let headers = [("content-type", "application/json"), ("x-workspace-id", workspace.as_str())];
        let sent = person.send("POST", &path, &headers, Some(body)).await.unwrap().expect(202);
        client.get(&format!("/api/v1/conversations/{}", sent["conversation_id"].as_str().unwrap())).await.expect(200)
    };
    let first = client.post("/api/v1/contacts", &contact("1")).await.expect(201);
    let path = format!("/api/v1/contacts/{}/send-message", first["id"].as_str().unwrap());
    let by_key = client.post(&path, &json!({"type": "text", "text": "Hi"})).await.expect(202);
    let path = format!("/api/v1/conversations/{}", by_key["conversation_id"].as_str().unwrap());
    assert_eq!(
        client.get(&path).await.expect(200)["assignee_id"],
        Value::Null,
        "a reply by key assigns no conversation"
    );
    assert_eq!(reply(&first).await["assignee_id"], json!(member.id));
    let events = client.until("/api/v1/events?types=conversation.assigned", |it| it["data"][0].is_object()).await;
    assert_eq!(events["data"].as_array().unwrap().len(), 1);

    let settings = format!("/platform/workspaces/{workspace}");
    person.call("PATCH", &settings, Some(&json!({"assign_on_reply": false}))).await.expect(200);
    let second = client.post("/api/v1/contacts", &contact("2")).await.expect(201);
    assert_eq!(reply(&second).await["assignee_id"], Value::Null);
}

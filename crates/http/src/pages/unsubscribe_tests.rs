//! The page of the link to opt out.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use tidings_domain::contacts::{Contact, Identity};
use tidings_domain::ids::{ChannelId, ContactId, TypedId};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use actix_web::test::TestRequest;

use super::*;
use crate::testing::{Api, Mocks, Reply, workspace_id};

fn a_link() -> UnsubscribeLink {
    UnsubscribeLink {
        workspace: workspace_id(1),
        contact: ContactId::from_uuid(Uuid::from_u128(2)),
        channel: ChannelId::from_uuid(Uuid::from_u128(3)),
        address: "ada@example.com".to_owned(),
    }
}

fn path(api: &Api) -> String {
    format!("/u/{}", a_link().token(&*api.state.services.ports.sealer))
}

fn html(reply: &Reply) -> String {
    assert_eq!(reply.header("content-type"), Some(HTML));
    assert_eq!(reply.header("content-security-policy"), Some(POLICY));
    let html = String::from_utf8(reply.body.to_vec()).unwrap();
    assert!(!html.contains("<script") && !html.contains("://"), "{html}");
    html
}

#[actix_web::test]
async fn get_only_shows_the_page_in_the_language_of_the_client() {
    let api = Mocks::default().serve();
    for (accepted, language, button) in [
        ("", "en", "<button>Unsubscribe</button>"),
        ("fr, en;q=0.5", "en", "<button>Unsubscribe</button>"),
        ("de-AT, en;q=0.9", "de", "<button>Abmelden</button>"),
        ("en;q=0.3, de;q=0.8", "de", "<button>Abmelden</button>"),
        ("en, de", "en", "<button>Unsubscribe</button>"),
    ] {
        let request = TestRequest::with_uri(&path(&api)).insert_header((ACCEPT_LANGUAGE, accepted));
        let reply = api.send(request).await;
        assert_eq!((reply.status, reply.header("content-language")), (200, Some(language)), "{accepted}");
        assert!(html(&reply).contains(button), "{accepted}");
    }
    let head = api.send(TestRequest::with_uri(&path(&api)).method(Method::HEAD)).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    let put = api.send(TestRequest::with_uri(&path(&api)).method(Method::PUT)).await;
    assert_eq!(put.problem(), (405, "method_not_allowed".to_owned()));
}

#[actix_web::test]
async fn post_opts_out_once() {
    let link = a_link();
    let mut contact = Contact::new(link.contact, Timestamp::EPOCH_2026);
    contact.identities = vec![Identity::new(link.channel, link.address.clone(), Timestamp::EPOCH_2026)];
    let stored = Arc::new(Mutex::new(contact));
    let mut ports = Mocks::default();
    let found = Arc::clone(&stored);
    ports.contacts.expect_by_identity().times(2).returning(move |access, channel, address| {
        assert_eq!((access.workspace(), channel, address), (workspace_id(1), a_link().channel, "ada@example.com"));
        Ok(Some(found.lock().unwrap().clone()))
    });
    ports.ledger.expect_commit().times(1).returning(move |set| {
        let events: Vec<_> = set.events.iter().map(|it| it.kind.as_str()).collect();
        assert_eq!(events, ["contact.unsubscribed"]);
        assert!(set.events[0].full.contains("\"source\":\"link\""), "{}", set.events[0].full);
        stored.lock().unwrap().identities[0].opted_in = false;
        Ok(())
    });
    let api = ports.serve();
    for _ in 0..2 {
        let request = TestRequest::with_uri(&path(&api)).method(Method::POST);
        let form = request.insert_header(("content-type", "application/x-www-form-urlencoded"));
        let reply = api.send(form.set_payload("List-Unsubscribe=One-Click")).await;
        assert_eq!(reply.status, 200);
        assert!(html(&reply).contains("You are unsubscribed") && !html(&reply).contains("<form"));
        assert_eq!(reply.header("set-cookie"), None);
    }
}

#[actix_web::test]
async fn limits_requests_with_invalid_links_by_network() {
    let api = Mocks::default().serve();
    let send = async |path: &str, client: u8, method: Method| -> Reply {
        let request = TestRequest::with_uri(path).method(method);
        api.send(request.peer_addr((IpAddr::from([192, 0, 2, client]), 4_000).into())).await
    };
    for number in 0..120 {
        let method = if number % 2 == 0 { Method::GET } else { Method::POST };
        let reply = send("/u/AAAA", 1, method).await;
        assert_eq!(reply.status, 404);
        assert!(html(&reply).contains("This link is not valid"));
    }
    assert_eq!(send("/u/AAAA", 1, Method::POST).await.problem(), (429, "rate_limited".to_owned()));
    assert_eq!(send(&path(&api), 1, Method::GET).await.status, 200, "valid links are not limited");
    assert_eq!(send("/u/AAAA", 2, Method::GET).await.status, 404, "another network");
}

#[actix_web::test]
async fn limits_the_opt_outs_of_a_contact() {
    let link = a_link();
    let mut contact = Contact::new(link.contact, Timestamp::EPOCH_2026);
    contact.identities =
        vec![Identity { opted_in: false, ..Identity::new(link.channel, link.address, Timestamp::EPOCH_2026) }];
    let mut ports = Mocks::default();
    ports.contacts.expect_by_identity().times(20).returning(move |_, _, _| Ok(Some(contact.clone())));
    let api = ports.serve();
    let post = async || api.send(TestRequest::with_uri(&path(&api)).method(Method::POST)).await;
    for _ in 0..20 {
        assert_eq!(post().await.status, 200);
    }
    assert_eq!(post().await.problem(), (429, "rate_limited".to_owned()));
}

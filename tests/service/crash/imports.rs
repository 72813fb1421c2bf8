//! kill -9 during an import: it continues, and no row is imported twice.

use serde_json::Value;

use crate::support::{Server, Store};

const ROWS: usize = 2_400;

pub async fn imports_resume_after_kills(store: Store, kills: usize) {
    // Claims of a killed process are free again after this lease.
    let settings = [("TIDINGS__LIMITS__PLANS__BUSINESS", "10000000"), ("TIDINGS__ENGINE__LEASE", "PT5S")];
    let mut server = Server::start(store, &settings);
    let mut table = "external_id,first_name,tags\n".to_owned();
    (0..ROWS).for_each(|row| table.push_str(&format!("c{row},Contact {row},all\n")));
    let started = server.client().post("/api/v1/contacts/import", &Value::String(table)).await.expect(202);
    let path = format!("/api/v1/contacts/imports/{}", started["id"].as_str().unwrap());
    for kill in 1..=kills {
        let goal = (ROWS * kill / (kills + 1)) as i64;
        let import = server.client().until(&path, |it| it["counts"]["done"].as_i64().unwrap() >= goal).await;
        println!("killed at {}", import["counts"]);
        server.kill();
        server.serve();
    }
    let client = server.client();
    let done = client.until(&path, |it| it["status"] == "completed").await;
    let counts = &done["counts"];
    assert_eq!(
        (&counts["rows"], &counts["created"], &counts["done"]),
        (&ROWS.into(), &ROWS.into(), &ROWS.into()),
        "{done}"
    );
    assert_eq!(client.get("/api/v1/contacts?limit=1&include=total").await.expect(200)["total"], ROWS);
    assert_eq!(client.get("/api/v1/contacts?limit=1&tag=all&include=total").await.expect(200)["total"], ROWS);
}

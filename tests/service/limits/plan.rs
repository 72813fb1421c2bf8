//! The plan's requests per minute.

use futures::future::join_all;

use crate::support::{Client, Server, Store};

/// Starts a server with five requests per minute in the plan `starter`, and creates a workspace of that plan.
async fn modest() -> (Server, String) {
    let server = Server::start(Store::sqlite().await, &[("TIDINGS__LIMITS__PLANS__STARTER", "5")]);
    let made = server.command(&["workspace", "create", "--name", "Modest", "--plan", "starter"]);
    let workspace = made["id"].as_str().unwrap().to_owned();
    (server, workspace)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_requests_of_a_workspace_by_its_plan() {
    let (server, workspace) = modest().await;
    let first = Client::new(&server.base, Some(&server.new_key(&workspace, "full")));
    let second = first.with_key(Some(&server.new_key(&workspace, "read")));

    // Requests without a workspace are not counted.
    for _ in 0..10 {
        first.with_key(None).get("/api/v1/tags").await.expect(401);
        first.with_key(None).call("OPTIONS", "/api/v1/tags", None).await.expect(204);
        first.get("/healthz").await.expect(200);
        first.get("/api/v1/nowhere").await.expect(404);
    }
    // All other requests count, with any key and any outcome.
    let asked = [
        first.get("/api/v1/me").await,
        second.get("/api/v1/tags").await,
        second.delete("/api/v1/tags/x").await,
        first.get("/api/v1/tags/x").await,
        first.get("/api/v1/tags?limit=x").await,
    ];
    assert_eq!(asked.each_ref().map(|reply| reply.status), [200, 200, 403, 404, 422]);
    for (reply, left) in asked.iter().zip(["4", "3", "2", "1", "0"]) {
        let seconds = reply.header("x-ratelimit-reset").unwrap();
        assert!((1..=61).contains(&seconds.parse::<u32>().unwrap()), "{seconds}");
        assert_eq!(reply.header("ratelimit-policy"), Some("\"plan\";q=5;w=60"));
        assert_eq!(reply.header("ratelimit"), Some(format!("\"plan\";r={left};t={seconds}").as_str()));
        assert_eq!(reply.header("x-ratelimit-limit"), Some("5"));
        assert_eq!(reply.header("x-ratelimit-remaining"), Some(left));
        assert_eq!(reply.header("retry-after"), None);
    }
    for client in [&first, &second] {
        let refused = client.get("/api/v1/me").await;
        assert_eq!((refused.status, refused.code().as_str()), (429, "rate_limited"));
        assert_eq!(refused.header("content-type"), Some("application/problem+json"));
        assert_eq!(refused.header("x-ratelimit-remaining"), Some("0"));
        let wait: u32 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=61).contains(&wait), "{wait}");
        assert_eq!(refused.header("retry-after"), refused.header("x-ratelimit-reset"));
    }
    // Other workspaces are not affected.
    server.client().get("/api/v1/me").await.expect(200);
    first.get("/healthz").await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_concurrent_requests_by_the_plan() {
    let (server, workspace) = modest().await;
    let client = Client::new(&server.base, Some(&server.new_key(&workspace, "full")));
    let replies = join_all((0..40).map(|_| client.get("/api/v1/me"))).await;
    let passed = replies.iter().filter(|reply| reply.status == 200).count();
    let refused = replies.iter().filter(|reply| reply.status == 429).count();
    assert_eq!((passed, refused), (5, 35));
}

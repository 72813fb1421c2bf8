//! Every metric in `docs/alerts.yml` exists with the labels used there.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use regex::Regex;
use yaml_rust2::YamlLoader;

use super::{contact, hook};
use crate::support::{Patience, Receiver, Server, Store};

const ALERTS: &str = include_str!("../../../docs/alerts.yml");
const TOKEN: &str = "a-token-for-prometheus";

/// Returns each metric of a process with its labels.
fn exposed(page: &str) -> BTreeMap<String, BTreeSet<String>> {
    let label = Regex::new(r#"([a-z_]+)=""#).unwrap();
    let mut metrics = BTreeMap::<String, BTreeSet<String>>::new();
    for line in page.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let name = line.split(['{', ' ']).next().unwrap();
        let labels = label.captures_iter(line).map(|found| found[1].to_owned());
        metrics.entry(name.to_owned()).or_default().extend(labels);
    }
    metrics
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn alerts_use_only_exposed_metrics() {
    let server = Server::start(Store::sqlite().await, &[("TIDINGS__METRICS__TOKEN", TOKEN)]);
    let (client, receiver) = (server.client(), Receiver::start());
    hook(&client, &receiver).await;
    contact(&client, "a").await;
    receiver.until("a delivery", |came| !came.is_empty()).await;
    let metrics = client.with_key(Some(TOKEN));
    let mut patience = Patience::new();
    let page = loop {
        let page = metrics.get("/metrics").await.text;
        if page.contains("tidings_backlog_looked_at_seconds") && page.contains("tidings_jobs_total") {
            break page;
        }
        assert!(patience.allows(page.lines().count()), "{page}");
        tokio::time::sleep(Duration::from_millis(25)).await;
    };
    let exposed = exposed(&page);

    let rules = YamlLoader::load_from_str(ALERTS).unwrap();
    let rules: Vec<_> =
        rules[0]["groups"].as_vec().unwrap().iter().flat_map(|it| it["rules"].as_vec().unwrap()).collect();
    assert_eq!(rules.len(), 10);
    let metric = Regex::new(r"\b(tidings_[a-z_]+)(?:\{([^}]*)\})?").unwrap();
    let label = Regex::new(r"([a-z_]+)\s*(?:=~|!~|!=|=)").unwrap();
    let mut names = BTreeSet::new();
    for rule in rules {
        let (name, expression) = (rule["alert"].as_str().unwrap(), rule["expr"].as_str().unwrap());
        assert!(names.insert(name), "{name} is defined twice");
        assert!(
            !rule["annotations"]["summary"].is_badvalue() && !rule["annotations"]["action"].is_badvalue(),
            "{name}"
        );
        let asked: Vec<_> = metric.captures_iter(expression).collect();
        assert!(!asked.is_empty(), "{name} uses none of our metrics");
        for found in asked {
            let labels =
                exposed.get(&found[1]).unwrap_or_else(|| panic!("{name} uses the unknown metric {}", &found[1]));
            for asked in label.captures_iter(found.get(2).map_or("", |labels| labels.as_str())) {
                assert!(labels.contains(&asked[1]), "{name} uses the unknown label {} of {}", &asked[1], &found[1]);
            }
        }
    }
}

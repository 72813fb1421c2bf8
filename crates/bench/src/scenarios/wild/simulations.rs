//! A simulation of a seven-day sequence in virtual time.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::place::Place;
use crate::results::{Fact, On, Spread};
use crate::scenarios::Bench;
use crate::service::word;

/// The number of simulations. The first is discarded, because its data is not cached.
const TRIED: usize = 51;
const DAYS: usize = 7;

pub(in crate::scenarios) async fn run(bench: &Bench) -> Result<Vec<Fact>> {
    let mut facts = Vec::new();
    for on in [On::Postgres, On::Sqlite] {
        let place = Place::found(bench, &bench.program, on, "simulation").await?;
        let steps: Vec<_> = (1..=DAYS)
            .map(|day| {
                json!({"id": format!("day{day}"), "delay": "P1D",
                    "window": {"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "from": "09:00", "to": "18:00",
                        "time_zone": "contact"},
                    "action": {"type": "send_message",
                        "message": {"type": "text", "text": format!("Day {day}, {{{{ contact.first_name }}}}")}}})
            })
            .collect();
        let made = place.post("/api/v1/sequences", &json!({"name": "A week", "steps": steps}), 201).await?;
        let path = format!("/api/v1/sequences/{}/simulate", word(&made, "id")?);
        let body = json!({"contact": {"first_name": "Ada", "time_zone": "Asia/Tokyo"},
            "start_at": "2026-01-01T00:30:00Z"});
        let mut times = Vec::new();
        for _ in 0..TRIED {
            let began = Instant::now();
            let answer = place.post(&path, &body, 200).await?;
            times.push(began.elapsed().as_secs_f64() * 1_000.0);
            let trace = answer.pointer("/simulations/0/trace").and_then(|it| it.as_array()).context("a trace")?;
            let taken = trace.iter().filter(|it| it.pointer("/step_id").is_some_and(|id| id.is_string())).count();
            ensure!(taken == DAYS, "{taken} of {DAYS} steps were executed");
        }
        let title = format!("a sequence of seven days with windows, simulated, {}", on.word());
        let value = Spread::of(times.into_iter().skip(1)).context("a figure")?;
        facts.push(Fact { title, unit: "ms".to_owned(), value, aim: Some(20.0) });
        place.close().await?;
    }
    Ok(facts)
}

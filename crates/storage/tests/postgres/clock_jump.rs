//! Leases during a jump of a server's clock.

use std::time::Duration;

use tidings_domain::ids::TypedId;
use tidings_domain::ports::{
    Change, Claim, ClaimRequest, CommitError, Conflict, HeldClaim, Job, JobChange, NewJob, Pool, Row,
};
use tidings_domain::stored::StoredRow;
use tidings_domain::tags::Tag;
use tidings_domain::time::Timestamp;
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::PostgresDatabase;
use tidings_storage_suite::fixtures::{NOW, World, id};

use super::migrated;

/// One server's clock may be wrong by any amount, because leases use the database's clock. Claimed jobs stay claimed,
/// no other process claims them, and released jobs are free at once.
#[tokio::test]
async fn a_clock_jump_neither_loses_nor_steals_leases() {
    const HOUR: Duration = Duration::from_secs(3_600);
    const DAY: Duration = Duration::from_secs(86_400);
    let database = PostgresDatabase::new().await;
    let storage = migrated(&database).await;
    let now = storage.clock(NOW).await.unwrap();
    let jumping = World::new(&Ports::of(storage)).await;
    let other = Ports::of(Storage::open(&StorageSettings::new(database.url())).await.unwrap());
    let lease = Duration::from_secs(30);
    let claim = async |ports: &Ports, pool, now| {
        let mut claimed = ports.engine.claim(ClaimRequest::new(pool, 9, lease, now)).await.unwrap();
        claimed.sort_by_key(|job| job.id.uuid());
        claimed
    };
    let jumps: [fn(Timestamp) -> Timestamp; 4] =
        [|now| now.plus(HOUR), |now| now.minus(HOUR), |now| now.plus(DAY), |now| now.minus(DAY)];
    for (turn, jump) in jumps.into_iter().enumerate() {
        let its = jump(now);
        let early = now.minus(DAY * 2);
        jumping.commit(|set| set.jobs.push(NewJob::new(id(), Job::SweepTag { tag: id() }, early))).await.unwrap();
        jumping
            .commit(|set| {
                set.jobs.push(NewJob::new(
                    id(),
                    Job::AttemptDelivery { delivery: id(), webhook: id(), round: 0 },
                    early,
                ))
            })
            .await
            .unwrap();
        let work = claim(&jumping.ports, Pool::Work, its).await.pop().unwrap();
        let delivery = claim(&jumping.ports, Pool::Deliveries, its).await.pop().unwrap();
        // Two jobs that are written as claimed: one in a set that can be combined with others, and one in a set that
        // commits alone.
        let handed_off = || NewJob { lease: Some(lease), ..NewJob::new(id(), Job::SweepTag { tag: id() }, its) };
        let (plain, alone) = (handed_off(), handed_off());
        jumping.commit(|set| set.jobs.push(plain)).await.unwrap();
        let tag = Tag::new(id(), &format!("turn {turn}"), now);
        jumping
            .commit(|set| {
                set.changes.push(Change::Insert(Row::Stored(StoredRow::Tag(tag))));
                set.jobs.push(alone);
            })
            .await
            .unwrap();

        for pool in [Pool::Work, Pool::Deliveries] {
            assert_eq!(claim(&other, pool, now).await, [], "the jobs are claimed by the other process");
            assert_eq!(claim(&jumping.ports, pool, its).await, [], "the process has already claimed the jobs");
        }
        for (ports, now) in [(&other, now), (&jumping.ports, its)] {
            assert_eq!(ports.engine.poisoned(100, lease, now).await, Ok(vec![]));
        }
        let handed_off = [&plain, &alone].map(|job| Claim { job: job.id, token: NewJob::FIRST_TOKEN });
        let all = [[&work, &delivery].map(|job| Claim { job: job.id, token: job.token }), handed_off].concat();
        let held: Vec<_> = all.iter().map(|claim| HeldClaim { workspace: jumping.workspace, claim: *claim }).collect();
        assert_eq!(jumping.ports.engine.extend(held.clone(), lease, its).await, Ok(all.clone()));
        assert_eq!(claim(&other, Pool::Work, now).await, [], "the leases were extended");
        // Released jobs are free at once, and their earlier tokens are rejected.
        assert_eq!(jumping.ports.engine.extend(held, Duration::ZERO, its).await, Ok(all.clone()));
        let taken = [claim(&other, Pool::Deliveries, now).await, claim(&other, Pool::Work, now).await].concat();
        assert_eq!(taken.len(), all.len());
        for Claim { job, token } in all {
            let late = jumping.change(Change::Job(JobChange::Finish { job, token })).await;
            assert!(matches!(late, Err(CommitError::Conflict(Conflict::ClaimLost))), "{late:?}");
        }
        for job in taken {
            jumping.add(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
        }
    }
}

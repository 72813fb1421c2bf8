use tokio::sync::{mpsc, oneshot};

use super::*;

type Item = (u32, oneshot::Sender<()>);

fn at_most<T>(items: usize) -> BatchBound<T> {
    BatchBound { items, weight: usize::MAX, weigh: |_| 0 }
}

/// Adds a number. Its batch is reported to `told`, and its members are then answered. The number 13 panics.
fn put(batcher: &Arc<Batcher<Item>>, number: u32, told: &mpsc::UnboundedSender<Vec<u32>>) -> oneshot::Receiver<()> {
    let (answer, answered) = oneshot::channel();
    let told = told.clone();
    batcher.put(Uuid::nil(), (number, answer), move |batch| {
        let told = told.clone();
        async move {
            told.send(batch.iter().map(|(number, _)| *number).collect()).expect("a listener");
            assert!(!batch.iter().any(|(number, _)| *number == 13), "thirteen panics");
            tokio::task::yield_now().await;
            batch.into_iter().for_each(|(_, answer)| answer.send(()).unwrap_or_default());
        }
    });
    answered
}

#[tokio::test]
async fn what_comes_while_the_lanes_are_busy_is_the_next_batch() {
    let (batcher, (told, mut batches)) = (Batcher::new(1, at_most(4)), mpsc::unbounded_channel());
    let answers: Vec<_> = (0..7).map(|number| put(&batcher, number, &told)).collect();
    for answer in answers {
        answer.await.expect("an answer");
    }
    assert_eq!(batches.recv().await, Some(vec![0, 1, 2, 3]));
    assert_eq!(batches.recv().await, Some(vec![4, 5, 6]));
    put(&batcher, 7, &told).await.expect("an answer");
    assert_eq!(batches.recv().await, Some(vec![7]), "a worker that went idle is used again");
}

fn put_endless(batcher: &Arc<Batcher<u32>>, number: u32, told: &mpsc::UnboundedSender<Vec<u32>>) {
    let told = told.clone();
    batcher.put(Uuid::nil(), number, move |batch| {
        told.send(batch).expect("a listener");
        std::future::pending()
    });
}

#[tokio::test(start_paused = true)]
async fn what_waits_is_left_to_a_quick_run_and_not_to_a_slow_one() {
    let linger = Duration::from_millis(10);
    let (batcher, (told, mut batches)) =
        (Batcher::paced(3, at_most(4), Pace { linger, ..Pace::default() }), mpsc::unbounded_channel());
    let began = tokio::time::Instant::now();
    put_endless(&batcher, 0, &told);
    assert_eq!(batches.recv().await, Some(vec![0]));
    put_endless(&batcher, 1, &told);
    put_endless(&batcher, 2, &told);
    assert_eq!(batches.recv().await, Some(vec![1, 2]));
    assert_eq!(began.elapsed(), linger, "no other run begins before");
    for number in 3..7 {
        put_endless(&batcher, number, &told);
    }
    assert_eq!(batches.recv().await, Some(vec![3, 4, 5, 6]));
    assert_eq!(began.elapsed(), linger, "a full batch waits for nobody");
}

#[tokio::test(start_paused = true)]
async fn a_run_that_goes_on_from_batch_to_batch_is_left_alone() {
    let linger = Duration::from_millis(10);
    let batcher: Arc<Batcher<u32>> = Batcher::paced(2, at_most(4), Pace { linger, ..Pace::default() });
    let (told, mut batches) = mpsc::unbounded_channel();
    let put = |number| {
        let told = told.clone();
        batcher.put(Uuid::nil(), number, move |batch| {
            told.send(batch).expect("a listener");
            tokio::time::sleep(Duration::from_millis(7))
        });
    };
    // Items arrive four milliseconds apart and wait for less than the linger time.
    for number in 0..6 {
        put(number);
        tokio::time::sleep(Duration::from_millis(4)).await;
    }
    for batch in [vec![0], vec![1], vec![2, 3], vec![4, 5]] {
        assert_eq!(batches.recv().await, Some(batch));
    }
}

#[tokio::test]
async fn a_batch_ends_before_it_weighs_too_much() {
    let bound = BatchBound { items: 4, weight: 10, weigh: |number: &usize| *number };
    let (batcher, (told, mut batches)) = (Batcher::new(1, bound), mpsc::unbounded_channel());
    for number in [3, 7, 1, 20, 9] {
        let told = told.clone();
        batcher.put(Uuid::nil(), number, move |batch: Vec<usize>| {
            told.send(batch).expect("a listener");
            async {}
        });
    }
    for batch in [vec![3, 7], vec![1], vec![20], vec![9]] {
        assert_eq!(batches.recv().await, Some(batch));
    }
}

#[tokio::test]
async fn a_batch_has_something_of_each_workspace() {
    let (batcher, (told, mut batches)) = (Batcher::new(1, at_most(4)), mpsc::unbounded_channel());
    let put = |workspace, number: u32| {
        let told = told.clone();
        batcher.put(Uuid::from_u128(workspace), number, move |batch: Vec<u32>| {
            told.send(batch).expect("a listener");
            async {}
        });
    };
    (0..10).for_each(|number| put(1, number));
    put(2, 10);
    put(3, 11);
    assert_eq!(batches.recv().await, Some(vec![0, 10, 11, 1]));
    assert_eq!(batches.recv().await, Some(vec![2, 3, 4, 5]));
}

#[tokio::test]
async fn a_panic_takes_its_own_batch_along_and_no_other() {
    let (batcher, (told, _batches)) = (Batcher::new(1, at_most(1)), mpsc::unbounded_channel());
    let (lost, kept) = (put(&batcher, 13, &told), put(&batcher, 1, &told));
    assert!(lost.await.is_err());
    kept.await.expect("an answer");
}

#[test]
fn what_waits_outlives_the_runtime_of_whoever_came_first() {
    let runtime = || tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let (home, first) = (runtime(), runtime());
    let (batcher, (told, mut batches)) =
        (home.block_on(async { Batcher::new(1, at_most(1)) }), mpsc::unbounded_channel());
    let (begun, waits) = first.block_on(async {
        let answers = (put(&batcher, 1, &told), put(&batcher, 2, &told));
        assert_eq!(batches.recv().await, Some(vec![1]));
        answers
    });
    drop(first);
    home.block_on(async {
        assert!(begun.await.is_err(), "its batch was under way");
        waits.await.expect("an answer");
        put(&batcher, 3, &told).await.expect("an answer from a worker that is free again");
    });
}

fn put_briefly(batcher: &Arc<Batcher<u32>>, number: u32, told: &mpsc::UnboundedSender<Vec<u32>>) {
    let told = told.clone();
    batcher.put(Uuid::nil(), number, move |batch| {
        told.send(batch).expect("a listener");
        tokio::time::sleep(Duration::from_millis(3))
    });
}

/// A batcher that gathers, with the channel that reports its batches.
type Gathering = (Arc<Batcher<u32>>, mpsc::UnboundedSender<Vec<u32>>, mpsc::UnboundedReceiver<Vec<u32>>);

fn gathering(workers: usize) -> Gathering {
    let pace = Pace { linger: Duration::from_millis(10), gather: Duration::from_millis(5) };
    let (told, batches) = mpsc::unbounded_channel();
    (Batcher::paced(workers, at_most(64), pace), told, batches)
}

#[tokio::test(start_paused = true)]
async fn who_comes_in_flocks_is_gathered() {
    let (batcher, told, mut batches) = gathering(1);
    let began = tokio::time::Instant::now();
    for number in 0..3 {
        put_briefly(&batcher, number, &told);
    }
    assert_eq!(batches.recv().await, Some(vec![0, 1, 2]));
    assert_eq!(began.elapsed(), Duration::ZERO, "the first batch waits for nobody");
    // One item arrives while the batch runs, and another shortly after its end.
    put_briefly(&batcher, 3, &told);
    tokio::time::sleep(Duration::from_millis(4)).await;
    put_briefly(&batcher, 4, &told);
    assert_eq!(batches.recv().await, Some(vec![3, 4]));
    assert_eq!(began.elapsed(), Duration::from_millis(8), "five milliseconds after the first ended");
    for number in 5..25 {
        put_briefly(&batcher, number, &told);
    }
    assert_eq!(batches.recv().await.map(|batch| batch.len()), Some(20));
    assert_eq!(began.elapsed(), Duration::from_millis(11), "as soon as the second ended");
}

#[tokio::test(start_paused = true)]
async fn who_comes_alone_waits_for_nobody() {
    let (batcher, told, mut batches) = gathering(1);
    let began = tokio::time::Instant::now();
    for number in 0..3 {
        put_briefly(&batcher, number, &told);
        assert_eq!(batches.recv().await, Some(vec![number]));
        assert_eq!(began.elapsed(), Duration::from_millis(4) * number);
        tokio::time::sleep(Duration::from_millis(4)).await;
    }
    // An item that arrives long after a batch of several does not wait either.
    for number in 3..5 {
        put_briefly(&batcher, number, &told);
    }
    assert_eq!(batches.recv().await, Some(vec![3, 4]));
    tokio::time::sleep(Duration::from_millis(24)).await;
    let began = tokio::time::Instant::now();
    put_briefly(&batcher, 5, &told);
    assert_eq!((batches.recv().await, began.elapsed()), (Some(vec![5]), Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_run_that_gathers_is_left_alone() {
    let (batcher, told, mut batches) = gathering(2);
    for number in 0..2 {
        put_briefly(&batcher, number, &told);
    }
    assert_eq!(batches.recv().await, Some(vec![0, 1]));
    for number in 2..6 {
        put_briefly(&batcher, number, &told);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(batches.recv().await, Some(vec![2, 3, 4, 5]), "one batch, by the run that gathered");
}

#[test]
fn what_is_gathered_outlives_the_runtime_that_gathers() {
    let runtime =
        || tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    let (home, first) = (runtime(), runtime());
    let (batcher, told, mut batches) = home.block_on(async { gathering(1) });
    first.block_on(async {
        for number in 0..2 {
            put_briefly(&batcher, number, &told);
        }
        assert_eq!(batches.recv().await, Some(vec![0, 1]));
        put_briefly(&batcher, 2, &told);
        tokio::time::sleep(Duration::from_millis(4)).await;
        assert!(batches.try_recv().is_err(), "it waits for company");
    });
    drop(first);
    assert_eq!(home.block_on(batches.recv()), Some(vec![2]));
}

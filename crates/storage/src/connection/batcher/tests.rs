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
async fn items_that_arrive_during_a_run_form_the_next_batch() {
    let (batcher, (told, mut batches)) = (Batcher::new(1, at_most(4)), mpsc::unbounded_channel());
    let answers: Vec<_> = (0..7).map(|number| put(&batcher, number, &told)).collect();
    for answer in answers {
        answer.await.expect("an answer");
    }
    assert_eq!(batches.recv().await, Some(vec![0, 1, 2, 3]));
    assert_eq!(batches.recv().await, Some(vec![4, 5, 6]));
    put(&batcher, 7, &told).await.expect("an answer");
    assert_eq!(batches.recv().await, Some(vec![7]), "an idle worker is reused");
}

fn put_endless(batcher: &Arc<Batcher<u32>>, number: u32, told: &mpsc::UnboundedSender<Vec<u32>>) {
    let told = told.clone();
    batcher.put(Uuid::nil(), number, move |batch| {
        told.send(batch).expect("a listener");
        std::future::pending()
    });
}

#[tokio::test(start_paused = true)]
async fn starts_another_run_after_the_linger_time_or_when_full() {
    let linger = Duration::from_millis(10);
    let (batcher, (told, mut batches)) =
        (Batcher::paced(3, at_most(4), Pace { linger, ..Pace::default() }), mpsc::unbounded_channel());
    let began = tokio::time::Instant::now();
    put_endless(&batcher, 0, &told);
    assert_eq!(batches.recv().await, Some(vec![0]));
    put_endless(&batcher, 1, &told);
    put_endless(&batcher, 2, &told);
    assert_eq!(batches.recv().await, Some(vec![1, 2]));
    assert_eq!(began.elapsed(), linger, "no other run starts before the linger time");
    for number in 3..7 {
        put_endless(&batcher, number, &told);
    }
    assert_eq!(batches.recv().await, Some(vec![3, 4, 5, 6]));
    assert_eq!(began.elapsed(), linger, "a full batch starts without waiting");
}

#[tokio::test(start_paused = true)]
async fn leaves_waiting_items_to_a_run_that_continues() {
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
async fn ends_a_batch_at_its_weight_limit() {
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
async fn a_batch_contains_items_of_each_workspace() {
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
async fn a_panic_fails_only_its_own_batch() {
    let (batcher, (told, _batches)) = (Batcher::new(1, at_most(1)), mpsc::unbounded_channel());
    let (lost, kept) = (put(&batcher, 13, &told), put(&batcher, 1, &told));
    assert!(lost.await.is_err());
    kept.await.expect("an answer");
}

#[test]
fn waiting_items_survive_the_runtime_of_the_first_caller() {
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
        assert!(begun.await.is_err(), "the batch that was running is lost");
        waits.await.expect("an answer");
        put(&batcher, 3, &told).await.expect("an answer from the free worker");
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
async fn gathers_items_that_arrive_in_groups() {
    let (batcher, told, mut batches) = gathering(1);
    let began = tokio::time::Instant::now();
    for number in 0..3 {
        put_briefly(&batcher, number, &told);
    }
    assert_eq!(batches.recv().await, Some(vec![0, 1, 2]));
    assert_eq!(began.elapsed(), Duration::ZERO, "the first batch starts without waiting");
    // One item arrives while the batch runs, and another shortly after its end.
    put_briefly(&batcher, 3, &told);
    tokio::time::sleep(Duration::from_millis(4)).await;
    put_briefly(&batcher, 4, &told);
    assert_eq!(batches.recv().await, Some(vec![3, 4]));
    assert_eq!(
        began.elapsed(),
        Duration::from_millis(8),
        "the batch starts five milliseconds after the end of the first"
    );
    for number in 5..25 {
        put_briefly(&batcher, number, &told);
    }
    assert_eq!(batches.recv().await.map(|batch| batch.len()), Some(20));
    assert_eq!(began.elapsed(), Duration::from_millis(11), "the batch starts at the end of the second");
}

#[tokio::test(start_paused = true)]
async fn runs_a_single_item_without_waiting() {
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
async fn leaves_new_items_to_a_run_that_gathers() {
    let (batcher, told, mut batches) = gathering(2);
    for number in 0..2 {
        put_briefly(&batcher, number, &told);
    }
    assert_eq!(batches.recv().await, Some(vec![0, 1]));
    for number in 2..6 {
        put_briefly(&batcher, number, &told);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(batches.recv().await, Some(vec![2, 3, 4, 5]), "the gathering run collects all items in one batch");
}

#[test]
fn gathered_items_survive_the_runtime_that_gathers() {
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
        assert!(batches.try_recv().is_err(), "the single item waits to be gathered");
    });
    drop(first);
    assert_eq!(home.block_on(batches.recv()), Some(vec![2]));
}

//! The macro that turns the table of cases into a list of names and into tests.

/// Declares the table: files with their cases.
macro_rules! cases {
    ($($file:ident { $($case:ident,)* })*) => {
        /// The names of all cases.
        pub const CASES: &[&str] = &[$($(stringify!($case)),*),*];

        /// Generates a test for each case. `$fresh` is an async function without arguments. It returns the
        /// [ports](crate::Ports) of an empty store, and a value that keeps the store alive.
        #[macro_export]
        macro_rules! suite {
            ($fresh:path) => {
                $($(
                    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                    async fn $case() {
                        let (ports, _kept) = $fresh().await;
                        $crate::$file::$case(ports).await;
                    }
                )*)*
            };
        }
    };
}
pub(super) use cases;

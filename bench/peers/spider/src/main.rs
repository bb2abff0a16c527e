//! The crawl of the benchmark with spider: follow links within one host to the end, count HTML pages.

use spider::tokio;
use spider::tokio::sync::broadcast::error::RecvError;
use spider::website::Website;

const WAITING: usize = 16_384;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let parallel = arguments[2].parse().expect("a number");
    let mut website = Website::new(&arguments[1]);
    website.with_concurrency_limit(Some(parallel)).with_respect_robots_txt(true);
    let mut received = website.subscribe(WAITING);
    let counting = tokio::spawn(async move {
        let mut pages: u64 = 0;
        loop {
            match received.recv().await {
                Ok(page) if page.status_code == 200 && page.get_url().ends_with(".html") => pages += 1,
                Ok(_) => (),
                Err(RecvError::Lagged(missed)) => panic!("{missed} pages were not counted"),
                Err(RecvError::Closed) => return pages,
            }
        }
    });
    website.crawl().await;
    website.unsubscribe();
    println!("{}", counting.await.expect("a count"));
}

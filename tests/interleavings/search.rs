//! What the tests of all stores do.

use lyceum::testing::crashes::Crashes;
use lyceum::testing::interleavings::{Explored, Extent, Failure, Nodes, Story, explore, single_calls};

#[path = "../support/long.rs"]
mod long;
pub use long::is_long;

/// Tells every story, and prints how far the search went and what went wrong.
pub fn tell_all(backend: &str, kind: &str, nodes: &Nodes, stories: &[Story], extent: Extent) -> Vec<Failure> {
    let (mut explored, mut failures) = (Explored::default(), Vec::new());
    for story in stories {
        match explore(nodes, story, extent) {
            Ok(one) => explored += one,
            Err(failure) => failures.push(*failure),
        }
    }
    let Explored { stories, exhausted, interleavings } = explored;
    println!("{backend}: {stories} {kind} of calls in {interleavings} interleavings, which are all there are for {exhausted}");
    for failure in &failures {
        println!("{failure}");
    }
    failures
}

/// Lets every operation die at every point, and prints how many there were.
pub fn die_everywhere(backend: &str, crashes: &Crashes) {
    let stories = single_calls();
    let points: usize = stories.iter().map(|story| crashes.explore(story).unwrap_or_else(|failure| panic!("{failure}"))).sum();
    println!("{backend}: {} operations died at {points} points", stories.len());
    assert!(points > stories.len(), "an operation has more than one point to die at");
}

/// Fails with what was found.
#[track_caller]
pub fn none(failures: &[Failure]) {
    assert!(failures.is_empty(), "{} stories went wrong, of which the first:\n{}", failures.len(), failures[0]);
}

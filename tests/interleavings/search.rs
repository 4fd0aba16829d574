//! What the tests of all stores do.

use lyceum::testing::crashes::Crashes;
use lyceum::testing::interleavings::{Explored, Extent, Failure, Nodes, Story, explore};

use crate::report::report;

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
    let found = format!("{stories} {kind} of calls in {interleavings} interleavings, which are all there are for {exhausted}");
    report("interleavings", format!("{backend}: {found}"));
    for failure in &failures {
        println!("{failure}");
    }
    failures
}

/// How many orders of each pair of calls a store in SQL is searched for. There are some 2,200 pairs; a short run tries at most four orders of
/// each, in minutes.
pub fn of_pairs() -> Extent {
    if is_long() { Extent::EVERY } else { Extent { in_order: 2, drawn: 2, seed: 1 } }
}

/// Lets operations die at every point, and prints how many there were.
pub fn die_everywhere(backend: &str, stories: &[Story], crashes: &Crashes) {
    let points: usize = stories.iter().map(|story| crashes.explore(story).unwrap_or_else(|failure| panic!("{failure}"))).sum();
    report("crash points", format!("{backend}: {} operations died at {points} points", stories.len()));
    assert!(points > stories.len(), "an operation has more than one point to die at");
}

/// One of so many parts of the stories, long and short ones mixed, so that each can have a thread and connections of its own.
pub fn part(stories: Vec<Story>, number: usize, of: usize) -> Vec<Story> {
    stories.into_iter().skip(number).step_by(of).collect()
}

/// Fails with what was found.
#[track_caller]
pub fn none(failures: &[Failure]) {
    assert!(failures.is_empty(), "{} stories went wrong, of which the first:\n{}", failures.len(), failures[0]);
}

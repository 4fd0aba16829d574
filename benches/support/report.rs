//! Results of rounds with two sides.

use std::time::{Duration, Instant};

use super::process::Process;

pub const ROUNDS: usize = 5;

/// One side of a round.
pub struct Sample {
    /// CPU time per request.
    cpu: Duration,
    /// Requests per second of wall-clock time.
    rate: f64,
    /// CPU usage of the process: 1 for a whole core.
    busy: f64,
}

/// Measures the CPU usage of a process; `work` returns the number of requests.
pub async fn measured(
    process: &mut Process,
    work: impl AsyncFnOnce(&mut Process) -> u64,
) -> Sample {
    let (before, started) = (process.cpu(), Instant::now());
    let requests = work(process).await;
    let (cpu, clock) = (process.cpu().since(&before), started.elapsed());
    let rate = requests as f64 / clock.as_secs_f64();
    Sample {
        cpu: cpu.div_f64(requests as f64),
        rate,
        busy: cpu.as_secs_f64() / clock.as_secs_f64(),
    }
}

/// Prints the ratio of the two sides: the number of requests of ours in the CPU time of one request
/// of the other.
pub fn compare(name: &str, rounds: Vec<[Sample; 2]>) {
    let rows = rounds.into_iter().map(|[ours, other]| {
        let note = format!(
            "{:.1?} on the core against {:.1?}; by the clock {:.3}, {:.0}/s against {:.0}/s, the core {:.0} % and {:.0} % busy",
            ours.cpu,
            other.cpu,
            ours.rate / other.rate,
            ours.rate,
            other.rate,
            ours.busy * 100.0,
            other.busy * 100.0
        );
        (other.cpu.as_secs_f64() / ours.cpu.as_secs_f64(), note)
    });
    print(name, rows.collect());
}

/// Prints the median, minimum and maximum of the rounds, with a note on the median round.
pub fn print(name: &str, mut rounds: Vec<(f64, String)>) {
    rounds.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (least, (median, note), most) = (
        rounds[0].0,
        &rounds[rounds.len() / 2],
        rounds[rounds.len() - 1].0,
    );
    println!("RATIO {name} {median:.3}");
    println!(
        "      {least:.3}–{median:.3}–{most:.3} in {} rounds; median round: {note}",
        rounds.len()
    );
}

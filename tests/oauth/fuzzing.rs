//! Runs the fuzz targets of `fuzz/` over their committed seeds and seeded mutations of them.
//! `scripts/fuzz` searches longer, guided by coverage.

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::ops::Range;
use std::path::Path;

use lyceum::crypto::Entropy;
use lyceum::testing::SeededEntropy;

use crate::report::report;

const MUTATIONS: usize = 2_000;

/// Runs a target, which must accept some inputs and reject others.
fn run(name: &str, target: fn(&[u8]) -> bool) {
    let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let mut files: Vec<_> = fs::read_dir(room.join("corpus").join(name))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let seeds: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    let words = dictionary(&fs::read_to_string(room.join("dictionary")).unwrap());
    let mutations = Mutations {
        entropy: &SeededEntropy::new(1),
        seeds: &seeds,
        words: &words,
    };
    let through =
        |inputs: &mut dyn Iterator<Item = Vec<u8>>| inputs.filter(|input| target(input)).count();
    let good = through(&mut seeds.iter().cloned());
    let good_mutations = through(&mut (0..MUTATIONS).map(|_| mutations.next()));
    report(
        name,
        format!(
            "{good} of {} seeds and {good_mutations} of {MUTATIONS} mutations got through",
            seeds.len()
        ),
    );
    assert!(good > 0 && good < seeds.len() && good_mutations > 0 && good_mutations < MUTATIONS);
}

/// The entries of a libFuzzer dictionary.
fn dictionary(text: &str) -> Vec<Vec<u8>> {
    let quoted = text
        .lines()
        .filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    quoted
        .map(|word| {
            let (mut word, mut bytes) = (word.bytes(), Vec::new());
            while let Some(byte) = word.next() {
                bytes.push(match (byte, byte == b'\\') {
                    (_, true) => match word.next().unwrap() {
                        b'x' => u8::from_str_radix(
                            &String::from_utf8(word.by_ref().take(2).collect()).unwrap(),
                            16,
                        )
                        .unwrap(),
                        escaped => escaped,
                    },
                    (plain, false) => plain,
                });
            }
            bytes
        })
        .collect()
}

struct Mutations<'a> {
    entropy: &'a dyn Entropy,
    seeds: &'a [Vec<u8>],
    words: &'a [Vec<u8>],
}

impl Mutations<'_> {
    /// A seed with one to four changes.
    fn next(&self) -> Vec<u8> {
        let mut input = self.one_of(self.seeds).clone();
        for _ in 0..=self.below(4) {
            let (range, at) = (self.range(&input), self.below(input.len() + 1));
            match self.below(6) {
                0 if !input.is_empty() => input[range.start] ^= 1 << self.below(8),
                1 => drop(input.drain(range)),
                2 => drop(input.splice(range, self.one_of(self.words).iter().copied())),
                3 => drop(input.splice(at..at, self.one_of(self.words).iter().copied())),
                4 => drop(input.splice(at..at, input[range].to_vec())),
                _ => {
                    let other = self.one_of(self.seeds);
                    input.splice(range, other[self.range(other)].iter().copied());
                }
            }
        }
        input
    }

    fn one_of<'s, T>(&self, things: &'s [T]) -> &'s T {
        &things[self.below(things.len())]
    }

    /// A range of the input, of at least one byte if there is any, and rarely a long one.
    fn range(&self, input: &[u8]) -> Range<usize> {
        let start = self.below(input.len().max(1));
        let end = start + self.below(1 << self.below(8));
        start..end.clamp(start, input.len().max(start))
    }

    fn below(&self, bound: usize) -> usize {
        usize::from(u16::from_be_bytes(self.entropy.bytes())) % bound
    }
}

// Proves: threats 41
/// Fails if a scope, or an escape that is not text, panics.
#[test]
fn no_query_gets_past_the_registration() {
    run("authorize_query", targets::authorize_query);
}

// Proves: threats 16
/// Fails if a list is ignored.
#[test]
fn a_token_request_in_json_is_the_same_as_a_form_and_gives_tokens_for_proof_alone() {
    run("token_json", targets::token_json);
}

// Proves: threats 16
#[test]
fn a_token_request_in_a_form_is_the_same_as_json_and_gives_tokens_for_proof_alone() {
    run("token_form", targets::token_form);
}

// Proves: threats 12
/// Fails if any scheme is accepted.
#[test]
fn a_redirect_uri_is_registered_and_matched_by_the_rule() {
    run("redirect_uri", targets::redirect_uri);
}

// Proves: threats 41
#[test]
fn scopes_are_what_the_grammar_gives() {
    run("scope", targets::scope);
}

// Proves: threats 41
#[test]
fn no_token_but_the_signed_one_is_accepted() {
    run("jwt", targets::jwt);
}

use std::error::Error;
use std::fmt;

/// Approximate memory of a record in bytes: a student with its rendering in every index, as
/// `rss_100k` in docs/performance.md measures.
const BYTES_PER_RECORD: u64 = 2_000;

const GIB: u64 = 1 << 30;

/// The directory has more records than its [limit](super::DirectoryBuilder::max_records) allows.
///
/// ```
/// use lyceum::directory::TooManyRecords;
///
/// let error = TooManyRecords { records: 1_204_000, max: 1_000_000 };
/// assert_eq!(error.to_string(), "the directory has 1,204,000 records, which take about 2.2 GiB of memory; the limit is 1,000,000");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyRecords {
    /// Number of records that there are or would be, of all six kinds.
    pub records: usize,
    /// The limit.
    pub max: usize,
}

impl fmt::Display for TooManyRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { records, max } = *self;
        let tenths = (records as u64).saturating_mul(10 * BYTES_PER_RECORD) / GIB;
        let (records, max) = (ThousandsSeparated(records), ThousandsSeparated(max));
        let (whole, tenth) = (tenths / 10, tenths % 10);
        write!(
            f,
            "the directory has {records} records, which take about {whole}.{tenth} GiB of memory; the limit is {max}"
        )
    }
}

impl Error for TooManyRecords {}

/// A number with commas as thousands separators.
struct ThousandsSeparated(usize);

impl fmt::Display for ThousandsSeparated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

//! Padding of lists, for few distinct statements.

/// Returns the values with the last one repeated until their number is a power of two. A database
/// that caches prepared statements then sees few of them, however long lists get.
pub(super) fn pad_to_power_of_two<T: Clone>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    if let Some(last) = values.last().cloned() {
        values.resize(values.len().next_power_of_two(), last);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_grows_to_a_power_of_two_and_keeps_its_values() {
        let lengths = |most: usize| {
            (0..=most)
                .map(|length| pad_to_power_of_two(0..length).len())
                .collect::<Vec<_>>()
        };
        assert_eq!(lengths(9), [0, 1, 2, 4, 4, 8, 8, 8, 8, 16]);
        assert_eq!(pad_to_power_of_two([1, 2, 3]), [1, 2, 3, 3]);
    }
}

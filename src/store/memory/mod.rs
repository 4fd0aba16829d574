//! The reference implementation.

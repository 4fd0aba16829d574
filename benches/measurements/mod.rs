//! The measurements, by subject.

pub mod import;
pub mod load_write;
pub mod memory;
pub mod million;
pub mod pages;
pub mod searches;
pub mod tokens;

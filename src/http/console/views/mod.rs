//! What pages show: a struct for each template, made from what the domain has.

mod error;
mod frame;
mod home;
mod sign_in;

pub(super) use error::ErrorPage;
pub(super) use frame::Frame;
pub(super) use home::{Attention, HomePage};
pub(super) use sign_in::SignInPage;

//! The authorization service, asked through its `tower::Service` as a browser or a client would ask.

mod token;

//! A host's own crate: it depends on `lyceum` with the two services and no other feature, and on
//! `jsonwebtoken` with both of its backends at once, which makes that library panic unless the
//! process has chosen one. What `lyceum` offers must work here all the same.

/// What ends with an account or its password.
#[derive(Debug)]
pub(crate) struct Endings {
    pub(crate) revoke_keys: &'static str,
    pub(crate) revoke_keys_hint: &'static str,
}

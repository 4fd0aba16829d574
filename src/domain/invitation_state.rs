use crate::domain::string_enum;

string_enum! {
    /// What an invitation finds at an e-mail address.
    InvitationState {
        /// There is no account: an invitation creates one.
        New = "new",
        /// There is an account whose owner has set no password yet.
        Invited = "invited",
        /// There is an account with a password.
        HasPassword = "has_password",
        /// The account is suspended, after a restoration or because its owner has left.
        Suspended = "suspended",
    }
}

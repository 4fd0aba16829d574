use super::Rejection;
use crate::http::error_reasons::error_reasons;

error_reasons! {
    /// Why a change of an account is refused: the words of the web interface in log lines and
    /// metrics. Its pages have texts of their own.
    AccountErrorReason for Rejection {
        EmailTaken = "email_taken", CONFLICT, "an account has the e-mail address" {
            EmailTaken email_taken() "An account already has this e-mail address." at "email";
        }
        OwnAccount = "own_account", FORBIDDEN, "the account is the administrator's own" {
            OwnAccount own_account() "Administrators cannot change their own role, reset their own password or delete themselves.";
        }
        LastAdministrator = "last_administrator", CONFLICT, "the account is the last administrator's" {
            LastAdministrator last_administrator() "This is the last administrator.";
        }
        SignInBusy = "sign_in_busy", SERVICE_UNAVAILABLE, "too many passwords are waiting" {
            SignInBusy busy() "Too many passwords are waiting to be checked.";
        }
    }
}

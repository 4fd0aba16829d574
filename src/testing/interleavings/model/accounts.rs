use super::{Account, Model, Outcome, created};
use crate::testing::interleavings::operation::Operation;

impl Model {
    /// What becomes of accounts. Account and subject have one number.
    pub(super) fn perform_on_accounts(&mut self, operation: Operation) -> Outcome {
        match operation {
            Operation::CreateAccount { account, email } => {
                let is_new = !self.accounts.contains_key(&account) && !self.accounts.values().any(|taken| taken.email == email);
                if is_new {
                    self.accounts.insert(account, Account { email, password: 1, is_admin: false });
                }
                created(is_new)
            }
            Operation::Account { account } => Outcome::Belongs(self.accounts.get(&account).map(|account| account.email)),
            Operation::AccountByEmail { email } => {
                Outcome::Belongs(self.accounts.iter().find(|(_, taken)| taken.email == email).map(|(account, _)| *account))
            }
            Operation::Rehash { account, seen, new } => self.change_password(account, seen, new),
            Operation::SetPassword { account, seen, new, at } => {
                let outcome = self.change_password(account, seen, new);
                if outcome == Outcome::Done {
                    self.perform_with_consents(Operation::RevokeGrantsOf { subject: account, at });
                }
                outcome
            }
            Operation::SetRole { account, is_admin } => {
                let Some(found) = self.accounts.get_mut(&account) else { return Outcome::Unknown };
                if std::mem::replace(&mut found.is_admin, is_admin) != is_admin {
                    self.perform_on_user_sessions(Operation::EndUserSessionsOf { subject: account, but: 0 });
                }
                Outcome::Done
            }
            Operation::RemoveAccount { account, at } => {
                if self.accounts.remove(&account).is_none() {
                    return Outcome::Unknown;
                }
                self.perform_with_consents(Operation::RevokeGrantsOf { subject: account, at });
                self.consents.remove(&account);
                self.remove_owner(account, at);
                Outcome::Done
            }
            Operation::Credentials { account } => {
                Outcome::Credentials(self.accounts.get(&account).map(|account| (account.password, account.is_admin)))
            }
            _ => Outcome::Unknown,
        }
    }

    fn change_password(&mut self, account: u8, seen: u8, new: u8) -> Outcome {
        match self.accounts.get_mut(&account) {
            None => Outcome::Unknown,
            Some(account) if account.password != seen => Outcome::Changed,
            Some(account) => {
                account.password = new;
                Outcome::Done
            }
        }
    }
}

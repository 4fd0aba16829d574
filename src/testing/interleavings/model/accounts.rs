use super::{Account, Model, OperationOutcome, created};
use crate::testing::interleavings::operation::Operation;

impl Model {
    /// Performs the operations on accounts. An account and its subject have the same number.
    pub(super) fn perform_on_accounts(&mut self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::CreateAccount { account, email } => {
                let is_new = !self.accounts.contains_key(&account)
                    && !self.accounts.values().any(|taken| taken.email == email);
                if is_new {
                    self.accounts.insert(
                        account,
                        Account {
                            email,
                            password: 1,
                            is_admin: false,
                        },
                    );
                }
                created(is_new)
            }
            Operation::Account { account } => {
                OperationOutcome::RefersTo(self.accounts.get(&account).map(|account| account.email))
            }
            Operation::AccountByEmail { email } => OperationOutcome::RefersTo(
                self.accounts
                    .iter()
                    .find(|(_, taken)| taken.email == email)
                    .map(|(account, _)| *account),
            ),
            Operation::RehashPassword { account, seen, new } => {
                self.change_password(account, seen, new)
            }
            Operation::SetPassword {
                account,
                seen,
                new,
                at,
            } => {
                let outcome = self.change_password(account, seen, new);
                if outcome == OperationOutcome::Done {
                    self.perform_on_consents(Operation::RevokeGrantsOf {
                        subject: account,
                        at,
                    });
                }
                outcome
            }
            Operation::SetRole { account, is_admin } => {
                let Some(found) = self.accounts.get_mut(&account) else {
                    return OperationOutcome::Unknown;
                };
                if std::mem::replace(&mut found.is_admin, is_admin) != is_admin {
                    self.perform_on_user_sessions(Operation::EndUserSessionsOf {
                        subject: account,
                        except: 0,
                    });
                }
                OperationOutcome::Done
            }
            Operation::RemoveAccount { account, at } => {
                if self.accounts.remove(&account).is_none() {
                    return OperationOutcome::Unknown;
                }
                self.perform_on_consents(Operation::RevokeGrantsOf {
                    subject: account,
                    at,
                });
                self.consents.remove(&account);
                self.remove_owner(account, at);
                OperationOutcome::Done
            }
            Operation::Credentials { account } => OperationOutcome::Credentials(
                self.accounts
                    .get(&account)
                    .map(|account| (account.password, account.is_admin)),
            ),
            _ => OperationOutcome::Unknown,
        }
    }

    fn change_password(&mut self, account: u8, seen: u8, new: u8) -> OperationOutcome {
        match self.accounts.get_mut(&account) {
            None => OperationOutcome::Unknown,
            Some(account) if account.password != seen => OperationOutcome::Conflict,
            Some(account) => {
                account.password = new;
                OperationOutcome::Done
            }
        }
    }
}

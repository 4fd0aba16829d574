use super::{Grant, Model, Outcome};
use crate::testing::interleavings::operation::Operation;

impl Model {
    /// All scopes are of application 1, all grants of client 1, and of the scopes they have the first at most.
    pub(super) fn tell_usage(&self, operation: Operation) -> Outcome {
        match operation {
            Operation::ApplicationUsage { application, at } if self.applications.contains_key(&application) => {
                let is_meant = |_: u8| application == 1;
                self.usage(is_meant, |grant| application == 1 && grant.has_scope, at)
            }
            Operation::ScopeUsage { id, at } => {
                let Some(scope) = self.scope_of(id) else { return Outcome::Unknown };
                self.usage(|listed| listed == scope, |grant| scope == 1 && grant.has_scope, at)
            }
            Operation::ClientUsage { client, at } if self.clients.contains_key(&client) => self.usage(|_| false, |_| client == 1, at),
            _ => Outcome::Unknown,
        }
    }

    fn usage(&self, is_listed: impl Fn(u8) -> bool, is_meant: impl Fn(&Grant) -> bool, at: i64) -> Outcome {
        let clients = self.clients.iter().filter(|(_, client)| client.scopes.iter().any(|scope| is_listed(*scope)));
        let clients = clients.map(|(number, _)| *number).collect();
        let live: Vec<_> = self.grants.values().filter(|grant| is_meant(grant) && grant.is_live(at)).collect();
        let last = live.iter().filter_map(|grant| grant.redeemed).map(|redeemed| redeemed.at).max();
        Outcome::InUse { clients, live: live.len() as u64, last }
    }
}

use super::{Grant, Model, OperationOutcome};
use crate::testing::interleavings::operation::Operation;

impl Model {
    /// Reads usage. All scopes belong to application 1 and all grants to client 1; of these scopes,
    /// grants have at most the first.
    pub(super) fn perform_on_usage(&self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::ApplicationUsage { application, at }
                if self.applications.contains_key(&application) =>
            {
                let is_meant = |_: u8| application == 1;
                self.usage(is_meant, |grant| application == 1 && grant.has_scope, at)
            }
            Operation::ScopeUsage { id, at } => {
                let Some(scope) = self.scope_of(id) else {
                    return OperationOutcome::Unknown;
                };
                self.usage(
                    |listed| listed == scope,
                    |grant| scope == 1 && grant.has_scope,
                    at,
                )
            }
            Operation::ClientUsage { client, at } if self.clients.contains_key(&client) => {
                self.usage(|_| false, |_| client == 1, at)
            }
            _ => OperationOutcome::Unknown,
        }
    }

    fn usage(
        &self,
        is_listed: impl Fn(u8) -> bool,
        is_meant: impl Fn(&Grant) -> bool,
        at: i64,
    ) -> OperationOutcome {
        let clients = self
            .clients
            .iter()
            .filter(|(_, client)| client.scopes.iter().any(|scope| is_listed(*scope)));
        let clients = clients.map(|(number, _)| *number).collect();
        let live: Vec<_> = self
            .grants
            .values()
            .filter(|grant| is_meant(grant) && grant.is_live(at))
            .collect();
        let last = live
            .iter()
            .filter_map(|grant| grant.redeemed)
            .map(|redeemed| redeemed.at)
            .max();
        OperationOutcome::GrantUsage {
            clients,
            live: live.len() as u64,
            last,
        }
    }
}

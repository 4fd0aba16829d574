use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use super::attempts::AccountKey;

/// How many accounts are remembered at once.
const ACCOUNTS: usize = 10_000;

/// How many networks of one account. Whoever has one account and many networks makes the server forget nobody else's.
const NETWORKS: usize = 8;

/// Where the owners of accounts have signed in. Each account and each of its networks that was not used for longest goes first.
#[derive(Debug, Default)]
pub(super) struct KnownNetworks(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    sign_ins: u64,
    accounts: HashMap<AccountKey, Vec<Known>>,
}

#[derive(Debug)]
struct Known {
    network: IpAddr,
    /// The number of the latest sign-in from it.
    sign_in: u64,
}

impl KnownNetworks {
    pub(super) fn knows(&self, account: &AccountKey, network: IpAddr) -> bool {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.accounts.get(account).is_some_and(|networks| networks.iter().any(|known| known.network == network))
    }

    pub(super) fn remember(&self, account: AccountKey, network: IpAddr) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.sign_ins += 1;
        let known = Known { network, sign_in: state.sign_ins };
        if state.accounts.len() >= ACCOUNTS && !state.accounts.contains_key(&account) {
            forget_oldest(&mut state.accounts);
        }
        // The latest is the last.
        let networks = state.accounts.entry(account).or_default();
        networks.retain(|known| known.network != network);
        if networks.len() >= NETWORKS {
            networks.remove(0);
        }
        networks.push(known);
    }
}

fn forget_oldest(accounts: &mut HashMap<AccountKey, Vec<Known>>) {
    let latest = |networks: &[Known]| networks.last().map(|known| known.sign_in);
    if let Some(oldest) = accounts.iter().min_by_key(|(_, networks)| latest(networks)).map(|(account, _)| *account) {
        accounts.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(number: usize) -> AccountKey {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&number.to_be_bytes());
        key
    }

    fn network(number: u32) -> IpAddr {
        std::net::Ipv4Addr::from_bits(number).into()
    }

    #[test]
    fn the_network_that_was_not_used_for_longest_goes_first() {
        let known = KnownNetworks::default();
        for number in [1, 2, 3, 4, 5, 6, 7, 8, 1, 9] {
            known.remember(account(1), network(number));
        }
        assert!(known.knows(&account(1), network(1)) && known.knows(&account(1), network(9)));
        assert!(!known.knows(&account(1), network(2)) && !known.knows(&account(2), network(1)));
    }

    #[test]
    fn s40_somebody_with_many_networks_makes_the_server_forget_nobody_else() {
        let known = KnownNetworks::default();
        known.remember(account(1), network(1));
        for number in 0..2 * u32::try_from(ACCOUNTS).unwrap() {
            known.remember(account(2), network(number));
        }
        assert!(known.knows(&account(1), network(1)));
        assert_eq!(known.0.lock().unwrap().accounts[&account(2)].len(), NETWORKS);
    }

    #[test]
    fn the_account_that_was_not_used_for_longest_goes_first() {
        let known = KnownNetworks::default();
        for number in (0..ACCOUNTS).chain([0]) {
            known.remember(account(number), network(1));
        }
        known.remember(account(ACCOUNTS), network(1));
        assert!(known.knows(&account(0), network(1)) && known.knows(&account(ACCOUNTS), network(1)));
        assert!(!known.knows(&account(1), network(1)));
        assert_eq!(known.0.lock().unwrap().accounts.len(), ACCOUNTS);
    }
}

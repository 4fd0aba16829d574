use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use super::attempts::AccountKey;

/// Maximum number of remembered accounts.
const MAX_ACCOUNTS: usize = 10_000;

/// Maximum number of networks per account, so that one account with many networks evicts no other
/// account's.
const MAX_NETWORKS_PER_ACCOUNT: usize = 8;

/// Networks from which accounts have signed in. The least recently used account, and network of an
/// account, is evicted first.
#[derive(Debug, Default)]
pub(super) struct KnownNetworks(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    sign_ins: u64,
    accounts: HashMap<AccountKey, Vec<KnownNetwork>>,
}

#[derive(Debug)]
struct KnownNetwork {
    network: IpAddr,
    /// Sequence number of the latest sign-in from this network.
    sign_in: u64,
}

impl KnownNetworks {
    pub(super) fn contains(&self, account: &AccountKey, network: IpAddr) -> bool {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state
            .accounts
            .get(account)
            .is_some_and(|networks| networks.iter().any(|known| known.network == network))
    }

    pub(super) fn remember(&self, account: AccountKey, network: IpAddr) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.sign_ins += 1;
        let known = KnownNetwork {
            network,
            sign_in: state.sign_ins,
        };
        if state.accounts.len() >= MAX_ACCOUNTS && !state.accounts.contains_key(&account) {
            evict_oldest(&mut state.accounts);
        }
        // The list is in order of last use.
        let networks = state.accounts.entry(account).or_default();
        networks.retain(|known| known.network != network);
        if networks.len() >= MAX_NETWORKS_PER_ACCOUNT {
            networks.remove(0);
        }
        networks.push(known);
    }
}

fn evict_oldest(accounts: &mut HashMap<AccountKey, Vec<KnownNetwork>>) {
    let latest = |networks: &[KnownNetwork]| networks.last().map(|known| known.sign_in);
    if let Some(oldest) = accounts
        .iter()
        .min_by_key(|(_, networks)| latest(networks))
        .map(|(account, _)| *account)
    {
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
        assert!(known.contains(&account(1), network(1)) && known.contains(&account(1), network(9)));
        assert!(
            !known.contains(&account(1), network(2)) && !known.contains(&account(2), network(1))
        );
    }

    // Proves: threats 40
    #[test]
    fn an_attacker_with_many_networks_evicts_no_known_network_of_others() {
        let known = KnownNetworks::default();
        known.remember(account(1), network(1));
        for number in 0..2 * u32::try_from(MAX_ACCOUNTS).unwrap() {
            known.remember(account(2), network(number));
        }
        assert!(known.contains(&account(1), network(1)));
        assert_eq!(
            known.0.lock().unwrap().accounts[&account(2)].len(),
            MAX_NETWORKS_PER_ACCOUNT
        );
    }

    #[test]
    fn the_account_that_was_not_used_for_longest_goes_first() {
        let known = KnownNetworks::default();
        for number in (0..MAX_ACCOUNTS).chain([0]) {
            known.remember(account(number), network(1));
        }
        known.remember(account(MAX_ACCOUNTS), network(1));
        assert!(
            known.contains(&account(0), network(1))
                && known.contains(&account(MAX_ACCOUNTS), network(1))
        );
        assert!(!known.contains(&account(1), network(1)));
        assert_eq!(known.0.lock().unwrap().accounts.len(), MAX_ACCOUNTS);
    }
}

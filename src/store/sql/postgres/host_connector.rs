use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use deadpool_postgres::Connect;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::config::{Host, LoadBalanceHosts};
use tokio_postgres::{Client, Config, Error};

use super::tls::Tls;

/// Connects to the first host of an address that responds.
///
/// The driver would wait forever for a host that accepts a connection and then sends nothing. Here
/// each host has an equal share of the timeout.
pub(super) struct HostConnector {
    configs: Vec<Config>,
    tls: Tls,
    timeout_per_host: Duration,
    /// The number of connection attempts, which selects the first host if load is balanced.
    attempts: AtomicUsize,
}

impl HostConnector {
    /// A connector for the hosts of this configuration. `timeout` is the caller's timeout for a
    /// connection.
    pub(super) fn new(mut config: Config, tls: Tls, timeout: Duration) -> Self {
        let count = config.get_hosts().len().max(config.get_hostaddrs().len());
        let timeout_per_host = timeout / u32::try_from(count.max(1)).unwrap_or(u32::MAX);
        let timeout_per_host = config
            .get_connect_timeout()
            .map_or(timeout_per_host, |timeout| timeout_per_host.min(*timeout));
        // So that the second address of a host name is tried as well.
        config.connect_timeout(timeout_per_host / 2);
        Self {
            configs: (0..count)
                .map(|index| single_host(&config, index))
                .collect(),
            tls,
            timeout_per_host,
            attempts: AtomicUsize::new(0),
        }
    }

    async fn connect_any(&self) -> Result<(Client, JoinHandle<()>), Error> {
        let mut order: Vec<&Config> = self.configs.iter().collect();
        if order
            .first()
            .is_some_and(|config| config.get_load_balance_hosts() == LoadBalanceHosts::Random)
        {
            let begin = self.attempts.fetch_add(1, Ordering::Relaxed) % order.len();
            order.rotate_left(begin);
        }
        let last = order.pop();
        for config in order {
            if let Ok(Ok(connected)) =
                timeout(self.timeout_per_host, connect(config, &self.tls)).await
            {
                return Ok(connected);
            }
        }
        // The caller has its own timeout for the last host. The driver rejects an address without
        // hosts.
        connect(last.unwrap_or(&Config::new()), &self.tls).await
    }
}

impl Connect for HostConnector {
    fn connect(
        &self,
        _: &Config,
    ) -> Pin<Box<dyn Future<Output = Result<(Client, JoinHandle<()>), Error>> + Send + '_>> {
        Box::pin(self.connect_any())
    }
}

async fn connect(config: &Config, tls: &Tls) -> Result<(Client, JoinHandle<()>), Error> {
    let (client, connection) = config.connect(tls.clone()).await?;
    // The client reports how the connection ended.
    let task = tokio::spawn(async move { drop(connection.await) });
    Ok((client, task))
}

/// The configuration with one of its hosts. The driver cannot remove hosts.
fn single_host(all: &Config, index: usize) -> Config {
    let mut one = Config::new();
    match all.get_hosts().get(index) {
        Some(Host::Tcp(name)) => drop(one.host(name)),
        #[cfg(unix)]
        Some(Host::Unix(path)) => drop(one.host_path(path)),
        None => {}
    }
    all.get_hostaddrs()
        .get(index)
        .map(|address| one.hostaddr(*address));
    all.get_ports()
        .get(index)
        .or(all.get_ports().first())
        .map(|port| one.port(*port));
    all.get_user().map(|user| one.user(user));
    all.get_password().map(|password| one.password(password));
    all.get_dbname().map(|name| one.dbname(name));
    all.get_options().map(|options| one.options(options));
    all.get_application_name()
        .map(|name| one.application_name(name));
    all.get_connect_timeout()
        .map(|timeout| one.connect_timeout(*timeout));
    all.get_tcp_user_timeout()
        .map(|timeout| one.tcp_user_timeout(*timeout));
    all.get_keepalives_interval()
        .map(|interval| one.keepalives_interval(interval));
    all.get_keepalives_retries()
        .map(|retries| one.keepalives_retries(retries));
    one.keepalives(all.get_keepalives())
        .keepalives_idle(all.get_keepalives_idle())
        .ssl_mode(all.get_ssl_mode())
        .ssl_negotiation(all.get_ssl_negotiation())
        .target_session_attrs(all.get_target_session_attrs())
        .channel_binding(all.get_channel_binding())
        .load_balance_hosts(all.get_load_balance_hosts());
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_keeps_the_settings_common_to_all() {
        let text = |hosts: &str| {
            format!(
                "host={hosts} user=kim password=x dbname=d options=-cx=y application_name=a sslmode=require sslnegotiation=direct \
                 connect_timeout=3 tcp_user_timeout=4 keepalives=0 keepalives_idle=5 keepalives_interval=6 keepalives_retries=7 \
                 target_session_attrs=read-write channel_binding=disable load_balance_hosts=random"
            )
        };
        let all: Config = text("a,/b hostaddr=127.0.0.1,127.0.0.2 port=1,2")
            .parse()
            .unwrap();
        assert_eq!(
            single_host(&all, 0),
            text("a hostaddr=127.0.0.1 port=1").parse().unwrap()
        );
        assert_eq!(
            single_host(&all, 1),
            text("/b hostaddr=127.0.0.2 port=2").parse().unwrap()
        );
        let same_port: Config = text("a,b port=9").parse().unwrap();
        assert_eq!(
            single_host(&same_port, 1),
            text("b port=9").parse().unwrap()
        );
    }
}

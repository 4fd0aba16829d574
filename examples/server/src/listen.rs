//! Sockets on which `serve` accepts connections.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use listenfd::ListenFd;
use lyceum::http::{Listener, inherited_socket_names};
use tokio::net::TcpListener;

use crate::BoxError;

/// Where `serve` accepts connections.
#[derive(Debug, Clone)]
pub enum ListenAddress {
    Tcp(SocketAddr),
    /// A Unix socket at this path.
    Unix(PathBuf),
    /// The sockets that systemd passes.
    Systemd,
}

impl ListenAddress {
    /// Parses an address with a port, `unix:PATH`, or `systemd`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix("unix:") {
            Some(path) => (!path.is_empty()).then(|| Self::Unix(path.into())),
            None if text == "systemd" => Some(Self::Systemd),
            None => text.parse().ok().map(Self::Tcp),
        }
    }

    /// Opens the sockets, with their addresses as text.
    pub async fn open(
        &self,
        inherited: InheritedSockets,
    ) -> Result<Vec<(String, Listener)>, BoxError> {
        match self {
            Self::Tcp(address) => {
                let listener = bind(*address).await?;
                Ok(vec![(listener.local_addr()?.to_string(), listener.into())])
            }
            Self::Unix(path) => {
                let listener = Listener::bind_unix(path).await?;
                Ok(vec![(format!("unix:{}", path.display()), listener)])
            }
            Self::Systemd => inherited.into_listeners(),
        }
    }
}

/// Binds a TCP socket.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, BoxError> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|error| format!("cannot listen on {address}: {error}").into())
}

/// Sockets that systemd passes to this process, with their names.
pub struct InheritedSockets {
    names: io::Result<Vec<String>>,
    sockets: ListenFd,
}

impl InheritedSockets {
    /// Takes the sockets. Removes variables from the environment, so no other thread may run yet.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is a program, and no library"
    )]
    pub fn take() -> Self {
        let variable = |name: &str| std::env::var(name).ok();
        let names = inherited_socket_names(std::process::id(), variable);
        let sockets = match &names {
            Ok(names) if !names.is_empty() => ListenFd::from_env(),
            _ => ListenFd::empty(),
        };
        Self { names, sockets }
    }

    /// All of the sockets, with their addresses as text.
    fn into_listeners(mut self) -> Result<Vec<(String, Listener)>, BoxError> {
        let names = self.names?;
        if names.is_empty() {
            return Err("listen is systemd, which passed no socket: start the .socket unit".into());
        }
        let mut listeners = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let tcp = self.sockets.take_tcp_listener(index).ok().flatten();
            let unix = self.sockets.take_unix_listener(index).ok().flatten();
            listeners.push(if let Some(socket) = tcp {
                (socket.local_addr()?.to_string(), socket.try_into()?)
            } else if let Some(socket) = unix {
                let address = socket.local_addr()?;
                let path = address.as_pathname().unwrap_or("".as_ref());
                (format!("unix:{}", path.display()), socket.try_into()?)
            } else {
                return Err(format!("the socket {name} of systemd is no stream socket").into());
            });
        }
        Ok(listeners)
    }
}

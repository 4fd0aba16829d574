use std::fmt;
use std::io;
use std::net::Ipv4Addr;
#[cfg(unix)]
use std::path::Path;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::net::UnixListener;

#[cfg(feature = "tls")]
use super::tls::{Certificates, Handshake, Handshakes};
#[cfg(unix)]
use super::unix_socket::{self, SocketFile};
use crate::http::ClientAddress;

/// Socket from which [`serve`](super::serve()) accepts connections: TCP or Unix, with or without
/// TLS.
///
/// It is made of a bound `TcpListener`, of a socket that another program passes, such as systemd
/// (the listeners of `std`, by `try_from`), or of the path of a Unix socket.
///
/// Connections over a Unix socket have the [`ClientAddress`] 127.0.0.1, because every client is on
/// this machine. Behind a proxy, trust that address in
/// [`TrustedProxies`](crate::http::TrustedProxies); without it, all clients share their limits.
pub struct Listener {
    socket: Socket,
    #[cfg(feature = "tls")]
    handshakes: Option<Handshakes>,
}

enum Socket {
    Tcp(TcpListener),
    #[cfg(unix)]
    Unix {
        listener: UnixListener,
        /// None for a socket that another program created.
        _file: Option<SocketFile>,
    },
}

impl Listener {
    fn new(socket: Socket) -> Self {
        Self {
            socket,
            #[cfg(feature = "tls")]
            handshakes: None,
        }
    }

    /// Creates a Unix socket at the path, which the user and the group of this process may connect
    /// to (mode 0660). It is removed when the server stops.
    ///
    /// A socket that a dead server left there is replaced. While a server runs, its lock on the
    /// file `PATH.lock` keeps a second one from the path.
    ///
    /// # Errors
    /// When another server listens at the path, when the file there is no socket, and when the
    /// files cannot be created.
    #[cfg(unix)]
    pub async fn bind_unix(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let (listener, file) = unix_socket::bind(path).await.map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("cannot listen on {}: {error}", path.display()),
            )
        })?;
        Ok(Self::new(Socket::Unix {
            listener,
            _file: Some(file),
        }))
    }

    /// Requires TLS of every connection, with these certificates.
    ///
    /// The handshake has ten seconds. At most 512 run at once; further connections wait in the
    /// socket's backlog. A connection that does not begin with a handshake is closed.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn with_tls(mut self, certificates: Certificates) -> Self {
        self.handshakes = Some(Handshakes::new(certificates));
        self
    }

    /// Accepts a connection, once its handshake may begin. Loses none when it is cancelled.
    pub(super) async fn accept(&self) -> io::Result<Accepted> {
        #[cfg(feature = "tls")]
        let handshake = match &self.handshakes {
            Some(handshakes) => Some(handshakes.begin().await),
            None => None,
        };
        let (stream, address): (Box<dyn Stream>, _) = match &self.socket {
            Socket::Tcp(listener) => {
                let (stream, peer) = listener.accept().await?;
                // Small responses are sent at once; without the option the socket still works.
                let _ = stream.set_nodelay(true);
                (Box::new(stream), peer.ip())
            }
            #[cfg(unix)]
            Socket::Unix { listener, .. } => {
                let (stream, _) = listener.accept().await?;
                (Box::new(stream), Ipv4Addr::LOCALHOST.into())
            }
        };
        Ok(Accepted {
            stream,
            address: ClientAddress(address),
            #[cfg(feature = "tls")]
            handshake,
        })
    }
}

impl From<TcpListener> for Listener {
    fn from(listener: TcpListener) -> Self {
        Self::new(Socket::Tcp(listener))
    }
}

/// For a socket that another program passes. Panics outside of a tokio runtime.
impl TryFrom<std::net::TcpListener> for Listener {
    type Error = io::Error;

    fn try_from(listener: std::net::TcpListener) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        Ok(TcpListener::from_std(listener)?.into())
    }
}

/// For a socket that another program passes, which also removes its file. Panics outside of a tokio
/// runtime.
#[cfg(unix)]
impl TryFrom<std::os::unix::net::UnixListener> for Listener {
    type Error = io::Error;

    fn try_from(listener: std::os::unix::net::UnixListener) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        Ok(Self::new(Socket::Unix {
            listener: UnixListener::from_std(listener)?,
            _file: None,
        }))
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Listener");
        match &self.socket {
            Socket::Tcp(listener) => shown.field("socket", listener),
            #[cfg(unix)]
            Socket::Unix { listener, .. } => shown.field("socket", listener),
        };
        #[cfg(feature = "tls")]
        shown.field("handshakes", &self.handshakes);
        shown.finish()
    }
}

/// Bytes of a connection, whatever its socket.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// An accepted connection before its handshake.
pub(super) struct Accepted {
    stream: Box<dyn Stream>,
    pub(super) address: ClientAddress,
    #[cfg(feature = "tls")]
    handshake: Option<Handshake>,
}

impl Accepted {
    /// Completes the handshake, if the listener requires one.
    pub(super) async fn into_stream(self) -> io::Result<Box<dyn Stream>> {
        #[cfg(feature = "tls")]
        if let Some(handshake) = self.handshake {
            return handshake.complete(self.stream).await;
        }
        Ok(self.stream)
    }
}

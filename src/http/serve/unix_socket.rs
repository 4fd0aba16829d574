use std::ffi::OsString;
use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tokio::net::{UnixListener, UnixStream};

/// Access to the socket: the user and the group of the process.
const SOCKET_MODE: u32 = 0o660;

/// The file of a Unix socket, removed when the listener is dropped.
#[derive(Debug)]
pub(super) struct SocketFile {
    path: PathBuf,
    id: (u64, u64),
    /// Held as long as the socket. The file of the lock stays: if it were removed, another server
    /// could hold a lock on the removed file.
    _lock: File,
}

/// Binds a socket and puts it at the path.
pub(super) async fn bind(path: &Path) -> io::Result<(UnixListener, SocketFile)> {
    let lock = lock(path)?;
    check_replaceable(path).await?;
    // Bound beside the path and renamed, so that nothing connects before the mode is set.
    let draft = with_suffix(path, ".new");
    match fs::remove_file(&draft) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(&draft)?;
    fs::set_permissions(&draft, Permissions::from_mode(SOCKET_MODE))?;
    let id = file_id(&draft)?;
    fs::rename(&draft, path)?;
    let file = SocketFile {
        path: path.to_owned(),
        id,
        _lock: lock,
    };
    Ok((listener, file))
}

/// Takes the lock of the path, which also orders servers that start at once.
fn lock(path: &Path) -> io::Result<File> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(with_suffix(path, ".lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(in_use()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Checks that there is no file at the path, or a socket that nothing listens on.
async fn check_replaceable(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(file) if !file.file_type().is_socket() => {
            return Err(io::Error::new(
                ErrorKind::AlreadyExists,
                "there is a file that is no socket",
            ));
        }
        Ok(_) => {}
    }
    // A server of another program takes no lock. One whose backlog is full would block.
    match UnixStream::connect(path).await {
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() != ErrorKind::WouldBlock => Err(error),
        _ => Err(in_use()),
    }
}

fn in_use() -> io::Error {
    io::Error::new(ErrorKind::AddrInUse, "another server listens on it")
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Device and inode.
fn file_id(path: &Path) -> io::Result<(u64, u64)> {
    let file = fs::symlink_metadata(path)?;
    Ok((file.dev(), file.ino()))
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        // Another file at the path belongs to another program.
        if file_id(&self.path).is_ok_and(|id| id == self.id) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

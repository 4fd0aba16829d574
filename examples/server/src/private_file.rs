use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Creates a file that only its owner can read, atomically, unless it exists.
pub fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options
        .open(&draft)
        .and_then(|mut file| file.write_all(contents).and_then(|()| file.sync_all()));
    // A link never replaces a file that another process has created, but some file systems have no
    // links.
    let placed = written.and_then(|()| match fs::hard_link(&draft, path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => fs::rename(&draft, path),
        _ => Ok(()),
    });
    let _ = fs::remove_file(&draft);
    placed
}

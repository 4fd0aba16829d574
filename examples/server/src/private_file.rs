use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Creates a file that only its owner can read. It has its name only when all of it is on disk. A
/// file that another process has created meanwhile stays as it is.
pub fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    let path = std::path::absolute(path)?;
    let mut draft = path.clone().into_os_string();
    draft.push(format!(".{}", std::process::id()));
    let draft = PathBuf::from(draft);
    let placed = write(&draft, contents).and_then(|()| match fs::hard_link(&draft, &path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            place_without_links(&draft, &path)
        }
        _ => Ok(()),
    });
    let _ = fs::remove_file(&draft);
    placed?;
    path.parent()
        .map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

fn write(draft: &Path, contents: &[u8]) -> io::Result<()> {
    // A process with the same number that was killed may have left one, with any mode.
    match fs::remove_file(draft) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(draft)?;
    file.write_all(contents)?;
    file.sync_all()
}

/// Renames the draft on a file system without links, where only the look before protects a file
/// that exists.
fn place_without_links(draft: &Path, path: &Path) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    fs::rename(draft, path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Fails if a key that exists is replaced, if others can read a new one, or if a draft stays.
    #[test]
    fn a_file_is_created_once_for_its_owner_alone() {
        let id = std::process::id();
        let folder = std::env::temp_dir().join(format!("lyceum-private-file-{id}"));
        fs::create_dir(&folder).unwrap();
        let path = folder.join("key");
        let left = folder.join(format!("key.{id}"));
        fs::write(&left, "left").unwrap();
        fs::set_permissions(&left, fs::Permissions::from_mode(0o666)).unwrap();
        create(&path, b"first").unwrap();
        create(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        place_without_links(&path.with_file_name("draft"), &path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
        fs::remove_dir_all(folder).unwrap();
    }
}

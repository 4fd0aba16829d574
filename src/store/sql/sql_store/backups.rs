#[cfg(feature = "sqlite")]
use std::path::Path;

use super::SqlStore;
use crate::domain::{AccountId, ApiKey, ApiKeyId, ClientId, Timestamp};
use crate::store::StorageError;
use crate::store::sql::after_restore::{self, RestoreReport};
#[cfg(feature = "sqlite")]
use crate::store::sql::backup_error::BackupError;
use crate::store::sql::credentials::{self, Credentials};
use crate::store::sql::suspensions;
#[cfg(feature = "sqlite")]
use crate::store::sql::{database::Database, sqlite, transaction_hook::OptionalHook};

/// Backups, and what follows when one is restored.
///
/// A backup has the digests of secrets and encrypted signing keys, and never the master key, which
/// is backed up apart. It does not have later changes: a revoked key, a changed password or a
/// removed account would be valid again. After a restoration, sessions, grants, consents and access
/// tokens have therefore ended. Accounts, API keys, and clients that obtain tokens without a user are
/// suspended until they are confirmed, except those known to be unchanged.
impl SqlStore {
    /// Writes a consistent copy of a SQLite database to a new file, while the database is in use.
    ///
    /// The copy has every write that was acknowledged before the call, and is checked. Only the
    /// owner can read the file. It has its name when it is complete and on disk; a process that is
    /// killed before leaves at most a file whose name ends in `.partial`. The work runs on its own
    /// thread and delays no writer. It continues if the future is dropped.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use lyceum::domain::Timestamp;
    /// # use lyceum::store::sql::SqlStore;
    /// # let folder = tempfile::tempdir()?;
    /// # let at = Timestamp::from_seconds(1_790_000_000);
    /// let backup = folder.path().join("2026-09-21.db");
    /// SqlStore::sqlite(folder.path().join("school.db"))?.backup_to(&backup).await?;
    ///
    /// let restored = folder.path().join("restored.db");
    /// let report = SqlStore::restore_sqlite(&backup, &restored, None, at)?;
    /// println!("{report}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the file exists or cannot be written, the database failed, or it is on a server.
    #[cfg(feature = "sqlite")]
    pub async fn backup_to(&self, path: impl AsRef<Path>) -> Result<(), BackupError> {
        let database = match &self.database {
            Database::Sqlite(pool) => pool.path().to_owned(),
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => return Err(BackupError::OnServer),
        };
        let path = path.as_ref().to_owned();
        let (sender, receiver) = futures_channel::oneshot::channel();
        std::thread::Builder::new()
            .name("lyceum-sqlite-backup".to_owned())
            .spawn({
                let path = path.clone();
                // The caller may be gone.
                move || drop(sender.send(sqlite::back_up(&database, &path)))
            })
            .map_err(BackupError::io(&path))?;
        receiver.await.unwrap_or_else(|_| {
            Err(StorageError::failed("a backup returned no result", "it panicked").into())
        })
    }

    /// Writes a copy of a SQLite database as [`backup_to`](Self::backup_to) does, without a store:
    /// also of a database with an older schema, which another process serves. The call blocks on
    /// disk I/O.
    ///
    /// # Errors
    /// When the database is missing or failed, or the new file exists or cannot be written.
    #[cfg(feature = "sqlite")]
    pub fn back_up_sqlite(
        database: impl AsRef<Path>,
        backup: impl AsRef<Path>,
    ) -> Result<(), BackupError> {
        sqlite::back_up(database.as_ref(), backup.as_ref())
    }

    /// Checks that a backup of a SQLite database is complete and has a schema that this build can
    /// restore. It reads the whole file, and blocks on disk I/O.
    ///
    /// # Errors
    /// When it cannot be restored.
    #[cfg(feature = "sqlite")]
    pub fn check_sqlite_backup(backup: impl AsRef<Path>) -> Result<(), BackupError> {
        sqlite::check_backup(backup.as_ref())
    }

    /// Restores a backup of a SQLite database, or another complete copy, to a new file, as
    /// [`after_restore`](Self::after_restore) leaves it. An older schema is migrated.
    ///
    /// The backup stays as it is. The new file has its name only when all of that is on disk. The
    /// call blocks on disk I/O.
    ///
    /// # Errors
    /// When the new file exists, or the backup is damaged, in use, of another application or of a
    /// newer version of this library.
    #[cfg(feature = "sqlite")]
    pub fn restore_sqlite(
        backup: impl AsRef<Path>,
        database: impl AsRef<Path>,
        last_known: Option<Credentials>,
        at: Timestamp,
    ) -> Result<RestoreReport, BackupError> {
        let hook = OptionalHook::default();
        sqlite::restore(backup.as_ref(), database.as_ref(), last_known, at, &hook)
    }

    /// Reads the credentials of a lost or damaged database that can still be opened, for the
    /// restoration of its backup. Open a SQLite file as
    /// [`read_only`](crate::store::sql::SqliteBuilder::read_only), so that it stays as it is.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn credentials(&self) -> Result<Credentials, StorageError> {
        self.list("credentials", |tx| Box::pin(credentials::credentials(tx)))
            .await
    }

    /// Ends and suspends, in one transition, what may have been revoked or changed since the backup
    /// from which this database was restored. A restored PostgreSQL database needs it, and is opened
    /// [for it](crate::store::sql::PostgresBuilder::allow_restored) alone;
    /// [`restore_sqlite`](Self::restore_sqlite) includes it.
    ///
    /// Authorization sessions, grants with their codes and refresh tokens, console sessions,
    /// consents and signing keys end. Accounts, valid API keys, and clients that may use the client
    /// credentials grant are suspended, except those that are the same in `last_known`: the
    /// [`credentials`](Self::credentials) of the lost database. `None` suspends all.
    ///
    /// # Errors
    /// When the database failed, has a newer schema than this build, or is the one of which
    /// `last_known` are. Nothing changed.
    pub async fn after_restore(
        &self,
        last_known: Option<Credentials>,
        at: Timestamp,
    ) -> Result<RestoreReport, StorageError> {
        self.write_api_keys("after_restore", move |tx| {
            Box::pin(after_restore::after_restore(tx, last_known, at))
        })
        .await
    }

    /// Whether this database is a backup or was restored from one, and neither
    /// [`after_restore`](Self::after_restore) nor [`accept_unchanged_copy`](Self::accept_unchanged_copy)
    /// was called since. Only a store that was opened with
    /// [`allow_restored`](crate::store::sql::PostgresBuilder::allow_restored) can be one.
    ///
    /// # Errors
    /// When the database failed.
    pub async fn is_restored(&self) -> Result<bool, StorageError> {
        self.list("is_restored", |tx| Box::pin(after_restore::is_restored(tx)))
            .await
    }

    /// Accepts this database, which [`open`](crate::store::sql::PostgresBuilder::open) takes for a
    /// restored one, as it is: nothing has ended and nothing is suspended. Only for a database that
    /// was moved while no node ran, or upgraded by `pg_upgrade`: whatever was revoked after the copy
    /// was made is valid in it.
    ///
    /// # Errors
    /// When the database failed.
    pub async fn accept_unchanged_copy(&self) -> Result<(), StorageError> {
        self.write("accept_unchanged_copy", |tx| {
            Box::pin(after_restore::accept_database(tx))
        })
        .await
    }

    /// Confirms a suspended account, which has its former password again. A new password confirms it
    /// too. Returns whether it was suspended.
    ///
    /// # Errors
    /// When the database failed.
    pub async fn confirm_account(&self, id: AccountId) -> Result<bool, StorageError> {
        let confirmed = self.write("confirm_account", move |tx| {
            Box::pin(suspensions::confirm_accounts(tx, Some(id)))
        });
        Ok(confirmed.await? > 0)
    }

    /// Confirms every suspended account. Returns their number.
    ///
    /// # Errors
    /// When the database failed.
    pub async fn confirm_all_accounts(&self) -> Result<u64, StorageError> {
        self.write("confirm_all_accounts", |tx| {
            Box::pin(suspensions::confirm_accounts(tx, None))
        })
        .await
    }

    /// Returns the suspended API keys. Elsewhere they appear as expired.
    ///
    /// # Errors
    /// When the database failed.
    pub async fn suspended_api_keys(&self) -> Result<Vec<ApiKey>, StorageError> {
        self.list("suspended_api_keys", |tx| {
            Box::pin(suspensions::suspended_api_keys(tx))
        })
        .await
    }

    /// Confirms a suspended API key, whose values work again until they expire. A renewal confirms
    /// it too, and ends the values from before. Returns whether it was suspended.
    ///
    /// # Errors
    /// When the database failed.
    pub async fn confirm_api_key(&self, id: ApiKeyId) -> Result<bool, StorageError> {
        let confirmed = self.write_api_keys("confirm_api_key", move |tx| {
            Box::pin(suspensions::confirm_api_keys(tx, Some(id)))
        });
        Ok(confirmed.await? > 0)
    }

    /// Confirms every suspended API key. Returns their number.
    ///
    /// # Errors
    /// When the database failed.
    pub async fn confirm_all_api_keys(&self) -> Result<u64, StorageError> {
        self.write_api_keys("confirm_all_api_keys", |tx| {
            Box::pin(suspensions::confirm_api_keys(tx, None))
        })
        .await
    }

    /// Ends the suspension of a client, which keeps its owner and its secrets. An administrator who
    /// gives it to a user ends it too, and removes the secrets: do that if its owner has left.
    /// Returns whether it was suspended.
    ///
    /// # Errors
    /// When the database failed.
    pub async fn confirm_client(&self, id: ClientId) -> Result<bool, StorageError> {
        self.write("confirm_client", move |tx| {
            Box::pin(suspensions::confirm_client(tx, id))
        })
        .await
    }
}

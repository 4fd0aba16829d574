use super::AuthServerBuilder;
use crate::directory::Directory;
use crate::http::management::Students;

impl AuthServerBuilder {
    /// Sets the directory in which `/userinfo` looks up users as students: by the
    /// [student](crate::domain::Subject::student) of the user, or else by e-mail address.
    /// Without it no user is a student there.
    #[must_use]
    pub fn directory(mut self, directory: Directory) -> Self {
        self.students = Students::in_directory(directory);
        self
    }
}

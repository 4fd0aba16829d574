-- Whether an authorization request asks for the password of a user who is signed in.
ALTER TABLE sessions ADD COLUMN prompt_login INTEGER NOT NULL DEFAULT 0;

-- Whether an authorization request asks for the password of a user who is signed in.
ALTER TABLE sessions ADD COLUMN prompt_login BIGINT NOT NULL DEFAULT 0;

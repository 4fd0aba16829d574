-- The student that an account is known to belong to, so that its access ends when the student leaves.
ALTER TABLE accounts ADD COLUMN student_id INTEGER;

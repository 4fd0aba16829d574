-- The scopes of each grant, so that those with a scope are found and counted without reading all. In their order they are in grants.scopes.
CREATE TABLE grant_scopes (
    application_id TEXT NOT NULL,
    name TEXT NOT NULL,
    grant_id TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, name, grant_id)
) STRICT, WITHOUT ROWID;

-- A grant that is swept takes its scopes along.
CREATE INDEX grant_scopes_by_grant ON grant_scopes (grant_id);

INSERT INTO grant_scopes (application_id, name, grant_id)
SELECT DISTINCT substr(part.value, 1, instr(part.value, ':') - 1), substr(part.value, instr(part.value, ':') + 1), grants.id
FROM grants, json_each('["' || replace(grants.scopes, ' ', '","') || '"]') AS part
WHERE part.value <> '';

-- The same of what users let clients have.
CREATE TABLE consent_scopes (
    application_id TEXT NOT NULL,
    name TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    PRIMARY KEY (application_id, name, subject_id, client_id),
    FOREIGN KEY (subject_id, client_id) REFERENCES consents (subject_id, client_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX consent_scopes_by_consent ON consent_scopes (subject_id, client_id);

INSERT INTO consent_scopes (application_id, name, subject_id, client_id)
SELECT DISTINCT substr(part.value, 1, instr(part.value, ':') - 1), substr(part.value, instr(part.value, ':') + 1), consents.subject_id, consents.client_id
FROM consents, json_each('["' || replace(consents.scopes, ' ', '","') || '"]') AS part
WHERE part.value <> '';

-- When a consent last spared its user the question. Those that nobody has used for years are swept.
ALTER TABLE consents ADD COLUMN last_used_at INTEGER NOT NULL DEFAULT 0;
-- When those that are there were last used is not known.
UPDATE consents SET last_used_at = CAST(strftime('%s', 'now') AS INTEGER);
CREATE INDEX consents_by_last_use ON consents (last_used_at);

-- The scopes of each grant, so that those with a scope are found and counted without reading all. In their order they are in grants.scopes.
CREATE TABLE grant_scopes (
    application_id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    grant_id TEXT COLLATE "C" NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, name, grant_id)
);

-- A grant that is swept takes its scopes along.
CREATE INDEX grant_scopes_by_grant ON grant_scopes (grant_id);

INSERT INTO grant_scopes (application_id, name, grant_id)
SELECT DISTINCT split_part(part, ':', 1), split_part(part, ':', 2), grants.id
FROM grants, unnest(string_to_array(grants.scopes, ' ')) AS part
WHERE part <> '';

-- The same of what users let clients have.
CREATE TABLE consent_scopes (
    application_id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    subject_id TEXT COLLATE "C" NOT NULL,
    client_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (application_id, name, subject_id, client_id),
    FOREIGN KEY (subject_id, client_id) REFERENCES consents (subject_id, client_id) ON DELETE CASCADE
);

CREATE INDEX consent_scopes_by_consent ON consent_scopes (subject_id, client_id);

INSERT INTO consent_scopes (application_id, name, subject_id, client_id)
SELECT DISTINCT split_part(part, ':', 1), split_part(part, ':', 2), consents.subject_id, consents.client_id
FROM consents, unnest(string_to_array(consents.scopes, ' ')) AS part
WHERE part <> '';

-- When a consent last spared its user the question. Those that nobody has used for years are swept.
ALTER TABLE consents ADD COLUMN last_used_at BIGINT NOT NULL DEFAULT 0;
-- When those that are there were last used is not known.
UPDATE consents SET last_used_at = CAST(EXTRACT(EPOCH FROM now()) AS BIGINT);
CREATE INDEX consents_by_last_use ON consents (last_used_at);

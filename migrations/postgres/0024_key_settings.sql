-- The last four characters of a secret, by which its owner recognizes it; missing for older ones.
ALTER TABLE client_secrets ADD COLUMN last_four TEXT COLLATE "C";

-- The calls of the day that were answered with an error.
ALTER TABLE api_key_uses ADD COLUMN errors BIGINT NOT NULL DEFAULT 0;

-- The hidden fields that the owner of a key asks an administrator to show.
ALTER TABLE api_keys ADD COLUMN requested_fields TEXT COLLATE "C" NOT NULL DEFAULT '';

-- The fields that keys hide which users of a role make for themselves, until an administrator shows them. Databases from before have none.
CREATE TABLE protected_fields (
    role TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    fields TEXT COLLATE "C" NOT NULL
);

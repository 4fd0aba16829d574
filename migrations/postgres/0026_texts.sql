-- The address of a client's privacy policy.
ALTER TABLE clients ADD COLUMN policy_uri TEXT COLLATE "C";

-- Texts in other languages, as a JSON object by language tag.
ALTER TABLE applications ADD COLUMN name_translations TEXT COLLATE "C" NOT NULL DEFAULT '{}';
ALTER TABLE scopes ADD COLUMN description_translations TEXT COLLATE "C" NOT NULL DEFAULT '{}';

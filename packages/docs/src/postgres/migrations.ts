/**
 * SQL that creates the tables of pages and indexes, to be run once each and in this order. Steps are
 * only ever added. Terms begin with the number of their source, so that a source pays nothing for
 * the words of others. URLs are found by a hash: an entry of an index has at most 2,700 bytes.
 */
export const migrationSteps: readonly string[] = [
  `
CREATE TABLE pith_docs_stored_page (
  url text NOT NULL, version integer NOT NULL, kept bytea NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE pith_docs_stored_page ALTER COLUMN kept SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX pith_docs_stored_page_url ON pith_docs_stored_page (md5(url), version);
CREATE TABLE pith_docs_note (key text NOT NULL, note text NOT NULL);
CREATE UNIQUE INDEX pith_docs_note_key ON pith_docs_note (md5(key));

CREATE TABLE pith_docs_source (
  id serial PRIMARY KEY, name text NOT NULL, version integer NOT NULL,
  changes bigint NOT NULL DEFAULT 0,
  holder text, held_until timestamptz, used_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX pith_docs_source_name ON pith_docs_source (md5(name), version);
CREATE TABLE pith_docs_state (
  source integer NOT NULL REFERENCES pith_docs_source ON DELETE CASCADE,
  key text NOT NULL, value text NOT NULL, PRIMARY KEY (source, key)
);
CREATE TABLE pith_docs_page (
  id bigserial PRIMARY KEY,
  source integer NOT NULL REFERENCES pith_docs_source ON DELETE CASCADE,
  url text NOT NULL, title text NOT NULL, language text, stamp text NOT NULL,
  read_at bigint NOT NULL, headings text NOT NULL DEFAULT '[]',
  sections integer NOT NULL DEFAULT 0, length bigint NOT NULL DEFAULT 0,
  failed boolean NOT NULL DEFAULT false, proposed boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX pith_docs_page_url ON pith_docs_page (source, md5(url));
CREATE TABLE pith_docs_section (
  id bigserial PRIMARY KEY,
  page bigint NOT NULL REFERENCES pith_docs_page ON DELETE CASCADE,
  anchor text NOT NULL, title text NOT NULL, heading text NOT NULL, path text NOT NULL,
  text text NOT NULL, terms text NOT NULL
);
CREATE INDEX pith_docs_section_page ON pith_docs_section (page);
CREATE TABLE pith_docs_terms (
  section bigint PRIMARY KEY REFERENCES pith_docs_section ON DELETE CASCADE,
  page bigint NOT NULL, length integer NOT NULL, terms tsvector NOT NULL
) WITH (toast_tuple_target = 8160);
ALTER TABLE pith_docs_terms ALTER COLUMN terms SET STORAGE MAIN;
CREATE INDEX pith_docs_terms_terms ON pith_docs_terms USING gin (terms) WITH (fastupdate = off);
CREATE TABLE pith_docs_count (
  term text PRIMARY KEY,
  source integer NOT NULL REFERENCES pith_docs_source ON DELETE CASCADE,
  sections integer NOT NULL
) WITH (fillfactor = 70);
CREATE TABLE pith_docs_word (
  source integer NOT NULL REFERENCES pith_docs_source ON DELETE CASCADE,
  first text NOT NULL, length integer NOT NULL, word text NOT NULL,
  PRIMARY KEY (source, first, length, word)
);
`,
  'CREATE INDEX pith_docs_count_beginning ON pith_docs_count (term COLLATE "C");',
  'ALTER TABLE pith_docs_page ADD COLUMN left_out integer NOT NULL DEFAULT 0;',
  'ALTER TABLE pith_docs_section ADD COLUMN tokens integer NOT NULL DEFAULT 0;',
]

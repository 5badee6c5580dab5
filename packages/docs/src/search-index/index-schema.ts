/**
 * Terms reach FTS5 tokenised and separated by blanks, so every other ASCII character is part of a
 * token.
 */
const tokenCharacters = `!""#$%&''''()*+,-./:;<=>?@[\\]^_\`{|}~`

/** Increased when the tables or the scorer's tokenisation change. */
export const indexVersion = 8

/** `section.terms` has what was entered into `terms`, which stores no text: see `termsIn`. */
export const indexSchema: string = `
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE page (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  language TEXT,
  stamp TEXT NOT NULL,
  read_at INTEGER NOT NULL,
  headings TEXT NOT NULL DEFAULT '[]',
  sections INTEGER NOT NULL DEFAULT 0,
  left_out INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL,
  proposed INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE section (
  id INTEGER PRIMARY KEY,
  page INTEGER NOT NULL,
  anchor TEXT NOT NULL,
  title TEXT NOT NULL,
  heading TEXT NOT NULL,
  path TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  text TEXT NOT NULL,
  terms BLOB NOT NULL
);
CREATE INDEX section_page ON section (page);
CREATE VIRTUAL TABLE terms USING fts5 (
  heading, text, anchor, path, content = '',
  tokenize = "ascii tokenchars '${tokenCharacters}'"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (terms, row);
CREATE TABLE word (
  first TEXT NOT NULL, length INTEGER NOT NULL, word TEXT NOT NULL,
  PRIMARY KEY (first, length, word)
) WITHOUT ROWID;
`

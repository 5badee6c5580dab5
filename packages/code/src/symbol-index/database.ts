import { createHash } from 'node:crypto'

/** To be raised when outlines of files or their words become others. */
const contentVersion = 2

/**
 * A file that is indexed again gets a new id, so what is stored of the old one is of no file, and is
 * never changed. One without symbols could not be parsed. The files of a batch have the ids from `base` on: each name has one row a batch,
 * with the differences of its file ids to the one before; for words, each times 256 plus the byte of
 * `documentOf`.
 */
export const indexSchema = `
CREATE TABLE file (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL,
  stamp TEXT NOT NULL,
  symbols BLOB,
  variables BLOB
);
CREATE TABLE definition (name TEXT, base INTEGER, files BLOB, PRIMARY KEY (name, base)) WITHOUT ROWID;
CREATE TABLE word (name TEXT, base INTEGER, files BLOB, PRIMARY KEY (name, base)) WITHOUT ROWID;
`

/** The parts of a name that are looked for with a query, each after a mark that no key begins with. */
export const partKey = (part: string): string => `~${part}`

export const partsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length > 1)

/** Changes with the tables and with their content: an index of another version is made again. */
export const indexVersion: number =
  createHash('sha256').update(`${contentVersion}${indexSchema}`).digest().readUInt32BE() >>> 1

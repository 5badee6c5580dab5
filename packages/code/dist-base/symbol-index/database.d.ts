/** Changes with the tables, and with what the outlines of files contain. */
export declare const indexVersion = 1;
/**
 * A file that is indexed again gets a new id, so what is stored of the old one is of no file, and is
 * never changed. The files of a batch have the ids from `base` on: each name has one row a batch,
 * with the differences of its file ids to the one before; for words, each times 256 plus the byte of
 * `documentOf`.
 */
export declare const indexSchema = "\nCREATE TABLE file (\n  id INTEGER PRIMARY KEY AUTOINCREMENT,\n  path TEXT NOT NULL,\n  stamp TEXT NOT NULL,\n  symbols BLOB,\n  variables BLOB,\n  unparsed TEXT\n);\nCREATE TABLE definition (name TEXT, base INTEGER, files BLOB, PRIMARY KEY (name, base)) WITHOUT ROWID;\nCREATE TABLE word (name TEXT, base INTEGER, files BLOB, PRIMARY KEY (name, base)) WITHOUT ROWID;\n";
/** The parts of a name that are looked for with a query, each after a mark that no key begins with. */
export declare const partKey: (part: string) => string;
export declare const partsOf: (name: string) => string[];
//# sourceMappingURL=database.d.ts.map
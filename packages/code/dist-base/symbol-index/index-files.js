import { statSync } from 'node:fs';
import { attempt } from '#base/attempt';
import { loadDriver } from '#base/sqlite-driver';
import { openStore } from '#base/sqlite-store';
import { readBytes } from '../access/read-bytes.js';
import { decodeText, isBinary, stampFrom } from '../access/read-text.js';
import { documentOf } from '../describe/document.js';
import { languageOf } from '../languages/all-languages.js';
import { outlineText } from '../parse/parse-text.js';
import { namesOf } from '../parse/symbol-table.js';
import { keyOf } from '../text/name-key.js';
import { indexSchema, indexVersion, partKey, partsOf } from './database.js';
import { packTable } from './packed-table.js';
import { VarintWriter } from './varints.js';
/** Entry point of the workers of `createIndexBuilder`: indexes a batch in one transaction. */
export default async function indexFiles(batch) {
    const open = await loadDriver();
    if (!open)
        throw new Error('There is no SQLite.');
    const files = [];
    const definitions = new Map();
    const words = new Map();
    const buffer = Buffer.allocUnsafeSlow(batch.maxFileBytes);
    for (const { real, path } of batch.files) {
        const read = await readFile(real, path, buffer, batch);
        if (!read)
            continue;
        const place = files.push(read.file) - 1;
        for (const name of new Set(read.names.flatMap(keysOf)))
            add(definitions, name, place);
        for (const [word, byte] of documentOf(read))
            add(words, word, place * 256 + byte);
    }
    const store = await openStore({
        open,
        path: batch.database,
        schema: indexSchema,
        version: indexVersion,
    });
    try {
        await store.write((prepare) => {
            const base = insertFiles(prepare, files);
            insertNames(prepare, 'definition', definitions, base);
            insertNames(prepare, 'word', words, base);
            for (const id of batch.formerIds)
                prepare('DELETE FROM file WHERE id = ?').run(id);
        });
    }
    finally {
        store.close();
    }
}
/** Undefined for a file that changed too recently or is gone: it is searched as bytes. */
async function readFile(real, path, buffer, limits) {
    const stats = statSync(real, { bigint: true, throwIfNoEntry: false });
    if (!stats || stampFrom(stats).isFresh)
        return undefined;
    const text = attempt(() => textIn(real, buffer), undefined);
    const read = text === undefined
        ? { unparsed: 'it is binary, too large, or could not be read' }
        : await symbolsOf(path, text, limits);
    const file = {
        path,
        stamp: stampFrom(stats).stamp,
        symbols: 'symbols' in read ? packTable(read.symbols) : null,
        variables: 'values' in read ? packTable(read.values) : null,
        unparsed: 'unparsed' in read ? read.unparsed : null,
    };
    const symbols = 'symbols' in read ? namesOf(read.symbols) : [];
    const values = 'values' in read ? namesOf(read.values) : [];
    const names = [...symbols, ...values].map(({ name }) => name);
    return { file, path, names, symbols, text: text ?? '' };
}
function textIn(real, buffer) {
    const { bytes } = readBytes(real, buffer);
    return isBinary(bytes) ? undefined : decodeText(bytes);
}
async function symbolsOf(path, text, { maxParseBytes, parseTimeoutMs }) {
    const language = languageOf(path, text);
    if (!language)
        return { unparsed: 'its language is not supported' };
    if (text.length > maxParseBytes)
        return { unparsed: 'it is larger than the limit for parsing' };
    return outlineText(text, language, parseTimeoutMs);
}
const keysOf = (name) => [keyOf(name), ...partsOf(name).map(partKey)];
function add(postings, name, place) {
    const places = postings.get(name);
    if (places)
        places.push(place);
    else
        postings.set(name, [place]);
}
/** The id of the first file. */
function insertFiles(prepare, files) {
    const sql = 'INSERT INTO file (path, stamp, symbols, variables, unparsed) VALUES (?, ?, ?, ?, ?)';
    const ids = files.map(({ path, stamp, symbols, variables, unparsed }) => Number(prepare(sql).run(path, stamp, symbols, variables, unparsed).lastInsertRowid));
    return ids[0] ?? 0;
}
/** In the order of the names, in which rows are appended to the table. */
function insertNames(prepare, table, postings, base) {
    const insert = prepare(`INSERT INTO ${table} (name, base, files) VALUES (?, ?, ?)`);
    for (const name of [...postings.keys()].sort()) {
        const writer = new VarintWriter();
        let before = 0;
        for (const place of postings.get(name) ?? []) {
            writer.write(place - before);
            before = table === 'word' ? place - (place % 256) : place;
        }
        insert.run(name, base, writer.bytes());
    }
}
//# sourceMappingURL=index-files.js.map
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
/** Milliseconds that a writer waits for others before it fails. */
const maxWaitMs = 30_000;
export async function openStore(options) {
    const { path, readOnly = false } = options;
    if (path !== ':memory:' && !readOnly)
        await mkdir(dirname(path), { recursive: true });
    let connection = await connectOrRebuild();
    let closed = false;
    const read = (work) => guarded(() => work(connection.prepare));
    const write = (work) => guarded(() => transaction(() => work(connection.prepare)));
    return {
        read,
        write,
        rows: (sql, ...values) => read((prepare) => prepare(sql).all(...values)),
        run: (sql, ...values) => write((prepare) => void prepare(sql).run(...values)),
        close() {
            if (closed)
                return;
            closed = true;
            connection.close();
        },
    };
    async function guarded(work) {
        for (let waited = 0, rebuilt = false;;) {
            try {
                return work();
            }
            catch (error) {
                if (closed)
                    throw error;
                if (isBusy(error) && waited < maxWaitMs) {
                    // SQLite does not queue writers; random waits let each of them get the lock.
                    const wait = 5 + Math.random() * 60;
                    waited += wait;
                    await new Promise((resolve) => setTimeout(resolve, wait));
                }
                else if (isDamaged(error) && !rebuilt && !readOnly) {
                    rebuilt = true;
                    connection.close();
                    connection = await rebuild(options, error);
                }
                else
                    throw error;
            }
        }
    }
    function transaction(work) {
        connection.database.exec('BEGIN IMMEDIATE');
        try {
            const result = work();
            connection.database.exec('COMMIT');
            return result;
        }
        catch (error) {
            try {
                connection.database.exec('ROLLBACK');
            }
            catch {
                // The failure itself has ended the transaction.
            }
            throw error;
        }
    }
    async function connectOrRebuild() {
        for (let tries = 0;; tries++) {
            try {
                return connect(options);
            }
            catch (error) {
                if (isBusy(error) && tries < 100)
                    await new Promise((resolve) => setTimeout(resolve, 50));
                else if (!readOnly && (isDamaged(error) || error instanceof WrongVersion))
                    return rebuild(options, error);
                else
                    throw error;
            }
        }
    }
}
async function rebuild(options, cause) {
    const { path, onRebuilt } = options;
    if (path !== ':memory:') {
        // Renamed first, so that a process that has the old file open does not write into the new one.
        await rename(path, `${path}.old`).catch(() => { });
        for (const rest of [`${path}.old`, `${path}-wal`, `${path}-shm`])
            await rm(rest, { force: true });
    }
    onRebuilt?.(path, cause instanceof Error ? cause.message : String(cause));
    return connect(options);
}
class WrongVersion extends Error {
}
function connect({ open, path, schema, version, readOnly = false, wal = true, }) {
    const database = open(path, { readOnly });
    try {
        database.exec('PRAGMA busy_timeout = 250');
        if (wal && !readOnly) {
            database.exec('PRAGMA journal_mode = WAL');
            database.exec('PRAGMA synchronous = NORMAL');
        }
        if (versionOf(database) === 0 && !readOnly)
            create(database, schema, version);
        if (versionOf(database) !== version)
            throw new WrongVersion(`it was written by another version (${versionOf(database)})`);
        // A file of others: a view or trigger in place of a table would run SQL of theirs.
        if (readOnly)
            checkObjects(database, open, schema);
    }
    catch (error) {
        database.close();
        throw error;
    }
    const statements = new Map();
    return {
        database,
        prepare(sql) {
            const statement = statements.get(sql) ?? database.prepare(sql);
            statements.set(sql, statement);
            return statement;
        },
        close() {
            statements.clear();
            try {
                // Not every driver does this when the last connection closes.
                if (wal && !readOnly)
                    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
            }
            catch {
                // Other processes are reading; the last of them checkpoints.
            }
            try {
                database.close();
            }
            catch {
                // The database is damaged or already closed.
            }
        },
    };
}
/** @throws {Error} if the tables and indexes are not those of the schema */
function checkObjects(database, open, schema) {
    database.exec('PRAGMA trusted_schema = OFF');
    const model = open(':memory:');
    try {
        model.exec(schema);
        const expected = new Set(objectsIn(model));
        const objects = objectsIn(database);
        if (objects.length !== expected.size || !objects.every((object) => expected.has(object)))
            throw new Error('its tables are not those of a pack');
    }
    finally {
        model.close();
    }
}
const objectsIn = (database) => database
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema')
    .all()
    .map((object) => JSON.stringify(object));
/** Two processes may find a new file at the same time; the second one finds the schema created. */
function create(database, schema, version) {
    database.exec('BEGIN IMMEDIATE');
    if (versionOf(database) === 0) {
        database.exec(schema);
        database.exec(`PRAGMA user_version = ${version}`);
    }
    database.exec('COMMIT');
}
const versionOf = (database) => Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
/** SQLITE_BUSY, SQLITE_LOCKED. Extended codes use the upper bits. */
const isBusy = (error) => [5, 6].includes(codeOf(error));
/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const isDamaged = (error) => [11, 26].includes(codeOf(error));
function codeOf(error) {
    if (!(error instanceof Error))
        return 0;
    if ('errcode' in error)
        return Number(error.errcode) & 0xff;
    if (/not a database/i.test(error.message))
        return 26;
    if (/malformed/i.test(error.message))
        return 11;
    return /locked|busy/i.test(error.message) ? 5 : 0;
}

import type { OpenDatabase, SqlValue, Statement } from './sqlite-driver.ts';
export interface StoreOptions {
    open: OpenDatabase;
    /** A file, created if it does not exist, or `:memory:`. */
    path: string;
    /** SQL that is run on a new file. */
    schema: string;
    /** Version of the schema; a file of another version is rebuilt. */
    version: number;
    /** The file must exist and is not written; damage is then an error. */
    readOnly?: boolean;
    /** Write-ahead log, so that processes can read while another writes. Default true. */
    wal?: boolean;
    /** Called when a file was unreadable or of another version, and was rebuilt empty. */
    onRebuilt?: (path: string, why: string) => void;
}
/** A store whose tables are known, or are only some of those of the file. */
export type TablesOptions = Omit<StoreOptions, 'schema' | 'version'> & Partial<Pick<StoreOptions, 'schema' | 'version'>>;
/** A file that several processes read and write concurrently. */
export interface Store {
    /** Run a read. A damaged file is rebuilt, and the read repeated on the empty one. */
    read<T>(work: (prepare: Prepare) => T): Promise<T>;
    /** The rows of one read. */
    rows(sql: string, ...values: SqlValue[]): Promise<Record<string, SqlValue>[]>;
    /** One statement that writes. */
    run(sql: string, ...values: SqlValue[]): Promise<void>;
    /** Run a transaction, all or nothing, after other writers. Keep it short: it blocks them. */
    write<T>(work: (prepare: Prepare) => T): Promise<T>;
    close(): void;
}
/** Prepares a statement once and caches it. */
export type Prepare = (sql: string) => Statement;
export declare function openStore(options: StoreOptions): Promise<Store>;

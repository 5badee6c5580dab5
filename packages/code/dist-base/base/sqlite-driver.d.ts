/** The part of the `node:sqlite` API that is used here. */
export interface Database {
    exec(sql: string): void;
    prepare(sql: string): Statement;
    close(): void;
}
export interface Statement {
    run(...values: SqlValue[]): {
        changes: number | bigint;
        lastInsertRowid: number | bigint;
    };
    get(...values: SqlValue[]): Record<string, SqlValue> | undefined;
    all(...values: SqlValue[]): Record<string, SqlValue>[];
}
export type SqlValue = string | number | bigint | null | Uint8Array;
export type OpenDatabase = (path: string, options?: {
    readOnly?: boolean;
}) => Database;
/** SQLite of Node (from 22.13 on), or else the optional package; undefined without either. */
export declare function loadDriver(): Promise<OpenDatabase | undefined>;

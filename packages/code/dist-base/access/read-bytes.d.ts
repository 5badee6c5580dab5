import { type Stats } from 'node:fs';
/** Some file systems store times with a resolution of only two seconds. */
export declare const coarsestMs = 2000;
/** Does not follow a link that has replaced a file, and does not block on a pipe. */
export declare const safeFlags: number;
/** A value that changes with a file; undefined if it changed too recently to be relied on. */
export declare const plainStamp: ({ mtimeMs, ctimeMs, size, ino }: Stats) => string | undefined;
/**
 * The bytes of a file, in `buffer`, which the next call overwrites.
 *
 * @throws for what is no file, cannot be opened, or is larger than the buffer.
 */
export declare function readBytes(path: string, buffer: Buffer): {
    bytes: Buffer;
    stats: Stats;
};
//# sourceMappingURL=read-bytes.d.ts.map
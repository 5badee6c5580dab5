import type { BigIntStats } from 'node:fs';
/** A value that changes with a file, and whether it can be relied on. */
export interface FileStamp {
    /** Includes the time at which the inode changed, which programs cannot set. */
    stamp: string;
    /** The last change is so recent that another one could have the same time. */
    isFresh: boolean;
}
export declare const stampOf: (path: string) => Promise<FileStamp>;
export declare const stampFrom: ({ mtimeNs, ctimeNs, size, ino }: BigIntStats) => FileStamp;
export interface ReadText extends FileStamp {
    text: string;
    /**
     * The bytes that the text was decoded from. The buffer is not shared, so it may be transferred.
     */
    bytes: Uint8Array<ArrayBuffer>;
}
/**
 * The text of a file, with its byte order mark and line ends.
 *
 * @throws {CodeError} `too_large` past `maxBytes`; `not_text` for a folder, a pipe or binary data;
 * `not_allowed` if the path has changed.
 */
export declare function readText(path: string, name: string, maxBytes: number): Promise<ReadText>;
/** True if the byte order mark is that of UTF-16. */
export declare const isWide: (bytes: Uint8Array) => boolean;
export declare const isBinary: (bytes: Uint8Array) => boolean;
/**
 * UTF-16 by its byte order mark, else UTF-8, or Latin-1 if it is not valid UTF-8. The byte order
 * mark stays.
 */
export declare function decodeText(bytes: Uint8Array): string;
//# sourceMappingURL=read-text.d.ts.map
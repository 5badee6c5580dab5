import { open, realpath, stat } from 'node:fs/promises';
import { CodeError } from '../code-error.js';
import { coarsestMs, safeFlags } from './read-bytes.js';
export const stampOf = async (path) => stampFrom(await stat(path, { bigint: true }));
export const stampFrom = ({ mtimeNs, ctimeNs, size, ino }) => ({
    stamp: `${mtimeNs}:${ctimeNs}:${size}:${ino}`,
    isFresh: Date.now() - Number(ctimeNs / 1000000n) < coarsestMs,
});
/**
 * The text of a file, with its byte order mark and line ends.
 *
 * @throws {CodeError} `too_large` past `maxBytes`; `not_text` for a folder, a pipe or binary data;
 * `not_allowed` if the path has changed.
 */
export async function readText(path, name, maxBytes) {
    const handle = await open(path, safeFlags).catch((cause) => {
        throw unreadable(name, cause);
    });
    try {
        return await readOpen(handle, path, name, maxBytes);
    }
    finally {
        await handle.close();
    }
}
async function readOpen(handle, path, name, maxBytes) {
    const stats = await handle.stat({ bigint: true });
    if (stats.isDirectory())
        throw new CodeError('not_text', `${JSON.stringify(name)} is a folder.`, 'List its files, and read one of them.');
    if (!stats.isFile() || !(await isStill(handle, path, stats.ino)))
        throw unreadable(name);
    if (stats.size > maxBytes)
        throw new CodeError('too_large', `${JSON.stringify(name)} has ${Math.round(Number(stats.size) / 1e6)} MB; the limit is ${Math.round(maxBytes / 1e6)} MB.`, 'Read another file.');
    const bytes = new Uint8Array(Number(stats.size));
    let length = 0;
    while (length < bytes.length) {
        const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
        if (bytesRead === 0)
            break;
        length += bytesRead;
    }
    const read = bytes.subarray(0, length);
    if (isBinary(read))
        throw new CodeError('not_text', `${JSON.stringify(name)} is not a text file.`, 'Read a source file.');
    return { text: decodeText(read), bytes: read, ...stampFrom(stats) };
}
/**
 * True if the open file is the one that the path names: a folder of the path may have become a link
 * since.
 */
async function isStill(handle, path, ino) {
    const open = await realpath(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
    if (open !== undefined)
        return open === path;
    const real = await realpath(path);
    return real === path && (await stat(real, { bigint: true })).ino === ino;
}
const begins = (bytes, first, second) => bytes[0] === first && bytes[1] === second;
/** True if the byte order mark is that of UTF-16. */
export const isWide = (bytes) => begins(bytes, 0xff, 0xfe) || begins(bytes, 0xfe, 0xff);
export const isBinary = (bytes) => !isWide(bytes) && bytes.includes(0);
/**
 * UTF-16 by its byte order mark, else UTF-8, or Latin-1 if it is not valid UTF-8. The byte order
 * mark stays.
 */
export function decodeText(bytes) {
    if (begins(bytes, 0xff, 0xfe))
        return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(bytes);
    if (begins(bytes, 0xfe, 0xff))
        return new TextDecoder('utf-16be', { ignoreBOM: true }).decode(bytes);
    try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    }
    catch {
        return new TextDecoder('latin1').decode(bytes);
    }
}
const unreadable = (name, cause) => new CodeError(cause?.code === 'EACCES' ? 'not_allowed' : 'not_text', `${JSON.stringify(name)} could not be read as a file.`, 'Find another file by a part of its name.', { cause });
//# sourceMappingURL=read-text.js.map
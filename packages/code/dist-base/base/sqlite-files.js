import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
/**
 * Files unused for this many milliseconds are removed; also the least recently used while all
 * together have more bytes than this.
 */
const maxUnusedMs = 90 * 24 * 60 * 60_000;
const maxBytes = 2 * 2 ** 30;
/** A file used within this time may be in use by another process and is not removed. */
const inUseMs = 24 * 60 * 60_000;
const usedMark = (path) => `${path}.used`;
/** Record that a file is in use in a separate one, because reading does not change its date. */
export async function markUsed(path) {
    const now = new Date();
    await utimes(usedMark(path), now, now).catch(() => writeFile(usedMark(path), '').catch(() => { }));
}
/** Remove the files of a folder that are no longer used. */
export async function pruneFiles(folder) {
    const names = await readdir(folder).catch(() => []);
    const files = await Promise.all(names
        .filter((name) => name.endsWith('.sqlite'))
        .map(async (name) => {
        const path = join(folder, name);
        const file = await stat(path).catch(() => undefined);
        const used = await stat(usedMark(path)).catch(() => file);
        return { path, size: file?.size ?? 0, usedAt: used?.mtimeMs ?? 0 };
    }));
    let total = files.reduce((sum, { size }) => sum + size, 0);
    const now = Date.now();
    for (const { path, size, usedAt } of files.sort((a, b) => a.usedAt - b.usedAt)) {
        const age = now - usedAt;
        if (age < inUseMs || (age < maxUnusedMs && total <= maxBytes))
            continue;
        for (const file of [path, `${path}-wal`, `${path}-shm`, usedMark(path)])
            await rm(file, { force: true }).catch(() => { });
        total -= size;
    }
}

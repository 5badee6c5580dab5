import { Tinypool } from 'tinypool';
/** A pool of at most one worker thread, started by its first task. `idleTimeout` is milliseconds. */
export function startWorker(file, options) {
    const pool = new Tinypool({ filename: file.href, minThreads: 0, maxThreads: 1, ...options });
    // An error of an idle worker would otherwise end the process.
    pool.on('error', () => { });
    return pool;
}

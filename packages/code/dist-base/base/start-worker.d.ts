import { Tinypool } from 'tinypool';
/** A pool of at most one worker thread, started by its first task. `idleTimeout` is milliseconds. */
export declare function startWorker(file: URL, options: ConstructorParameters<typeof Tinypool>[0] & {
    idleTimeout: number;
}): Tinypool;

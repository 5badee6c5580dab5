import { startWorker } from '#base/start-worker';
import { CodeError } from '../code-error.js';
/** Milliseconds for which an idle thread remembers which files it has searched. */
const ttlMs = 600_000;
/** Searches that take turns in the thread. */
const maxSearches = 8;
/** The thread runs compiled files only; from the sources, questions are answered in this one. */
const isBuilt = import.meta.url.endsWith('.js');
/** Searches files by their bytes and names in a thread of its own. */
export function createSearchThread(options) {
    let pool;
    return {
        candidates: (readings, scope, signal) => run({ type: 'candidates', readings, scope }, signal),
        describe: (query, scope, signal) => run({ type: 'describe', query, scope }, signal),
        mentions: (name, scope, signal) => run({ type: 'mentions', name, scope }, signal),
        containing: (name, files) => run({ type: 'containing', name, files }),
        symbolsOf: (real) => run({ type: 'symbols', real }),
        nextBatch: (maxFiles, isFirst) => run({ type: 'batch', maxFiles, isFirst }),
        files: (pattern, maxFiles) => run({ type: 'files', pattern, maxFiles }),
        async close() {
            await pool?.destroy();
            pool = undefined;
        },
    };
    async function run(ask, signal) {
        signal?.throwIfAborted();
        const stop = new Int32Array(new SharedArrayBuffer(4));
        const end = () => void Atomics.store(stop, 0, 1);
        signal?.addEventListener('abort', end);
        try {
            const question = { ...options, stop, ask };
            const { default: here } = isBuilt
                ? { default: undefined }
                : await import('./search-worker.js');
            const result = await (here ? here(question) : inThread(question));
            signal?.throwIfAborted();
            if ('answer' in result)
                return result.answer;
            const { code, message, remedy } = result.refused;
            throw new CodeError(code, message, remedy);
        }
        finally {
            signal?.removeEventListener('abort', end);
        }
    }
    function inThread(question) {
        pool ??= startWorker(new URL('./search-worker.js', import.meta.url), {
            concurrentTasksPerWorker: maxSearches,
            idleTimeout: ttlMs,
        });
        return pool.run(question);
    }
}
//# sourceMappingURL=search-thread.js.map
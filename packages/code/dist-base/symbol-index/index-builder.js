import { startWorker } from '#base/start-worker';
const workers = 2;
/** Milliseconds for which idle workers wait for files. */
const ttlMs = 2_000;
/** Milliseconds after which what had just changed is indexed. */
const restMs = 3_000;
/** The workers run compiled files only; from the sources, files are indexed in this thread. */
const isBuilt = import.meta.url.endsWith('.js');
/** Indexes files in the background, in batches by two workers. */
export function createIndexBuilder(limits, nextBatch) {
    let pool;
    let running;
    let timer;
    let isClosed = false;
    return {
        fill: () => fill(),
        async close() {
            isClosed = true;
            clearTimeout(timer);
            await pool?.destroy();
            await running;
        },
    };
    /** Index what is not indexed as it is now, unless that is under way. Never fails. */
    function fill() {
        if (isClosed)
            return Promise.resolve();
        clearTimeout(timer);
        running ??= pass().finally(() => {
            running = undefined;
        });
        return running;
    }
    async function pass() {
        const first = await nextBatch(true).catch(() => undefined);
        if (!first)
            return;
        await Promise.all(Array.from({ length: workers }, (_, at) => work(at === 0 ? first : undefined)));
        if (isClosed)
            return;
        timer = setTimeout(() => void fill(), restMs);
        timer.unref();
    }
    async function work(first) {
        try {
            for (let batch = first ?? (await nextBatch(false)); batch && !isClosed;) {
                await index({ ...limits, ...batch });
                batch = await nextBatch(false);
            }
        }
        catch {
            // What is not indexed is searched as bytes.
        }
    }
    async function index(batch) {
        if (!isBuilt)
            return (await import('./index-files.js')).default(batch);
        pool ??= startWorker(new URL('./index-files.js', import.meta.url), {
            maxThreads: workers,
            idleTimeout: ttlMs,
            resourceLimits: { maxYoungGenerationSizeMb: 8 },
        });
        await pool.run(batch);
    }
}
//# sourceMappingURL=index-builder.js.map
import type { IndexBatch } from './index-files.ts';
/** Limits that workers keep. */
export type IndexLimits = Pick<IndexBatch, 'database' | 'maxFileBytes' | 'maxParseBytes' | 'parseTimeoutMs'>;
/** The next files, or the first of a pass; undefined if none is left. */
export type NextBatch = (isFirst: boolean) => Promise<Pick<IndexBatch, 'files' | 'formerIds'> | undefined>;
/** Indexes files in the background, in batches by two workers. */
export declare function createIndexBuilder(limits: IndexLimits, nextBatch: NextBatch): {
    fill: () => Promise<void>;
    close(): Promise<void>;
};
//# sourceMappingURL=index-builder.d.ts.map
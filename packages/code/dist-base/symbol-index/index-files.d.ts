/** Files to index, and the ids of former states of them. */
export interface IndexBatch {
    database: string;
    files: readonly {
        real: string;
        path: string;
    }[];
    formerIds: readonly number[];
    maxFileBytes: number;
    maxParseBytes: number;
    parseTimeoutMs: number;
}
/** Entry point of the workers of `createIndexBuilder`: indexes a batch in one transaction. */
export default function indexFiles(batch: IndexBatch): Promise<void>;
//# sourceMappingURL=index-files.d.ts.map
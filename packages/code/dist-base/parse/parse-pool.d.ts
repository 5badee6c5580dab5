import type { ParseOutcome } from './parse-text.ts';
export type Parser = ReturnType<typeof createParser>;
export declare function createParser(options: {
    timeoutMs: number;
}): {
    /**
     * Parse a text in a worker; short and long texts have separate workers. The buffer of `bytes` is
     * transferred.
     */
    parse: (bytes: Uint8Array<ArrayBuffer>, language: string) => Promise<ParseOutcome>;
    close(): Promise<void>;
};
//# sourceMappingURL=parse-pool.d.ts.map
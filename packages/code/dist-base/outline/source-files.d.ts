import type { Roots } from '../access/roots.ts';
import type { Parser } from '../parse/parse-pool.ts';
import type { KnownSymbols } from './known-symbols.ts';
import { type SourceFile } from './source-file.ts';
export type SourceFiles = ReturnType<typeof createSourceFiles>;
export interface FileLimits {
    /** Larger files are not read. */
    maxFileBytes: number;
    /** Larger files are read, but not parsed. */
    maxParseBytes: number;
    /** Size of cached texts and their syntax. */
    maxCacheBytes: number;
}
export declare function createSourceFiles(roots: Roots, parser: Parser, limits: FileLimits): {
    /** True if the file exists. @throws {CodeError} `not_found`, `not_allowed`. */
    has: (path: string) => Promise<boolean>;
    get: (path: string) => Promise<SourceFile>;
    outlined: (real: string, known: KnownSymbols) => Promise<SourceFile>;
};
//# sourceMappingURL=source-files.d.ts.map
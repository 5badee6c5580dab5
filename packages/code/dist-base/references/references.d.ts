import type { Roots } from '../access/roots.ts';
import type { SourceFiles } from '../outline/source-files.ts';
import type { Account } from '../search/account.ts';
import type { Scope } from '../search/candidates.ts';
import type { SearchThread } from '../search/search-thread.ts';
import { type SymbolHit } from '../search/symbol-hit.ts';
import { type FileUses, type Matching } from './uses.ts';
/** Uses of a name: those of one page of the files that have it. */
export interface References {
    name: string;
    /** Best first. */
    definitions: readonly SymbolHit[];
    /** `import`: of the definition that a file imports; `name`: of anything with the name. */
    matching: Matching;
    /** Files with uses, those of tests last. */
    files: readonly FileUses[];
    /** Place among the files with the name at which this page begins, and the next one, if any. */
    from: number;
    next?: number;
    /** Number of files with the name. */
    total: number;
    account: Account;
}
export interface ReferenceOptions {
    /** Only these uses; those of tests are separate. Default all. */
    kind?: 'calls' | 'implementations' | 'tests' | undefined;
    /** Place of the first file. */
    from?: number | undefined;
    signal?: AbortSignal | undefined;
}
/** Finds the definitions of a name and what uses it. */
export declare function referencesTo({ roots, files, thread }: {
    roots: Roots;
    files: SourceFiles;
    thread: SearchThread;
}, query: string, scope: Scope, { from, signal, kind }: ReferenceOptions): Promise<References>;
//# sourceMappingURL=references.d.ts.map
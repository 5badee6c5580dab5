import type { Roots } from '../access/roots.ts';
import type { Account } from './account.ts';
/** Names of files that match a pattern, best first, and what the listing left out. */
export interface FoundNames {
    names: readonly string[];
    account: Account;
}
/**
 * Files that match a pattern, best first: a glob (`src/*.ts`), else a part of a name or path; if
 * nothing matches, files that contain its letters in order.
 *
 * @throws {CodeError} `bad_argument` for an empty, a long or a complex pattern.
 */
export declare function findFilesIn(roots: Roots, pattern: string, maxFiles?: number): FoundNames;
//# sourceMappingURL=find-files.d.ts.map
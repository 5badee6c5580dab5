import type { Roots } from '../access/roots.ts';
import { type Account } from './account.ts';
/** Source files below some folders. */
export interface Listing {
    /** Real paths. */
    files: readonly string[];
    account: Account;
}
export interface ListOptions {
    /** The real path of a folder below a root, to which the listing is limited. */
    within?: string | undefined;
    /**
     * Selects the files to list, by their real paths; default all. Others do not count against the
     * limit.
     */
    accept?: (path: string) => boolean;
    /** Default 100,000. */
    maxFiles?: number | undefined;
    /** Ends the listing if it returns true. */
    isOver?: () => boolean;
}
export declare const defaultMaxFiles = 100000;
/**
 * All files below the roots that `.gitignore` files do not exclude, sorted by folder and name.
 * Links are not followed; secrets are skipped. Blocks its thread: it takes a second for 80,000
 * files.
 */
export declare function listFiles(roots: Roots, options?: ListOptions): Listing;
//# sourceMappingURL=list-files.d.ts.map
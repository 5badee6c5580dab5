/** Adds to a count of steps. @throws {CodeError} `bad_argument` past its limit. */
export type CountSteps = (steps: number) => void;
export declare const isGlob: (pattern: string) => boolean;
/**
 * Create a matcher for a glob: `*` and `?` within a name, `**` across folders, `[a-z]`, `{a,b}`.
 * Ignores case; a pattern without `/` matches the file name only. The steps for a path are at most
 * proportional to the lengths of path and alternatives.
 *
 * @throws {CodeError} `bad_argument` for more than 64 alternatives, and when all paths together
 * take too many steps.
 */
export declare function globMatcher(pattern: string, count?: CountSteps): (path: string) => boolean;
//# sourceMappingURL=glob.d.ts.map
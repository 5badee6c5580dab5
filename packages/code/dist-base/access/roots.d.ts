/** The folders that may be read, and the names of files in them. */
export interface Roots {
    /** Real paths. */
    readonly folders: readonly string[];
    /**
     * The real path of a file or folder below one of the folders. A relative path is tried against
     * each.
     *
     * @throws {CodeError} `not_found`; `not_allowed` if the path leads outside, also through links,
     * or to a secret.
     */
    resolve(path: string): Promise<string>;
    /** The name of a real path: relative to the first folder, else absolute; with `/`. */
    nameOf(path: string): string;
}
/** @throws {CodeError} `not_found` for a root that is not a folder. */
export declare function openRoots(paths: readonly string[]): Promise<Roots>;
/** Folders whose real paths are known. */
export declare function rootsOf(folders: readonly string[]): Roots;
//# sourceMappingURL=roots.d.ts.map
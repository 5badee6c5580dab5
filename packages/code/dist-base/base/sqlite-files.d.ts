/** Record that a file is in use in a separate one, because reading does not change its date. */
export declare function markUsed(path: string): Promise<void>;
/** Remove the files of a folder that are no longer used. */
export declare function pruneFiles(folder: string): Promise<void>;

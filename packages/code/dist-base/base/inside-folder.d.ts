/** The real path, or that of the nearest parent folder that exists. */
export declare function nearestReal(path: string): Promise<{
    real: string;
    exists: boolean;
}>;
/** True if `path` is the folder or below it; both are real paths. */
export declare function isInside(path: string, folder: string): boolean;

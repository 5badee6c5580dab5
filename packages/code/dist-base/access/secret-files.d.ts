/** True for a folder without source code, by its path relative to the root. */
export declare const isSecretFolder: (path: string) => boolean;
/**
 * True if a path, relative to its root, names a secret. A file name of a source language is not
 * secret.
 */
export declare function isSecret(path: string): boolean;
//# sourceMappingURL=secret-files.d.ts.map
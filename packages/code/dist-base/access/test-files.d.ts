/** True for files of tests, by their paths. */
export declare const isTest: (path: string) => boolean;
//# sourceMappingURL=test-files.d.ts.map
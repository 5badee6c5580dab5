/** True for files of tests, by their paths. */
export const isTest = (path) => /(?:^|\/)(?:tests?|__tests__|specs?|testing|testdata)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]*$|Tests?\.\w+$/.test(path);
//# sourceMappingURL=test-files.js.map
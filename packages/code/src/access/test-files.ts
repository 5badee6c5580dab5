/** True for files of tests, by their paths. */
export const isTest = (path: string): boolean =>
  /(?:^|\/)(?:tests?|__tests__|specs?|testdata)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]*$|Tests?\.\w+$/.test(
    path,
  )

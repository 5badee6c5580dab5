/** An account of a search that has not begun. */
export const emptyAccount = () => ({
    searched: 0,
    ignored: 0,
    unreadable: 0,
    unparsed: [],
    unread: 0,
    tooDeep: 0,
    isCut: false,
});
/** With one more file that was not parsed. */
export function addUnparsed(all, reason, example) {
    const same = all.find((entry) => entry.reason === reason);
    return same
        ? all.map((entry) => (entry === same ? { ...entry, files: entry.files + 1 } : entry))
        : [...all, { reason, files: 1, example }];
}
//# sourceMappingURL=account.js.map
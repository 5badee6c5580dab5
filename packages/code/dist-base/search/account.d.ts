/** What a search has read, and what it left out, by reason. */
export interface Account {
    /** Files that were searched for words of the query, now or by an earlier call. */
    searched: number;
    /** Files and folders that `.gitignore` files, the names of dependencies or of secrets exclude. */
    ignored: number;
    /** Files and folders that could not be read. */
    unreadable: number;
    /** Files with words of the query that have no symbols, by reason. */
    unparsed: readonly Unparsed[];
    /** Files that were not read in time. The next search continues with them. */
    unread: number;
    /** Folders that are nested too deep. */
    tooDeep: number;
    /** True if there are too many files to search all of them. */
    isCut: boolean;
}
/** Files with words of the query whose symbols are not known, by the reason. */
export interface Unparsed {
    /** To follow a colon. */
    reason: string;
    files: number;
    /** One of the files. */
    example: string;
}
/** An account of a search that has not begun. */
export declare const emptyAccount: () => Account;
/** With one more file that was not parsed. */
export declare function addUnparsed(all: readonly Unparsed[], reason: string, example: string): readonly Unparsed[];
//# sourceMappingURL=account.d.ts.map
import { type Store } from '#base/sqlite-store';
import type { KnownSymbols } from '../outline/known-symbols.ts';
/** A file as the index knows it. */
export interface KnownFile {
    id: number;
    stamp: string;
}
/** Reads an index that workers, also those of other processes, fill. */
export declare class SymbolIndex {
    #private;
    static open(database: string): Promise<SymbolIndex | undefined>;
    constructor(store: Store);
    /** Reads what was indexed since. */
    refresh(): Promise<void>;
    /** What is known of a file, unless it has changed since, or so recently that it may again. */
    fresh(real: string, path: string): KnownFile | undefined;
    /** All files, also those that no longer exist. */
    get files(): ReadonlyMap<string, KnownFile>;
    /** True if most of what is stored is of former states of files. */
    get isWorn(): boolean;
    /** Files that define a name, in any spelling. */
    defining(name: string): Promise<Set<string>>;
    /** Files that define a name with a part that begins so. */
    definingPart(beginning: string): Promise<Set<string>>;
    /** Files that define a name that contains a text. */
    definingWithin(text: string): Promise<Set<string>>;
    /** The number of other names that contain a name. */
    namesWithin(name: string): Promise<number>;
    /** Files with a name in any spelling, also as a part of others, whatever it means there. */
    mentioning(name: string): Promise<Set<string>>;
    /** The files that a query describes, of those that are accepted. */
    describe(query: string, accept: (path: string) => boolean, maxResults: number): Promise<{
        paths: string[];
        weights: ReadonlyMap<string, number>;
    }>;
    symbolsOf(path: string): Promise<KnownSymbols | undefined>;
    close(): void;
}
//# sourceMappingURL=symbol-index.d.ts.map
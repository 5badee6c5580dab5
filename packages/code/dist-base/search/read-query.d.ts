import type { SymbolKind } from '../languages/language.ts';
/** A query in its parts. */
export interface FindQuery {
    /** A name, or words, without what follows here. */
    text: string;
    /** The kind that a keyword before the name, or a capital, asks for first. */
    prefers: 'type' | 'callable' | 'value';
    /** `*name*`: also names that only contain it. */
    isPart: boolean;
}
/** `class Pot`, `Pot`, `const LIMIT`, `*pot*`. */
export declare function readFindQuery(query: string): FindQuery;
export declare const callables: ReadonlySet<string>;
/** The group of a kind among those of one name, the preferred one first. */
export declare function kindRank(kind: SymbolKind | 'file', prefers: FindQuery['prefers']): number;
//# sourceMappingURL=read-query.d.ts.map
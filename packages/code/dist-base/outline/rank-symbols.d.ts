import { type Field } from '@pith-mcp/scorer';
import type { ListedSymbol } from './signature.ts';
/** Fields by which listed symbols are ranked. */
export declare const symbolFields: readonly Field<Pick<ListedSymbol, 'path' | 'signature'>>[];
/**
 * Symbols by the words of a query, best first. Of more than 5,000, those of the highest worth are
 * ranked, which by default is their number of words; `unranked` is the number of the others.
 */
export declare function rankSymbols<T>(symbols: readonly T[], query: string, fields: readonly Field<T>[], worthOf?: (symbol: T, index: number) => number): Promise<{
    ranked: T[];
    unranked: number;
}>;
//# sourceMappingURL=rank-symbols.d.ts.map
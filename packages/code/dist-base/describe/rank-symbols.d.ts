import type { CodeSymbol } from '../outline/source-file.ts';
type Extent = Pick<CodeSymbol, 'name' | 'start' | 'end' | 'parent'>;
/**
 * Indexes of the symbols of a file that a query describes, best first. The text of a symbol is what
 * no symbol inside it has; a comment belongs to the symbol after it. `weights` are those of `rankFiles`.
 */
export declare function rankDescribed(weights: ReadonlyMap<string, number>, text: string, symbols: readonly Extent[]): number[];
export {};
//# sourceMappingURL=rank-symbols.d.ts.map
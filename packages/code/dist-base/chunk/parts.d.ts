import type { CodeSymbol, SourceFile } from '../outline/source-file.ts';
import type { Span } from '../paging/cut-points.ts';
import type { Chunk } from './chunk.ts';
/**
 * Parts to jump to in a chunk of many pages, in order: its largest symbols; if there are few, its
 * long statements; if there are few of those too, the first lines of its pages. The list has at
 * most `tokens`.
 */
export declare function partsOf(file: SourceFile, symbol: CodeSymbol | undefined, span: Span, starts: readonly number[], tokens: number): Pick<Chunk, 'parts' | 'moreParts'>;
//# sourceMappingURL=parts.d.ts.map
import type { SourceFile } from '../outline/source-file.ts';
import { type Span } from './cut-points.ts';
/** Comments and attributes directly above a span, which are not part of it. */
export interface Leading {
    /** Line of the file, from 1. */
    startLine: number;
    text: string;
    /** Further lines were left out. */
    isCut?: true;
}
/** As many of the lines as fit into `tokens`; undefined if none fits. */
export declare function leadingOf(file: SourceFile, span: Span, tokens: number): Leading | undefined;
//# sourceMappingURL=leading.d.ts.map
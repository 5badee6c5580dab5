import type { SourceFile } from '../outline/source-file.ts';
import { type Span } from './cut-points.ts';
/** A line of the file that is repeated from an earlier page. */
export interface Breadcrumb {
    /** Line of the file, from 1. */
    line: number;
    text: string;
    /** Lines between this one and the next were left out. */
    isCut?: true;
}
/** Share of a page that may be repeated. */
export declare const maxRepeated = 0.2;
/**
 * The context of a page that begins at `position`: the signature, and the first lines of open
 * statements and blocks. If it exceeds `tokens`, the scopes in the middle are left out first, then
 * the signature except for its first line.
 */
export declare function breadcrumbs(file: SourceFile, span: Span, position: number, tokens: number): Breadcrumb[];
//# sourceMappingURL=breadcrumbs.d.ts.map
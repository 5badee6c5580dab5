import type { SourceFile } from '../outline/source-file.ts';
import { type PageSize } from '../text/page-size.ts';
import { type Breadcrumb } from './breadcrumbs.ts';
import { type Span } from './cut-points.ts';
import { type Leading } from './leading.ts';
/** One page of a span. Positions are UTF-16 offsets into the file. */
interface CodePage {
    start: number;
    end: number;
    /** Repeated lines from above the page. */
    crumbs: readonly Breadcrumb[];
    /** Comments above the first page. */
    leading?: Leading;
    /** Tokens for the list of parts; 0 except for the first of many pages. */
    partsBudget: number;
}
export interface Pages {
    /** Starts of the pages of a size, from the start of the span. Computed once. */
    starts(size: PageSize): readonly number[];
    /** The page that begins at an offset of the span; any offset is valid. */
    at(start: number, size: PageSize): CodePage;
    /** A size that does not exceed the maximum number of pages. */
    bounded(size: PageSize): PageSize;
    /** Estimated tokens of the span. */
    tokens(): number;
}
/** The pages of a part of a file, computed lazily. */
export declare function createPages(file: SourceFile, span: Span): Pages;
export {};
//# sourceMappingURL=pages.d.ts.map
import type { SourceFile } from '../outline/source-file.ts';
import { type CutPoints } from './cut-points.ts';
/**
 * Choose the end of a page between `from` and `limit`: the start of a statement near the end with
 * few open ones; else of a line outside strings and comments; else of any line; else between two
 * characters. Always after `from`.
 */
export declare function chooseCut(file: SourceFile, cuts: CutPoints, from: number, limit: number): number;
//# sourceMappingURL=choose-cut.d.ts.map
import { CodeError } from '../code-error.ts';
import type { CodeSymbol, SourceFile } from './source-file.ts';
/**
 * The symbols that a name may mean. It is a name path (`Class/method`, `method`, `name[1]`; `.` and
 * `::` also separate), a signature (`int f(int a)`) or a line (`line 120`). A full path wins over the
 * end of a path, and an exact match over one that ignores case.
 */
export declare function findSymbols(query: string, { symbols, values, text, lines }: SourceFile): Promise<readonly CodeSymbol[]>;
/** The error for a name of several symbols, with their lines. */
export declare function ambiguous(name: string, candidates: readonly CodeSymbol[], file: SourceFile): CodeError;
export declare function noSuchSymbol(name: string, { path, symbols, unparsed }: SourceFile): Promise<CodeError>;
//# sourceMappingURL=find-symbols.d.ts.map
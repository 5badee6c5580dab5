import type { Language } from '../languages/language.ts';
import { type ParsedTree } from './parsed.ts';
/**
 * Where the parser failed: find the ends of functions by their braces, their statements, and lost
 * functions. Correctly parsed parts are unchanged.
 */
export declare function recoverFunctions(parsed: ParsedTree, text: string, language: Language): ParsedTree;
//# sourceMappingURL=recover-functions.d.ts.map
import type { Tree } from 'web-tree-sitter';
import type { Language } from '../languages/language.ts';
import type { Definition } from './parsed.ts';
/**
 * Constants, variables, fields and other definitions outside functions that an outline lacks, with
 * their name paths: those that the statements and members of a file begin.
 */
export declare function readValues(tree: Tree, text: string, language: Language, definitions: readonly Definition[]): Definition[];
//# sourceMappingURL=read-values.d.ts.map
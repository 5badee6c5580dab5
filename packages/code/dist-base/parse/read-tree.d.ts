import type { Language as Grammar, Tree, TreeCursor } from 'web-tree-sitter';
import type { Language } from '../languages/language.ts';
import type { Parsed } from './parsed.ts';
import type { TreeDefinitions } from './read-definitions.ts';
/** Which nodes have statements or members as children, and which children are those. */
export interface ListRules {
    /** By node type: 0 for none. */
    lists: Int32Array;
    /** True if the node of a cursor is one in a list. */
    isList: (list: number, cursor: TreeCursor) => boolean;
}
export declare function listRulesOf(grammar: Grammar, language: Language): ListRules;
/**
 * Find where a file may be cut, in one walk over the tree; undefined if `isOver` returns true.
 * `behind`: as of {@link TreeDefinitions}. Linear in the number of nodes, without recursion.
 */
export declare function readTree(tree: Tree, text: string, language: Language, behind: TreeDefinitions['behind'], isOver: () => boolean): Parsed | undefined;
//# sourceMappingURL=read-tree.d.ts.map
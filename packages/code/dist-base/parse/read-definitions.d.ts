import type { Tree } from 'web-tree-sitter';
import { type Language } from '../languages/language.ts';
import type { Definition } from './parsed.ts';
/** The definitions of a tree, in the order of the file, parents before children. */
export interface TreeDefinitions {
    definitions: Definition[];
    /** Ends of those whose body is a sibling behind their node, by the id of the node. */
    behind: ReadonlyMap<number, number>;
}
/**
 * Find the definitions of a file; undefined if `isOver` returns true. The walk over the tree is
 * within WebAssembly, and only the nodes that may matter leave it.
 */
export declare function readDefinitions(tree: Tree, text: string, language: Language, isOver: () => boolean): TreeDefinitions | undefined;
//# sourceMappingURL=read-definitions.d.ts.map
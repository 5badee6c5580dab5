import type { Node } from 'web-tree-sitter'
import type { SymbolKind } from './symbol-kind.ts'

/** How a node of the tree becomes a symbol. */
export interface DefinitionRule {
  kind: SymbolKind | ((node: Node) => SymbolKind)
  /**
   * The field with the name, or what reads it: parts of a name path are separated by `/`. Default
   * the field `name`. Nodes without a name are none.
   */
  name?: string | ((node: Node) => string | undefined)
  /** The field that makes it a definition by being of one of some types. */
  when?: { field: string; types: readonly string[] }
  /** The field with the body, behind the signature, or what finds it. Default `body`. */
  body?: string | ((node: Node) => Node | null)
  /** Says less than a body elsewhere in the file: given only where there is none of that name. */
  isPrototype?: true
}

/** Signs that a scanner of braces has to know, for where the parser failed. */
export interface Lexis {
  /** `#if` and `#else` choose between texts; only the first counts. */
  hasPreprocessor: boolean
  /** A function is a name, parentheses and a brace, so that one that was lost can be found. */
  hasFunctions?: true
  /** Whether `'` opens a character, and not also a lifetime or label. */
  hasLifetimes?: true
  /** `R"x(…)x"`. */
  hasRawStrings?: true
  /** `"""…"""`. */
  hasTextBlocks?: true
  /** `` `…` `` without escapes. */
  hasBackticks?: true
  /** `@"…"`, in which `""` is a quotation mark. */
  hasVerbatim?: true
}

/** One language: what in its tree is a definition, and where its text may be cut. */
export interface Language {
  /** As a code fence names it. */
  name: string
  /** The file of its grammar in `grammars/`, without `.wasm`. */
  grammar: string
  /** With the dot, in lower case. */
  extensions: readonly string[]
  filenames?: readonly string[]
  /** Programs a script of it names in its first line. */
  interpreters?: readonly string[]
  definitions: Readonly<Record<string, DefinitionRule>>
  /**
   * Nodes whose named children are statements or members, between which a page may end. Where not
   * all children are, the field of those that are, or of those that are not, behind a `!`.
   */
  lists: Readonly<Record<string, true | string>>
  /** Nodes that belong to the definition that is in them: `export`, decorators. */
  wrappers: readonly string[]
  /** Nodes that, as comments do, belong to what stands below them. */
  leads?: readonly string[]
  /** Nodes that are one token, however many lines they have. */
  tokens: readonly string[]
  lexis?: Lexis
  /**
   * The first line of a definition, with a group `name`, and `class` where it is no function: finds
   * by its indentation what was lost where the parser failed, instead of by braces.
   */
  headers?: RegExp
}

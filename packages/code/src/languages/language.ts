import type { Node } from './node.ts'
import type { SymbolKind } from './symbol-kind.ts'

/** How a node of the syntax tree becomes a symbol. */
export interface DefinitionRule {
  kind: SymbolKind | ((node: Node) => SymbolKind)
  /**
   * The field with the name, or a function that returns it: parts of a name path are separated by
   * `/`. Default: the field `name`. Nodes without a name are not symbols.
   */
  name?: string | ((node: Node) => string | undefined)
  /** The node is a definition only if this field has one of these types. */
  when?: { field: string; types: readonly string[] }
  /** The field with the body, or a function that returns it. Default `body`. */
  body?: string | ((node: Node) => Node | null)
  /** A declaration without a body: a symbol only if the file has no definition of that name. */
  isPrototype?: true
}

/** Lexical features for the brace scanner, which is used where the parser failed. */
export interface Lexis {
  /** `#if` and `#else` select between texts; only the first one counts. */
  hasPreprocessor: boolean
  /** A function is a name, parentheses and a brace, so lost functions can be found. */
  hasFunctions?: true
  /** A `'` may begin a lifetime or label instead of a character. */
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

/** The kind of a definition that outlines lack. */
export type ValueKind = 'constant' | 'variable' | 'field' | 'enum member' | 'macro' | 'type'

/** `member`: in a type, but no member of an enumeration. */
export type Place = 'top' | 'member' | 'enum'

/** Statements or members that define values, by how they begin. */
export interface ValueRule {
  /** Tried on the text of a statement; the names are behind the match. */
  at: RegExp
  /** A variable in a type is a field. */
  kind: ValueKind
  /** Where such a statement may be; by default anywhere outside functions. */
  place?: readonly Place[]
  /** The begin of the statement around it. */
  in?: RegExp
  /**
   * `first`: the first word of each declarator, which is the default. `one`: that of the first one.
   * `last`: a type, and the name behind it. `behind`: behind a body.
   */
  names?: 'first' | 'one' | 'last' | 'behind'
  /** Finds all names instead; ends with the name, as its first group. */
  items?: RegExp
  /** A variable in capitals is a constant. */
  hasCapitals?: true
}

/** One language: the definitions in its syntax tree, and where its text may be cut. */
export interface Language {
  /** Name in a code fence. */
  name: string
  /** File of the grammar in `grammars/`, without `.wasm`. Default: the name. */
  grammar?: string
  /** With the dot, in lower case. */
  extensions: readonly string[]
  filenames?: readonly string[]
  /** Programs in the shebang line of scripts. */
  interpreters?: readonly string[]
  definitions: Readonly<Record<string, DefinitionRule>>
  /**
   * Nodes whose named children are statements or members, between which a page may end. If not all
   * children are, the field of those that are, or, after a `!`, of those that are not.
   */
  lists: Readonly<Record<string, true | string>>
  /** Nodes around a definition that belong to it: `export`, decorators. */
  wrappers?: readonly string[]
  /** Nodes that, like comments, belong to what follows them. */
  leads?: readonly string[]
  /** Nodes that are one token, even over several lines. */
  tokens: readonly string[]
  /** Tokens that may contain code, as in `${…}`: what is defined there is not a symbol. */
  interpolated?: readonly string[]
  lexis?: Lexis
  /** What the parser sees of a text in several languages: as long, with its lines. */
  regions?: (text: string) => string
  /**
   * What the grammar does not know, and what the parser sees instead: no longer, and padded with
   * blanks. Neither may open or close a block. Linear in the length of a text.
   */
  substitutes?: readonly (readonly [unknown: RegExp, known: string])[]
  /**
   * The first line of a definition, with a group `name`, and `class` if it is not a function. Where
   * the parser failed, lost definitions are found by it and by indentation instead of braces.
   */
  headers?: RegExp
  /** Values; the first rule counts. What `groups` match at their begin, as `if`, may hold some. */
  values?: {
    rules: readonly ValueRule[]
    groups?: RegExp
    /** Macros, wherever they are; ends with the name, as its first group. */
    directives?: RegExp
  }
  /** `<<END` begins a text that ends with a line `END`. */
  hasHereDocuments?: true
}

const maxNameLength = 120

/** The text of a name, on one line. */
export const nameText = (node: Node | null): string | undefined =>
  node ? node.text.replace(/\s+/g, ' ').slice(0, maxNameLength) || undefined : undefined

/** Keywords that an erroneous tree contains as function names. */
const isControl = /^(?:if|else|for|while|do|switch|case|catch|return|sizeof|defined)$/

/** Type words that precede parentheses in declarations of function pointers. */
export const isTypeWord = (word: string): boolean =>
  /^(?:void|int|char|short|long|float|double|unsigned|signed|const|struct|union|enum)$/.test(word)

/** Name of a function that returns a function pointer: `void (*name(int))(void)`. */
export const nameBehindPointer = (header: string): string | undefined =>
  /\(\s*\*+\s*(\w+)\s*\(/.exec(header)?.[1]

/** Characters of a header that are searched for a name. */
export const maxHeaderLength = 2_000

/** The name inside nested C declarators: pointers, parentheses, arrays. */
export function declaratorName(node: Node): string | undefined {
  let at = node.childForFieldName('declarator')
  let isFunction = false
  for (let depth = 0; at && depth < 32; depth++) {
    if (at.type === 'function_declarator') isFunction = true
    if (at.type === 'operator_cast') return `operator ${nameText(at.childForFieldName('type'))}`
    const inner: Node | null =
      at.childForFieldName('declarator') ??
      (/_declarator$/.test(at.type) ? at.firstNamedChild : null)
    if (!inner) break
    at = inner
  }
  if (at?.type === 'qualified_identifier') {
    const last = lastOfQualified(at)
    if (last.type === 'operator_cast') {
      const scope = at.text.slice(0, last.startIndex - at.startIndex)
      return qualifiedPath(`${scope}operator ${nameText(last.childForFieldName('type'))}`)
    }
  }
  if (!at || !isFunction || isControl.test(at.text)) return undefined
  if (isTypeWord(at.text)) return nameBehindPointer(node.text.slice(0, maxHeaderLength))
  return qualifiedPath(nameText(at))
}

/** `A::B::operator bool` ends with `operator bool`. */
function lastOfQualified(node: Node): Node {
  let at = node
  for (let next: Node | null = at; next?.type === 'qualified_identifier'; at = next ?? at)
    next = at.childForFieldName('name')
  return at
}

/** A macro that is called, such as `TEST`. */
export const isMacroName = (word: string): boolean => /^[A-Z][A-Z\d_]*$/.test(word)

/** What a macro with these arguments defines: `Suite, Name`, `name, …`, `"a text"`. */
export function nameOfArguments(list: string): string | undefined {
  const quoted = /^\s*"((?:[^"\\]|\\.){1,120})"/.exec(list)?.[1]
  if (quoted) return quoted
  const words = list.split(',').map((word) => word.trim())
  if (!/^[A-Za-z_]\w*$/.test(words[0] ?? '') || isTypeWord(words[0] ?? '')) return undefined
  return words.length === 2 && /^\w+$/.test(words[1] ?? '') ? words.join('/') : words[0]
}

/** `::A<T>::b` becomes `A/b`; `operator<` is unchanged. */
export function qualifiedPath(name: string | undefined): string | undefined {
  const [, scope = '', operator = ''] = /^(.*?)(\boperator\b.*)?$/s.exec(name ?? '') ?? []
  let path = scope
  for (let before = ''; before !== path; ) {
    before = path
    path = path.replace(/\s*<[^<>]*>/g, '')
  }
  // Arguments that were cut off are no part of the name.
  path = path.replace(/\s*<.*$/s, '')
  // What is before a blank is a type that the parser did not know as one.
  path = path
    .replace(/\s*::\s*/g, '::')
    .trim()
    .replace(/^.*\s(?=\S)/s, '')
  const parts = [...path.split('::'), operator.replace(/\s+(?=\W)/g, '')]
  return parts.filter((part) => part.trim() !== '').join('/') || undefined
}

/** `a.b.c`, `A.prototype.b`, `M:f`, `M["f"]` as name paths. */
export function memberPath(node: Node | null): string | undefined {
  const parts = nameText(node)
    ?.replace(/\[\s*(["'])([\w$-]+)\1\s*\]/g, '.$2')
    .split(/[.:]/)
    .map((part) => part.trim())
  return parts?.filter((part) => part !== 'prototype' && part !== 'this' && part !== '').join('/')
}

/** Name of a module or type: `A.B`, `A::B` and `A\B` as name paths. */
export const scopedName = (node: Node): string | undefined =>
  nameText(node.childForFieldName('name'))
    ?.split(/\s*(?:::|[.\\])\s*/)
    .filter((part) => part !== '')
    .join('/')

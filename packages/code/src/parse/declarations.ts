/** What a file declares under one name, once. */
export interface Declaration {
  name: string
  kind: 'function' | 'class' | 'interface' | 'enum' | 'type' | 'module' | 'value'
  /** Of its text without the body, and without that of an object type whose members are listed. */
  signature: string
  /** The text of its documentation, with the marks of the comment or the string; empty without one. */
  comment: string
  /** Other files can name it. */
  isExported: boolean
  /** Private or protected. */
  isHidden: boolean
  /** Names of the types that it extends. */
  bases: string[]
  /** In the order of the file: of a type, an enumeration, a namespace, or a value of an object type. */
  members: Declaration[]
  /** Of a namespace: what it lists under other names. */
  listed: ListedName[]
}

/** A name that a list of exports or imports has; `*` for all of a file. */
export interface ListedName {
  name: string
  as: string
  /** The module; absent if it is the same file. */
  from?: string
}

/** What a file declares, and what it takes from others. */
export interface DeclaredModule {
  declarations: Declaration[]
  /** `export { a as b } from`, `export * as a from`, `export =`, as `export=`. */
  exports: ListedName[]
  /** Modules all of whose names are exported; files that belong to it. */
  stars: string[]
  imports: ListedName[]
  /** The parser failed in parts of the file. */
  hasErrors: boolean
}

/** In characters: of one signature or comment. */
const maxText = 20_000

export const declarationOf = (
  name: string,
  kind: Declaration['kind'],
  facts: Partial<Declaration>,
): Declaration => ({
  name: name.slice(0, 200),
  kind,
  isExported: true,
  isHidden: false,
  bases: [],
  members: [],
  listed: [],
  ...facts,
  signature: (facts.signature ?? '').slice(0, maxText),
  comment: (facts.comment ?? '').slice(0, maxText),
})

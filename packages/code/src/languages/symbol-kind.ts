/** The kind of a definition, in terms common to all languages. */
export type SymbolKind =
  | 'function'
  | 'method'
  | 'constructor'
  | 'accessor'
  | 'class'
  | 'interface'
  | 'struct'
  | 'enum'
  | 'impl'
  | 'extension'
  | 'module'
  | 'type'
  | 'macro'
  | 'constant'
  | 'variable'
  | 'field'
  | 'enum member'

/** Kinds of what may be called. */
export const callableKinds: ReadonlySet<string> = new Set<SymbolKind>([
  'function',
  'method',
  'constructor',
  'accessor',
])

/** Kinds of what has members, or names a type. */
export const typeKinds: ReadonlySet<string> = new Set<SymbolKind>([
  'class',
  'interface',
  'struct',
  'enum',
  'type',
  'module',
  'impl',
  'extension',
])

/** True for a kind in whose body definitions are local. */
export const isCode = (kind: SymbolKind): boolean => callableKinds.has(kind) || kind === 'macro'

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
  | 'module'
  | 'type'
  | 'macro'

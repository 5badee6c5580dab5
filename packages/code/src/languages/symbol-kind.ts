/** What a definition is, in words that all languages share. */
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

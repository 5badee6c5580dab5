/** What a declaration file says of its exports, by its statements at the beginning of a line. */
export interface ModuleSyntax {
  /** `export * from`, with the name of `export * as`. */
  stars: { from: string; as?: string }[]
  /** `export { a as b }`, with `from` or without, by its exported name. */
  names: Map<string, { name: string; from?: string }>
  /** What `import` binds, by local names; `*` for `import * as`. */
  imports: Map<string, { name: string; from: string }>
  /** Names declared with `export`, and all names if nothing is exported expressly. */
  isExported(name: string): boolean
  /** Constants: their statements, by name. Outlines do not list them. */
  constants: Map<string, { at: number; text: string }>
}

const comment = /\/\*[\s\S]*?\*\/|\/\/.*|(["'`])(?:\\.|(?!\1)[^\\\n])*\1/g
const statement =
  /^(?:(export|import)\s+(?:type\s+)?(?:(\*)(?:\s+as\s+([\w$]+))?|([\w$]+)?\s*,?\s*(?:\{([^}]*)\})?)\s*(?:from\s*(["'])([^"'\n]+)\6)?\s*(?:;|$)|export\s*=\s*([\w$.]+)|export\s+default\s+([\w$]+)\s*;)/gm
const constant = /^(export\s+)?(?:declare\s+)?(?:const|let|var)\s+([\w$]+)\s*[:=;]/gm
const declared =
  /^export\s+(?:declare\s+)?(?:default\s+)?(?:abstract\s+|async\s+)*(?:function\*?|class|interface|type|enum|const enum|namespace|module|const|let|var)\s+([\w$]+)/gm
/** What belongs to the file, too. */
const reference = /^\/\/\/\s*<reference\s+path="([^"\n]+)"/gm
/** In characters: one statement. */
const maxStatement = 4_000

export function readModule(text: string): ModuleSyntax {
  const bare = text.replace(comment, (match) =>
    match.startsWith('/') ? match.replace(/[^\n]/g, ' ') : match,
  )
  const stars: ModuleSyntax['stars'] = []
  const names: ModuleSyntax['names'] = new Map()
  const imports: ModuleSyntax['imports'] = new Map()
  for (const match of bare.matchAll(statement)) {
    const [, kind, star, starName, single, list, , from, assigned, isDefault] = match
    const pairs = pairsOf(list ?? '')
    if (assigned) names.set('export=', { name: assigned.split('.')[0] ?? assigned })
    else if (isDefault) names.set('default', { name: isDefault })
    else if (kind === 'import' && from) {
      if (single) imports.set(single, { name: 'default', from })
      if (star && starName) imports.set(starName, { name: '*', from })
      for (const [name, as] of pairs) imports.set(as, { name, from })
    } else if (kind === 'export' && star && from)
      stars.push({ from, ...(starName && { as: starName }) })
    else if (kind === 'export')
      for (const [name, as] of pairs) names.set(as, { name, ...(from && { from }) })
  }
  const exported = new Set([...bare.matchAll(declared)].map(([, name = '']) => name))
  const isExpress = exported.size + names.size + stars.length > 0
  for (const [, path = ''] of text.matchAll(reference)) stars.push({ from: `./${path}` })
  const constants: ModuleSyntax['constants'] = new Map()
  for (const { index, 2: name = '' } of bare.matchAll(constant))
    if (!constants.has(name)) constants.set(name, { at: index, text: statementAt(bare, index) })
  return {
    stars,
    names,
    imports,
    constants,
    isExported: (name) => !isExpress || exported.has(name),
  }
}

const pairsOf = (list: string): [name: string, as: string][] =>
  list.split(',').flatMap((part): [string, string][] => {
    const [, name, as] = /^\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(part) ?? []
    return name === undefined ? [] : [[name, as ?? name]]
  })

/** Up to the semicolon outside of brackets, or the end of a line that ends a value. */
function statementAt(text: string, start: number): string {
  let depth = 0
  const end = Math.min(text.length, start + maxStatement)
  for (let at = start; at < end; at++) {
    const sign = text[at] ?? ''
    if ('([{'.includes(sign)) depth++
    else if (')]}'.includes(sign)) depth--
    else if (sign === ';' && depth === 0) return text.slice(start, at)
  }
  return text.slice(start, end)
}

/** What a declaration file says of its exports, by its statements at the beginning of a line. */
export interface ModuleSyntax {
  /** `export * from`, with the name of `export * as`. */
  stars: { from: string; as?: string | undefined }[]
  /** `export { a as b }`, with `from` or without, by its exported name. */
  names: Map<string, { name: string; from?: string | undefined }>
  /** What `import` binds, by local names; `*` for `import * as`. */
  imports: Map<string, { name: string; from: string }>
  /** Names declared with `export`, and all names if nothing is exported expressly. */
  isExported(name: string): boolean
  /** Constants: their lines, from 1, and statements. Outlines do not list them. */
  constants: Map<string, { line: number; text: string }>
}

/** What is not closed reaches to the end, so that each character is read once. */
const comment =
  /\/\*(?:[\s\S]*?\*\/|[\s\S]*$)|\/\/.*|(["'`])(?:\\.|(?!\1)[^\\\n])*(?:\1|(?=\n)|$|\\)/g
const statement =
  /^(?:(export|import) (?:type )?(?:(\*)(?: as ([\w$]+))?|([\w$]+)? ?,? ?(?:\{([^{};]*)\})?)\s?(?:from ?(["'])([^"'\n]+)\6)?\s?(?:;|$)|export ?= ?([\w$.]+)|export default ([\w$]+) ?;)/gm
const required = /^import ([\w$]+) = require\( ?(["'])([^"'\n]+)\2 ?\)/gm
const constant = /^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+([\w$]+)\s*[:=;]/gm
const declared =
  /^export (?:declare )?(?:default )?(?:abstract |async ){0,2}(?:function\*?|class|interface|type|enum|const enum|namespace|module|const|let|var) ([\w$]+)/gm
const defaultDeclaration =
  /^export default (?:abstract |async ){0,2}(?:function\*?|class|interface) ([\w$]+)/gm
/** What belongs to the file, too. */
const reference = /^\/\/\/ ?<reference path="([^"\n]+)"/gm
/** In characters: one statement. */
const maxStatement = 4_000

export function readModule(text: string): ModuleSyntax {
  const bare = text.replace(comment, (match) =>
    match.startsWith('/') ? match.replace(/[^\n]/g, ' ') : match,
  )
  // Runs of white space would take time that grows with their square.
  const compact = bare.replace(/\s+/g, (blank) =>
    blank.includes('\n') ? (blank.endsWith('\n') ? '\n' : '\n ') : ' ',
  )
  const syntax = statementsOf(compact)
  const { names, stars } = syntax
  const exported = new Set([...compact.matchAll(declared)].map(([, name = '']) => name))
  const isExpress = exported.size + names.size + stars.length > 0
  for (const [, path = ''] of text.matchAll(reference)) stars.push({ from: `./${path}` })
  const isExported = (name: string): boolean => !isExpress || exported.has(name)
  return { ...syntax, constants: constantsOf(bare), isExported }
}

function statementsOf(text: string): Pick<ModuleSyntax, 'stars' | 'names' | 'imports'> {
  const stars: ModuleSyntax['stars'] = []
  const names: ModuleSyntax['names'] = new Map()
  const imports: ModuleSyntax['imports'] = new Map()
  for (const match of text.matchAll(statement)) {
    const [, kind, star, starName, single, list, , from, assigned, isDefault] = match
    const pairs = pairsOf(list ?? '')
    if (assigned) names.set('export=', { name: assigned.split('.')[0] ?? assigned })
    else if (isDefault) names.set('default', { name: isDefault })
    else if (kind === 'import' && from) {
      const all = [...pairs, ['default', single] as const, ['*', starName] as const]
      for (const [name, as] of all) if (as) imports.set(as, { name, from })
    } else if (star && from) stars.push({ from, as: starName })
    else if (kind === 'export') for (const [name, as] of pairs) names.set(as, { name, from })
  }
  for (const [, name = ''] of text.matchAll(defaultDeclaration)) names.set('default', { name })
  for (const [, name = '', , from = ''] of text.matchAll(required))
    imports.set(name, { name: 'export=', from })
  return { stars, names, imports }
}

function constantsOf(text: string): ModuleSyntax['constants'] {
  const constants: ModuleSyntax['constants'] = new Map()
  let line = 1
  let from = 0
  for (const { index, 1: name = '' } of text.matchAll(constant)) {
    for (; from < index; from++) if (text[from] === '\n') line++
    if (!constants.has(name)) constants.set(name, { line, text: statementAt(text, index) })
  }
  return constants
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

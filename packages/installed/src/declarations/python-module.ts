import type { OutlineEntry } from '@pith-mcp/code'
import type { DeclaredMember } from '../libraries/declarations.ts'
import { signatureOf } from './signature-of.ts'

/** `f` of `f[1]`. */
export const bareOf = (path: string): string => path.replace(/\[\d+\]$/, '')

/** What a module imports from others of its distribution. */
export interface PythonImports {
  /** By the names that are bound here; `a as a` is a re-export in stubs. */
  names: Map<string, { module: string; name: string; isReexport: boolean }>
  /** Modules of `from … import *`. */
  stars: string[]
  /** What `__all__` lists; undefined without it, or if it is computed. */
  all: ReadonlySet<string> | undefined
}

/** In characters: one list of imports or of `__all__`. */
const maxList = 40_000
const importFrom = new RegExp(
  String.raw`^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]{0,${maxList}})\)|((?:[^\n\\(]|\\\n)+))`,
  'gm',
)
const allList = new RegExp(
  String.raw`^__all__(?:[ \t]*:[^=\n]*)?[ \t]*\+?=[ \t]*[[(]([^\])]{0,${maxList}})[\])]`,
  'gm',
)
/** Also those that take the lists of other modules. */
const allStatement = /^__all__\b(?!\.(?:append|remove))[^\n]*/gm

/** `package` is the name that relative imports of the module begin from. */
export function importsOf(text: string, package_: string): PythonImports {
  const names: PythonImports['names'] = new Map()
  const stars: string[] = []
  for (const [, from = '', list, line] of text.matchAll(importFrom)) {
    const module = absoluteName(from, package_)
    const parts = (list ?? line ?? '').replace(/#.*$/gm, '').replaceAll('\\\n', ' ').split(',')
    for (const part of parts) {
      const [, name, as] = /^\s*(\w+|\*)(?:\s+as\s+(\w+))?\s*$/.exec(part) ?? []
      if (name === '*') stars.push(module)
      else if (name !== undefined) names.set(as ?? name, { module, name, isReexport: as === name })
    }
  }
  const lists = [...text.matchAll(allList)]
  const isComplete = lists.length > 0 && lists.length === [...text.matchAll(allStatement)].length
  const items = lists.flatMap(([, list = '']) => [...list.matchAll(/(["'])(\w+)\1/g)])
  const all = isComplete ? new Set(items.map(([, , name = '']) => name)) : undefined
  return { names, stars, all }
}

/** Of a relative name, `package` without as many parts as it has dots beyond the first. */
function absoluteName(name: string, package_: string): string {
  const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(name) ?? []
  if (dots === '') return name
  const parts = package_.split('.')
  const base = parts.slice(0, parts.length - dots.length + 1)
  return [...base, ...(rest === '' ? [] : [rest])].join('.')
}

export const isPublic = (name: string): boolean => !name.startsWith('_')

const assignment = /^([ \t]*)([a-z]\w*)[ \t]*(?::(?!=)[ \t]*[^=\n#]+)?(?:=(?!=)[^\n]*)?$/i

/** Names that the lines of one level of indentation assign or annotate, by name. */
export function assignmentsIn(
  lines: readonly string[],
  indent: number,
  isFree: (at: number) => boolean,
): DeclaredMember[] {
  const members = new Map<string, DeclaredMember>()
  for (const [at, line] of lines.entries()) {
    const [text, blank = '', name = ''] = assignment.exec(line) ?? []
    if (text === undefined || blank.length !== indent || !/[:=]/.test(text)) continue
    if (members.has(name) || keyword.test(name) || !isFree(at)) continue
    members.set(name, { name, signatures: [signatureOf(text)], comment: '' })
  }
  return [...members.values()]
}

const keyword = /^(?:class|def|else|try|finally|if|for|while|with|return|import|from|match|case)$/

/** Public methods and attributes of a class, in the order of its lines. */
export function membersOf(
  holder: OutlineEntry,
  entries: readonly OutlineEntry[],
  lines: readonly string[],
): DeclaredMember[] {
  const within = entries.filter(
    ({ path, depth }) => depth === holder.depth + 1 && path.startsWith(`${holder.path}/`),
  )
  const methods = within.flatMap(({ path, signature }): DeclaredMember[] => {
    const name = bareOf(path.slice(holder.path.length + 1))
    if (!isPublic(name) && name !== '__init__' && name !== '__call__') return []
    return [{ name, signatures: [signatureOf(signature)], comment: '' }]
  })
  const names = new Set(methods.map(({ name }) => name))
  const body = lines.slice(holder.startLine, holder.endLine)
  const indent = (body.find((line) => line.trim() !== '') ?? '').search(/\S/)
  const isFree = (at: number) => !isWithin(within, holder.startLine + 1 + at)
  const attributes = assignmentsIn(body, indent, isFree).filter(({ name }) => !names.has(name))
  return [...attributes, ...methods]
}

export const isWithin = (entries: readonly OutlineEntry[], line: number): boolean =>
  entries.some(({ startLine, endLine }) => startLine <= line && line <= endLine)

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

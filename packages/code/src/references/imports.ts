import { dirname, join } from 'node:path/posix'
import type { Language } from '../languages/language.ts'

/** A statement by which a file takes names from other files, or passes them on. */
export interface Import {
  start: number
  end: number
  /** Where from, as written: `./a.ts`, `pkg/sub`, `..models`; in JavaScript and Python only. */
  specifier?: string
  isExport: boolean
  /** `*` is all of them, `default` the default one. */
  names: readonly ImportedName[]
}

interface ImportedName {
  original: string
  local: string
  /** It may stand for the module as a whole. */
  isModule: boolean
}

// Each attempt ends where the next one may begin, and no text can be read in two ways, so that
// none takes more than linear time.
const inList = String.raw`(?:[^'"=;()\n\/${'`'}]|\/(?!\/)|\/\/[^\n]*$|\n(?![ \t]*(?:import|export)\b)){0,20000}?`
const bound = String.raw`(?<list>[\w$]+|\{[^{};]{0,20000}\})`
const from = String.raw`['"](?<from>[^'"\n]+)['"]`
const javascript = [
  String.raw`(?:^|;)[ \t]*(?:import|export)\b(?<list>${inList})\bfrom\s*${from}`,
  String.raw`^[ \t]*export\s*(?:type\s*)?(?<list>\{[^{}]{0,20000}\})`,
  String.raw`\b(?:const|let|var|import)\s+${bound}\s*=\s*(?:await\s+)?(?:[\w$]+\.)?(?:import|require)\w*\s*(?:<[^<>\n]{0,200}>)?\(\s*${from}`,
  String.raw`\bimport\s*\(\s*${from}\s*\)\s*\.then\(\s*(?:async\s*)?\(?\s*${bound}`,
]
const python = [
  String.raw`^[ \t]*from[ \t]+(?<from>[\w.]+)[ \t]+import\b[ \t]*(?<list>\((?:[^()#\n]|#[^\n]*$|\n(?![ \t]*(?:from|import|def|class)\b)){0,20000}|(?:[^\n#\\(;]|\\\r?\n)+)`,
  String.raw`^[ \t]*import[ \t]+(?<module>[^\n#;]+)`,
]
const otherStatements = [
  String.raw`^[ \t]*(?:import|#[ \t]*include)\b[^\n]*`,
  String.raw`^[ \t]*using[ \t]+(?:namespace[ \t]+|static[ \t]+)?[\w.:]+;`,
]
const statements: Readonly<Record<string, readonly string[]>> = {
  javascript,
  typescript: javascript,
  tsx: javascript,
  vue: javascript,
  svelte: javascript,
  astro: javascript,
  html: javascript,
  python,
  rust: [
    String.raw`^[ \t]*(?:pub(?:\([^()\n]*\))?[ \t]+)?use\b(?:[^;\n]|\n(?![ \t]*(?:pub\b|use\b))){0,20000};`,
  ],
  php: [String.raw`^use\b(?:[^;\n]|\n(?!use\b)){0,20000};`],
}

/** The statements of a file that import or re-export names. */
export function importsIn(text: string, { name }: Language): Import[] {
  const all = (statements[name] ?? otherStatements).flatMap((statement) =>
    [...text.matchAll(new RegExp(statement, 'gm'))].map((match): Import => {
      const { list = '', from: specifier, module } = match.groups ?? {}
      const span = { start: match.index, end: match.index + match[0].length }
      const isExport = /^[;\s]*export/.test(match[0])
      if (module !== undefined) return { ...span, isExport, names: wholeModules(module) }
      const names = namesIn(list, name === 'python')
      return { ...span, isExport, names, ...(specifier !== undefined && { specifier }) }
    }),
  )
  return all.sort((a, b) => a.start - b.start)
}

function namesIn(list: string, isPython: boolean): Import['names'] {
  const code = list.replace(isPython ? /#[^\n]*|[()\\]/g : /\/\/[^\n]*|\/\*[^*]*\*\//g, ' ')
  let isOutside = true
  return code.split(',').flatMap((item) => {
    if (item.includes('{')) isOutside = false
    const [, original = '', local = original] =
      /^(?:(?:type|typeof)\s+(?=[\w$*]))?([\w$]+|\*)(?:(?:\s+as\s+|\s*:\s*)([\w$]+))?/.exec(
        item.replace(/[{}]/g, ' ').trim(),
      ) ?? []
    if (original === '') return []
    const isDefault = isOutside && !isPython && original !== '*'
    return [{ original: isDefault ? 'default' : original, local, isModule: isPython || isOutside }]
  })
}

/** `import a.b` makes `a` known, `import a.b as c` makes `c`. */
const wholeModules = (list: string): Import['names'] =>
  list.split(',').flatMap((item) => {
    const [, path = '', alias] = /^\s*([\w.]+)(?:\s+as\s+(\w+))?/.exec(item) ?? []
    const [first = ''] = path.split('.')
    return first === ''
      ? []
      : [{ original: alias === undefined ? first : path, local: alias ?? first, isModule: true }]
  })

/** The module of Python that `from specifier import name` may take. */
export const moduleOf = (specifier: string | undefined, name: string): string =>
  specifier === undefined ? name : `${specifier}${/\.$/.test(specifier) ? '' : '.'}${name}`

/** True if a file is at the end of a path: `src/lib/a` at `lib/a`. */
export const isAt = (stem: string, end: string): boolean =>
  `/${stem}`.replace(/\/(?:src|lib)$/, '').endsWith(`/${end}`) || `/${stem}`.endsWith(`/${end}`)

/** The path of a file without its extension; that of its folder for an index. */
export const stemOf = (path: string): string =>
  path
    .replace(/\.[cm]?[jt]sx?$|\.pyi?$/, '')
    .replace(/(?:^|\/)(?:index|__init__)$|\/$/, '')
    .replace(/^\.$/, '')

/** The stems that a specifier may mean; undefined for a package of JavaScript. */
export function stemsOf(
  specifier: string,
  from: string,
  roots: readonly string[],
  isPython: boolean,
): string[] | undefined {
  const folder = dirname(from)
  if (!isPython)
    return /^\.\.?(?:\/|$)/.test(specifier) ? [stemOf(join(folder, specifier))] : undefined
  const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(specifier) ?? []
  const path = rest.replaceAll('.', '/')
  if (dots !== '') return [stemOf(join(folder, '../'.repeat(dots.length - 1), path))]
  return roots.map((root) => root + path)
}

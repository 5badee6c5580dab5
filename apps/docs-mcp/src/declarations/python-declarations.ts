import type { OutlineEntry } from '@pith-mcp/code'
import type { DeclaredMember, DeclaredName, DescribedDeclarations } from '@pith-mcp/docs'
import { docstringIn } from './doc-comment.ts'
import { bareOf, type PackageReader } from './export-graph.ts'
import { signatureOf } from './signature-of.ts'

const maxNames = 4_000

/** The public definitions of modules, under the shortest name that a package gives them. */
export async function pythonDeclarations(
  modules: readonly { name: string; file: string }[],
  reader: PackageReader,
): Promise<DescribedDeclarations> {
  const names = new Map<string, string>()
  const all: DeclaredName[] = []
  let omitted = 0
  for (const { name: module, file } of modules) {
    const text = await reader.textOf(file)
    const outline =
      text === undefined ? undefined : await reader.code.outline(file).catch(() => undefined)
    if (text === undefined || !outline) {
      omitted++
      continue
    }
    const lines = text.split('\n')
    if (/(?:^|\/)__init__\.pyi?$/.test(file))
      for (const [full, short] of reexportsOf(module, text))
        if (!names.has(full)) names.set(full, short)
    const top = outline.entries.filter(({ depth, path }) => depth === 0 && isPublic(path))
    const byName = grouped(top, ({ path }) => bareOf(path))
    for (const [name, entries] of byName) {
      const full = `${module}.${name}`
      if (all.length >= maxNames) omitted++
      else all.push({ name: full, aliases: [], ...declaredBy(lines, entries, outline.entries) })
    }
  }
  const notes = omitted > 0 ? [`${omitted} modules or names beyond the limits are not listed.`] : []
  return {
    names: all.map((declared) => {
      const short = names.get(declared.name)
      return short === undefined
        ? declared
        : {
            ...declared,
            name: short,
            aliases: [declared.name],
          }
    }),
    notes,
  }
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

function declaredBy(
  lines: readonly string[],
  entries: readonly OutlineEntry[],
  all: readonly OutlineEntry[],
): Omit<DeclaredName, 'name' | 'aliases'> {
  const texts = entries.map(({ startLine, endLine }) =>
    docstringIn(lines.slice(startLine - 1, endLine)),
  )
  const members = entries
    .filter(({ kind }) => kind === 'class')
    .flatMap((holder) =>
      all
        .filter(({ path, depth }) => depth === 1 && path.startsWith(`${holder.path}/`))
        .flatMap((entry): DeclaredMember[] => {
          const name = bareOf(entry.path.slice(holder.path.length + 1))
          if (!isPublic(name) && name !== '__init__' && name !== '__call__') return []
          const comment = docstringIn(lines.slice(entry.startLine - 1, entry.endLine))
          return [{ name, signatures: [signatureOf(entry.signature)], comment }]
        }),
    )
  return {
    signatures: entries.map(({ signature }) => signatureOf(signature)),
    comment: texts.find((text) => text !== '') ?? '',
    members,
  }
}

const isPublic = (name: string): boolean => !name.startsWith('_')

/** What an `__init__` imports from modules of its package: full names and short ones. */
function reexportsOf(module: string, text: string): [full: string, short: string][] {
  const imports = text.matchAll(/^from\s+\.([\w.]*)\s+import\s+(?:\(([^)]*)\)|([^\n(]+))/gm)
  return [...imports].flatMap(([, from = '', list, line]) =>
    (list ?? line ?? '')
      .replace(/#.*$/gm, '')
      .split(',')
      .flatMap((part): [string, string][] => {
        const [, name, as] = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(part) ?? []
        if (!name || from === '') return []
        return [[`${module}.${from}.${name}`, `${module}.${as ?? name}`]]
      }),
  )
}

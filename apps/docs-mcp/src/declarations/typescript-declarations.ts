import type { Code, OutlineEntry } from '@pith-mcp/code'
import type { DeclaredMember, DeclaredName, DescribedDeclarations } from '@pith-mcp/docs'
import { commentAbove } from './doc-comment.ts'
import { type ModuleSyntax, readModule } from './module-syntax.ts'
import { signatureOf } from './signature-of.ts'

/** Reads files of a package; nothing outside of its folder. */
export interface PackageReader {
  code: Code
  /** The text of a file; undefined if it cannot be read, or too much was read. */
  textOf(file: string): Promise<string | undefined>
  /** The file that a relative import leads to. */
  resolve(from: string, specifier: string): Promise<string | undefined>
}

interface Module extends ModuleSyntax {
  file: string
  lines: string[]
  entries: readonly OutlineEntry[]
  /** The names that it declares and exports itself. */
  declared: ReadonlySet<string>
}

/** Where an exported name is declared: a name of a file, or a file for a namespace. */
interface Target {
  module: Module
  /** Undefined for a namespace: all that the file exports. */
  name: string | undefined
}

type DeclaredTexts = Omit<DeclaredName, 'name' | 'aliases'>

const maxNames = 4_000
/** Names and packages in one line. */
const maxListed = 300

/** The exported names of the modules of a package, each once; those that lead elsewhere are noted. */
export async function typescriptDeclarations(
  modules: readonly { name: string; file: string }[],
  reader: PackageReader,
): Promise<DescribedDeclarations> {
  const exports = createExports(reader)
  const all: DeclaredName[] = []
  const byTarget = new Map<string, DeclaredName>()
  const titles = new Set<string>()
  const pending: { file: string; name: string; label: string; from: string | undefined }[] = []
  const enter = async (file: string, prefix: string, from: string | undefined) => {
    for (const name of await exports.namesOf(file))
      pending.push({ file, name, label: `${prefix}${name}`, from })
  }
  for (const [at, { name, file }] of modules.entries())
    await enter(file, '', at > 0 ? name : undefined)
  for (let next = pending.shift(); next && all.length < maxNames; next = pending.shift()) {
    const { file, name, label, from } = next
    const target = await exports.targetOf(file, name)
    const key = `${target?.module.file}\n${target?.name ?? '*'}`
    if (!target) continue
    const same = byTarget.get(key)
    if (same) {
      if (label !== same.name && name !== 'default') same.aliases.push(label)
      continue
    }
    const isNameless = name === 'default' || name === 'export='
    const ownName = isNameless ? (target.name ?? name) : label
    const title = titles.has(ownName) ? `${from ?? target.module.file}.${ownName}` : ownName
    titles.add(title)
    const module = from === undefined ? {} : { module: from }
    const texts =
      target.name === undefined
        ? namespaceText(title, await exports.namesOf(target.module.file))
        : declaredIn(target.module, target.name)
    if (!texts) continue
    const declared = { ...texts, name: title, aliases: [], ...module }
    byTarget.set(key, declared)
    all.push(declared)
    if (target.name === undefined) await enter(target.module.file, `${title}.`, from)
  }
  const outside = [...exports.outside].slice(0, maxListed)
  const notes = [
    ...(outside.length > 0
      ? [`Exports of other packages are not listed: ${outside.join(', ')}.`]
      : []),
    ...(pending.length > 0 ? [`${pending.length} names beyond ${maxNames} are not listed.`] : []),
  ]
  return { names: all, notes }
}

const namespaceText = (title: string, names: readonly string[]): DeclaredTexts => ({
  signatures: [`namespace ${title} { ${names.slice(0, maxListed).join(', ')} }`],
  comment: '',
  members: [],
})

/** Follows re-exports within a package. */
function createExports(reader: PackageReader) {
  const opened = new Map<string, Promise<Module | undefined>>()
  const resolved = new Map<string, Promise<string | undefined>>()
  const outside = new Set<string>()
  return {
    outside,
    namesOf: async (file: string): Promise<string[]> => [...(await namesIn(file, new Set()))],
    targetOf: (file: string, name: string) => targetOf(file, name, new Set()),
  }

  function open(file: string): Promise<Module | undefined> {
    const opening = opened.get(file) ?? openModule(file)
    opened.set(file, opening)
    return opening
  }

  async function openModule(file: string): Promise<Module | undefined> {
    const text = await reader.textOf(file)
    if (text === undefined) return undefined
    const { entries = [] } = (await reader.code.outline(file).catch(() => undefined)) ?? {}
    const syntax = readModule(text)
    const top = entries.flatMap(({ path, depth }) => (depth === 0 ? [bareOf(path)] : []))
    const declared = new Set([...top, ...syntax.constants.keys()].filter(syntax.isExported))
    return { ...syntax, file, lines: text.split('\n'), entries, declared }
  }

  async function namesIn(file: string, visited: Set<string>): Promise<Set<string>> {
    const module = visited.has(file) ? undefined : await open(file)
    visited.add(file)
    if (!module) return new Set()
    const names = new Set([...module.names.keys(), ...module.declared])
    for (const { from, as } of module.stars) {
      if (as !== undefined) names.add(as)
      const next = as === undefined ? await follow(module, from) : undefined
      if (next === undefined) continue
      for (const name of await namesIn(next, visited)) if (name !== 'default') names.add(name)
    }
    return names
  }

  /** Each file is asked once for a name, so that cycles and fans end. */
  async function targetOf(
    file: string,
    name: string,
    visited: Set<string>,
  ): Promise<Target | undefined> {
    const key = `${file}\n${name}`
    const module = visited.has(key) ? undefined : await open(file)
    visited.add(key)
    if (!module) return undefined
    const target = await reexported(module, name, visited)
    if (target) return target
    if (module.declared.has(name)) return { module, name }
    for (const { from, as } of module.stars) {
      if (as !== undefined && as !== name) continue
      const next = await follow(module, from)
      if (next === undefined) continue
      const inner = as === name ? await namespaceOf(next) : await targetOf(next, name, visited)
      if (inner) return inner
    }
    return undefined
  }

  /** What a list of exports has under a name. */
  async function reexported(
    module: Module,
    name: string,
    visited: Set<string>,
  ): Promise<Target | undefined> {
    const statement = module.names.get(name)
    if (!statement) return undefined
    const { from } = statement
    const imported = from === undefined ? module.imports.get(statement.name) : statement
    if (imported?.from === undefined) return { module, name: statement.name }
    const next = await follow(module, imported.from)
    if (next === undefined) return undefined
    if (imported.name === '*') return namespaceOf(next)
    const target = await targetOf(next, imported.name, visited)
    return target || imported.name !== 'default' ? target : targetOf(next, 'export=', visited)
  }

  async function namespaceOf(file: string): Promise<Target | undefined> {
    const module = await open(file)
    return module && { module, name: undefined }
  }

  async function follow(module: Module, specifier: string): Promise<string | undefined> {
    if (!/^\.{1,2}(?:\/|$)/.test(specifier)) {
      outside.add(specifier)
      return undefined
    }
    const key = `${module.file}\n${specifier}`
    const resolving = resolved.get(key) ?? reader.resolve(module.file, specifier)
    resolved.set(key, resolving)
    return resolving
  }
}

/** `f` of `f[1]`. */
const bareOf = (path: string): string => path.replace(/\[\d+\]$/, '')

function declaredIn(module: Module, name: string): DeclaredTexts | undefined {
  const { lines, constants, entries } = module
  const symbols = entries.filter(({ path, depth }) => depth === 0 && bareOf(path) === name)
  const constant = constants.get(name)
  if (symbols.length === 0 && !constant) return undefined
  const comments = symbols.map(({ startLine }) => commentAbove(lines, startLine))
  const signatures = symbols.map((entry) => signatureOf(headOf(module, entry)))
  if (constant) {
    const line = lineAt(module, constant.at)
    comments.push(commentAbove(lines, line))
    signatures.push(signatureOf(constant.text))
  }
  const holders = symbols.filter(({ kind }) => /class|interface|module|enum/.test(kind))
  return {
    signatures: [...new Set(signatures)],
    comment: comments.find((text) => text !== '') ?? '',
    members: holders.flatMap((holder) => membersOf(module, holder)),
  }
}

function lineAt({ lines }: Module, at: number): number {
  let line = 0
  for (let end = 0; line < lines.length && end <= at; line++) end += (lines[line]?.length ?? 0) + 1
  return line
}

/** The text of a declaration, without the body of one with members. */
function headOf({ lines }: Module, { kind, signature, startLine, endLine }: OutlineEntry): string {
  const texts = lines.slice(startLine - 1, endLine)
  if (!/class|interface|module/.test(kind)) return texts.join('\n')
  // Outlines cut long signatures.
  const end = texts.findIndex((line) => line.trimEnd().endsWith('{'))
  return signature.endsWith('…') && end >= 0 ? texts.slice(0, end + 1).join('\n') : signature
}

const property =
  /^\s*(?:(?:public|static|declare|abstract|readonly|override)\s+)*(["'\w$-]+|\[[^\]\n]{1,100}\])\??\s*(?::|=|,\s*$)/

/** Methods from the outline, and properties, which outlines do not list, in the order of the file. */
function membersOf(module: Module, holder: OutlineEntry): DeclaredMember[] {
  const methods = methodsOf(module, holder)
  const lines = new Set(methods.map(({ line }) => line))
  const properties = propertiesOf(module, holder).filter(({ line }) => !lines.has(line))
  const members = new Map<string, DeclaredMember>()
  for (const { name, text, line } of [...methods, ...properties].sort((a, b) => a.line - b.line)) {
    const member = members.get(name) ?? { name, signatures: [], comment: '' }
    member.signatures.push(signatureOf(text))
    member.comment ||= commentAbove(module.lines, line)
    members.set(name, member)
  }
  return [...members.values()]
}

interface MemberText {
  name: string
  text: string
  line: number
}

const methodsOf = ({ lines, entries }: Module, holder: OutlineEntry): MemberText[] =>
  entries.flatMap(({ path, depth, signature, startLine, endLine }) => {
    const isWithin = startLine >= holder.startLine && endLine <= holder.endLine
    const name = bareOf(path.slice(path.lastIndexOf('/') + 1))
    if (depth !== 1 || !isWithin || path.slice(0, path.lastIndexOf('/')) !== holder.path) return []
    // A signature of an outline is short; a method in one line with its holder has no lines.
    const isCut = startLine > holder.startLine && signature.endsWith('…')
    const text = isCut ? lines.slice(startLine - 1, endLine).join('\n') : signature
    return isHidden(name, text) ? [] : [{ name, text, line: startLine }]
  })

function propertiesOf({ lines }: Module, { startLine, endLine }: OutlineEntry): MemberText[] {
  const bare = lines
    .slice(startLine - 1, endLine)
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, blank)
  const members: MemberText[] = []
  let depth = 0
  for (const [at, text] of bare.split('\n').entries()) {
    const [, name = ''] = (at > 0 && depth === 1 && property.exec(text)) || []
    if (name !== '' && !isHidden(name, text))
      members.push({ name: name.replace(/["']/g, ''), text, line: startLine + at })
    depth += (text.match(/[{(]/g)?.length ?? 0) - (text.match(/[})]/g)?.length ?? 0)
  }
  return members
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

const isHidden = (name: string, text: string): boolean =>
  /^(?:#|_)/.test(name) || /^\s*(?:private|protected)\b/.test(text)

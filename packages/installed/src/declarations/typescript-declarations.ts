import type { OutlineEntry } from '@pith-mcp/code'
import type {
  DeclaredMember,
  DeclaredName,
  DescribedDeclarations,
} from '../libraries/declarations.ts'
import { commentAbove } from './doc-comment.ts'
import {
  bareOf,
  ExportGraph,
  isRelative,
  type Module,
  maxSteps,
  type PackageReader,
  type Target,
} from './export-graph.ts'
import { maxNames, signatureOf } from './signature-of.ts'

type DeclaredTexts = Omit<DeclaredName, 'name' | 'aliases'>

/** Names and packages in one line. */
const maxListed = 300

/** The exported names of the modules of a package, each once; those that lead elsewhere are noted. */
export async function typescriptDeclarations(
  modules: readonly { name: string; file: string }[],
  reader: PackageReader,
): Promise<DescribedDeclarations> {
  const exports = new ExportGraph(reader)
  const list = new DeclaredList()
  const pending: PendingName[] = []
  const enter = async (file: string, prefix: string, from: string | undefined) => {
    for (const name of await exports.namesOf(file))
      pending.push({ file, name, label: `${prefix}${name}`, from })
  }
  for (const [at, { name, file }] of modules.entries())
    await enter(file, '', at > 0 ? name : undefined)
  let end = 0
  // A list may be long, so nothing is taken from its beginning.
  for (; end < pending.length && list.names.length < maxNames; end++) {
    const next = pending[end] as PendingName
    const target = await exports.targetOf(next.file, next.name)
    if (!target || list.hasOtherName(target, next)) continue
    const title = list.titleOf(target, next)
    const texts = await textsOf(title, target, exports)
    if (texts) list.add(target, { ...texts, name: title, aliases: [], ...moduleOf(next) })
    if (texts && target.name !== undefined) list.addNested(target, title, moduleOf(next))
    if (texts && target.name === undefined) await enter(target.module.file, `${title}.`, next.from)
  }
  const outside = [...exports.outside].slice(0, maxListed)
  const notes = [
    ...(outside.length > 0
      ? [`It also exports what these packages declare: ${outside.join(', ')}.`]
      : []),
    ...(exports.steps > maxSteps ? ['Not all re-exports were followed: there are too many.'] : []),
    ...(end < pending.length
      ? [`Names not listed, beyond ${maxNames}: ${pending.length - end}.`]
      : []),
  ]
  return { names: list.names, notes }
}

/** An exported name that is to be described, of a module other than the main one by `from`. */
interface PendingName {
  file: string
  name: string
  /** With the namespaces around it. */
  label: string
  from: string | undefined
}

const moduleOf = ({ from }: PendingName): Pick<DeclaredName, 'module'> =>
  from === undefined ? {} : { module: from }

/** What is described, each declaration once, under titles that differ. */
class DeclaredList {
  readonly names: DeclaredName[] = []
  readonly #byTarget = new Map<string, DeclaredName>()
  readonly #titles = new Map<string, DeclaredName>()

  /** Notes another name of what is described already. */
  hasOtherName(target: Target, { name, label }: PendingName): boolean {
    const same = this.#byTarget.get(keyOf(target))
    if (same && label !== same.name && name !== 'default') same.aliases.push(label)
    return same !== undefined
  }

  titleOf(target: Target, { name, label, from }: PendingName): string {
    const isNameless = name === 'default' || name === 'export='
    const title = isNameless ? (target.name ?? name) : label
    return this.#titles.has(title) ? `${from ?? target.module.file}.${title}` : title
  }

  add(target: Target, declared: DeclaredName): void {
    this.#byTarget.set(keyOf(target), declared)
    this.#titles.set(declared.name, declared)
    this.names.push(declared)
  }

  /** What other files add to a type of a namespace is of the same type. */
  addNested({ module, name = '' }: Target, title: string, of: Pick<DeclaredName, 'module'>): void {
    const prefix = isRelative(title) ? '' : `${title}.`
    for (const nested of nestedIn(module, module.places.get(name) ?? [], prefix)) {
      const same = this.#titles.get(nested.name)
      if (same) {
        same.signatures = [...new Set([...same.signatures, ...nested.signatures])]
        same.comment ||= nested.comment
        same.members = mergedMembers([...same.members, ...nested.members])
      } else if (this.names.length < maxNames) {
        const added = { ...nested, ...of }
        this.#titles.set(added.name, added)
        this.names.push(added)
      }
    }
  }
}

const keyOf = ({ module, name, from }: Target): string => `${from ?? module.file}\n${name ?? '*'}`

async function textsOf(
  title: string,
  { module, name, from }: Target,
  exports: ExportGraph,
): Promise<DeclaredTexts | undefined> {
  if (from !== undefined)
    return {
      signatures: [`export { ${name} } from '${from}'`],
      comment: `Declared in the package \`${from}\`.`,
      members: [],
    }
  if (name !== undefined) return declaredIn(module, name)
  const names = (await exports.namesOf(module.file)).slice(0, maxListed)
  return { signatures: [`namespace ${title} { ${names.join(', ')} }`], comment: '', members: [] }
}

function declaredIn(module: Module, name: string): DeclaredTexts | undefined {
  const places = module.places.get(name) ?? []
  const constant = module.constants.get(name)
  return places.length > 0 || constant ? declaredAt(module, places, constant) : undefined
}

function declaredAt(
  module: Module,
  places: readonly number[],
  constant?: { line: number; text: string },
): DeclaredTexts {
  const { lines, entries } = module
  const symbols = places.flatMap((at) => entries[at] ?? [])
  const starts = [
    ...symbols.map(({ startLine }) => startLine),
    ...(constant ? [constant.line] : []),
  ]
  const heads = symbols.map((symbol) => headOf(module, symbol))
  const signatures = [...heads, ...(constant ? [constant.text] : [])].map(signatureOf)
  return {
    signatures: [...new Set(signatures)],
    comment: starts.map((line) => commentAbove(lines, line)).find((text) => text !== '') ?? '',
    members: mergedMembers(places.flatMap((at) => membersOf(module, at))),
  }
}

const isHolder = ({ kind }: OutlineEntry): boolean => /class|interface|module|enum/.test(kind)

/** The types of namespaces, which have members of their own, by names with the namespaces around them. */
function nestedIn(module: Module, places: readonly number[], prefix: string): DeclaredName[] {
  const inside = new Map<string, number[]>()
  for (const at of places) {
    const holder = module.entries[at]
    const end = holder?.kind === 'module' ? at + holder.inside : at
    for (let inner = at + 1; inner <= end; inner++) {
      const entry = module.entries[inner]
      if (!entry || !isHolder(entry) || entry.depth !== (holder?.depth ?? 0) + 1) continue
      const name = `${prefix}${bareOf(entry.path.slice(entry.path.lastIndexOf('/') + 1))}`
      inside.set(name, [...(inside.get(name) ?? []), inner])
    }
  }
  return [...inside].flatMap(([name, inner]) => [
    { name, aliases: [], ...declaredAt(module, inner) },
    ...nestedIn(module, inner, `${name}.`),
  ])
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
function membersOf(module: Module, at: number): DeclaredMember[] {
  const holder = module.entries[at]
  if (!holder || !isHolder(holder)) return []
  // Those within follow it.
  const methods = methodsOf(module, holder, module.entries.slice(at + 1, at + 1 + holder.inside))
  const lines = new Set(methods.map(({ line }) => line))
  const properties = propertiesOf(module, holder).filter(({ line }) => !lines.has(line))
  return [...methods, ...properties]
    .sort((a, b) => a.line - b.line)
    .map(({ name, text, line }) => ({
      name,
      signatures: [signatureOf(text)],
      comment: commentAbove(module.lines, line),
    }))
}

/** Each name once, with the signatures of all its declarations. */
function mergedMembers(members: readonly DeclaredMember[]): DeclaredMember[] {
  const merged = new Map<string, DeclaredMember>()
  for (const { name, signatures, comment } of members) {
    const member = merged.get(name) ?? { name, signatures: [], comment: '' }
    member.signatures.push(...signatures)
    member.comment ||= comment
    merged.set(name, member)
  }
  return [...merged.values()]
}

interface MemberText {
  name: string
  text: string
  line: number
}

const methodsOf = (
  { lines }: Module,
  holder: OutlineEntry,
  within: readonly OutlineEntry[],
): MemberText[] =>
  within.flatMap((entry) => {
    const { path, depth, signature, startLine, endLine } = entry
    const name = bareOf(path.slice(path.lastIndexOf('/') + 1))
    if (depth !== holder.depth + 1 || (holder.kind === 'module' && isHolder(entry))) return []
    // A signature of an outline is short; a method in one line with its holder has no lines.
    const isCut = startLine > holder.startLine && signature.endsWith('…')
    const text = isCut ? lines.slice(startLine - 1, endLine).join('\n') : signature
    return isHidden(name, text) ? [] : [{ name, text, line: startLine }]
  })

function propertiesOf({ lines }: Module, { startLine, endLine }: OutlineEntry): MemberText[] {
  const bare = lines
    .slice(startLine - 1, endLine)
    .join('\n')
    .replace(/\/\*(?:[\s\S]*?\*\/|[\s\S]*$)/g, blank)
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

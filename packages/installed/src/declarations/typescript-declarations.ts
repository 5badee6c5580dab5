import type { Declaration } from '@pith-mcp/code'
import type {
  DeclaredMember,
  DeclaredName,
  DescribedDeclarations,
} from '../libraries/declarations.ts'
import { commentText } from './doc-comment.ts'
import {
  ExportGraph,
  isRelative,
  type Module,
  maxSteps,
  type PackageReader,
  type Target,
} from './export-graph.ts'
import { commentOf, maxNames, signatureOf } from './signature-of.ts'

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
    const aliases = next.label === 'default' && title !== 'default' ? ['default'] : []
    if (texts) list.add(target, { ...texts, name: title, aliases, ...moduleOf(next) })
    if (texts && target.name !== undefined)
      list.addNested(target, title, moduleOf(next), await exports.basesOf(target.module))
    if (texts && target.name === undefined) await enter(target.module.file, `${title}.`, next.from)
  }
  return { names: list.names, notes: notesOf(exports, list.hidden, pending.length - end) }
}

function notesOf(exports: ExportGraph, hidden: number, beyond: number): string[] {
  const outside = [...exports.outside].slice(0, maxListed).join(', ')
  const isCut = exports.steps > maxSteps
  return [
    outside && `It also exports what these packages declare: ${outside}.`,
    exports.damaged && `Files that could not be read, or not in all parts: ${exports.damaged}.`,
    hidden && `Members not listed, private, protected or named \`_…\`: ${hidden}.`,
    isCut && 'Not all re-exports were followed: there are too many.',
    beyond && `Names not listed, beyond ${maxNames}: ${beyond}.`,
  ].filter((note): note is string => typeof note === 'string' && note !== '')
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

/** What a file adds to the globals. */
const additions = /^global of .*$/

/** What is described, each declaration once, under titles that differ. */
class DeclaredList {
  readonly names: DeclaredName[] = []
  readonly #byTarget = new Map<string, DeclaredName>()
  readonly #titles = new Map<string, DeclaredName>()
  /** Members that are not shown. */
  hidden = 0

  /** Notes another name of what is described already. */
  hasOtherName(target: Target, { name, label }: PendingName): boolean {
    const same = this.#byTarget.get(keyOf(target))
    const isOther = label !== same?.name && (name !== 'default' || label === 'default')
    if (same && isOther && !same.aliases.includes(label)) same.aliases.push(label)
    return same !== undefined
  }

  titleOf(target: Target, { name, label, from }: PendingName): string {
    const isNameless = name === 'default' || name === 'export='
    const own = target.name ?? name
    const title = isNameless
      ? label.slice(0, -name.length) + own
      : label.replace(additions, 'global')
    return this.#titles.has(title) ? `${from ?? target.module.file}.${title}` : title
  }

  add(target: Target, declared: DeclaredName): void {
    this.hidden += hiddenIn(target.module.declarations.get(target.name ?? '') ?? [])
    this.#byTarget.set(keyOf(target), declared)
    this.#titles.set(declared.name, declared)
    this.names.push(declared)
  }

  /** What other files add to a type of a namespace is of the same type. */
  addNested(
    { module, name = '' }: Target,
    title: string,
    of: Pick<DeclaredName, 'module'>,
    bases: Bases,
  ): void {
    const prefix = isRelative(title) ? '' : `${title}.`
    const holders = module.declarations.get(name) ?? []
    for (const nested of nestedIn({ module, bases }, holders, prefix)) {
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
  const declarations = module.declarations.get(name ?? '') ?? []
  if (declarations.length > 0)
    return textsOfAll({ module, bases: await exports.basesOf(module) }, declarations)
  if (name !== undefined) return undefined
  const names = (await exports.namesOf(module.file)).slice(0, maxListed)
  return { signatures: [`namespace ${title} { ${names.join(', ')} }`], comment: '', members: [] }
}

/** Of the types that are extended, by their names in a module. */
type Bases = ReadonlyMap<string, readonly Declaration[]>

/** A module with what its types extend. */
interface Place {
  module: Module
  bases: Bases
}

function textsOfAll({ module, bases }: Place, declarations: readonly Declaration[]): DeclaredTexts {
  const signatures = declarations.map(({ signature }) => signatureOf(signature))
  const own = declarations.flatMap(({ kind, members }) =>
    members.filter((member) => kind !== 'module' || (member.isExported && !isHolder(member))),
  )
  const inherited = declarations.flatMap((each) => inheritedBy(each, bases))
  const names = new Set(own.map(({ name }) => name))
  const others = inherited.filter(({ name }) => !names.has(name))
  return {
    signatures: [...new Set(signatures)],
    comment: commentOf(declarations, commentText),
    members: mergedMembers([
      ...own.filter(isShown).map(memberOf),
      ...others,
      ...declarations.flatMap((each) => listedElsewhere(each, module)),
    ]),
  }
}

/** The members of the types that a declaration extends, one level. */
function inheritedBy({ bases: names }: Declaration, bases: Bases): DeclaredMember[] {
  return names.flatMap((base) =>
    (bases.get(base) ?? []).flatMap(({ members }) =>
      members
        .filter((member) => isShown(member) && member.name !== 'constructor')
        .map(memberOf)
        .map((member) => ({
          ...member,
          comment: [`From \`${base}\`.`, member.comment].filter(Boolean).join(' '),
        })),
    ),
  )
}

/** What a namespace lists that other files declare. */
const listedElsewhere = ({ listed, members }: Declaration, module: Module): DeclaredMember[] =>
  listed.flatMap(({ name, as, from: stated }): DeclaredMember[] => {
    const from = stated ?? module.imports.find((each) => each.as === name)?.from
    const isHere = members.some((each) => each.name === name) || module.declarations.has(name)
    if (isHere || from === undefined) return []
    const names = name === as ? name : `${name} as ${as}`
    return [{ name: as, signatures: [`export { ${names} } from '${from}'`], comment: '' }]
  })

const memberOf = ({ name, signature, comment }: Declaration): DeclaredMember => ({
  name,
  signatures: [signatureOf(signature)],
  comment: commentText(comment),
})

const isShown = ({ isHidden, name }: Declaration): boolean => !isHidden && !name.startsWith('_')

/** Members that are not shown, of these and of what is in them. */
const hiddenIn = (declarations: readonly Declaration[]): number =>
  declarations.reduce(
    (sum, { members }) =>
      sum + members.filter((member) => !isShown(member)).length + hiddenIn(members),
    0,
  )

const isHolder = ({ kind, members }: Declaration): boolean =>
  /class|interface|module|enum/.test(kind) || (kind === 'type' && members.length > 0)

/** The types of namespaces, which have members of their own, by names with the namespaces around them. */
function nestedIn(
  place: Place,
  holders: readonly Declaration[],
  prefix: string,
  around: readonly Declaration[] = [],
): DeclaredName[] {
  // A namespace can list itself.
  const open = [...around, ...holders]
  const inside = new Map<string, Declaration[]>()
  const add = (name: string, each: Declaration) =>
    open.includes(each) ||
    inside.set(`${prefix}${name}`, [...(inside.get(`${prefix}${name}`) ?? []), each])
  for (const { kind, members, listed } of holders) {
    if (kind !== 'module') continue
    for (const member of members)
      if (member.isExported && isHolder(member)) add(member.name, member)
    // A list of a namespace names what is in it or around it.
    for (const { name, as } of listed)
      for (const each of [...members, ...(place.module.declarations.get(name) ?? [])])
        if (each.name === name && !(each.isExported && members.includes(each))) add(as, each)
  }
  return [...inside].flatMap(([name, nested]) => [
    { name, aliases: [], ...textsOfAll(place, nested) },
    ...nestedIn(place, nested, `${name}.`, open),
  ])
}

/** Each name once, with the signatures of all its declarations. */
function mergedMembers(members: readonly DeclaredMember[]): DeclaredMember[] {
  const merged = new Map<string, DeclaredMember>()
  for (const { name, signatures, comment } of members) {
    const member = merged.get(name) ?? { name, signatures: [], comment: '' }
    member.signatures.push(...signatures)
    const isNew = comment !== '' && !member.comment.includes(comment)
    if (isNew) member.comment = [member.comment, comment].filter(Boolean).join('\n\n')
    merged.set(name, member)
  }
  return [...merged.values()]
}

import type { Declaration } from '@pith-mcp/code'
import type {
  DeclaredMember,
  DeclaredName,
  DescribedDeclarations,
} from '../libraries/declarations.ts'
import { docstringText } from './doc-comment.ts'
import type { PackageReader } from './export-graph.ts'
import { importsOf, isPublic, type PythonImports } from './python-module.ts'
import { commentOf, maxNames, signatureOf } from './signature-of.ts'

/** Modules in a chain of imports. */
const maxChain = 20

/** What a file defines and assigns at the top level, by names. */
interface PythonFile {
  text: string
  declarations: ReadonlyMap<string, readonly Declaration[]>
}

interface Module extends PythonFile, PythonImports {
  name: string
  isPackage: boolean
  /** The source next to a stub, which has the documentation. */
  source?: PythonFile
}

type DeclaredTexts = Pick<DeclaredName, 'signatures' | 'comment' | 'members'>

/**
 * What the public modules of a distribution define or export, also out of private ones, each once
 * under the name with the fewest parts.
 */
export async function pythonDeclarations(
  modules: readonly { name: string; file: string }[],
  reader: PackageReader,
): Promise<DescribedDeclarations> {
  const graph = new PythonGraph(reader)
  const declared = new Map<string, DeclaredName>()
  const outside = new Set<string>()
  let omitted = 0
  const isOwn = (module: string) => modules.some(({ name }) => topOf(name) === topOf(module))
  const enter = async (module: Module, name: string) => {
    const target = await graph.targetOf(module.name, name)
    const { module: from } = module.names.get(name) ?? {}
    if (!target) return from && !isOwn(from) ? outside.add(topOf(from)) : undefined
    const key = `${target.module.name}.${target.name}`
    const title = `${module.name}.${name}`
    const same = declared.get(key)
    if (same) same.aliases.push(title)
    else if (declared.size >= maxNames) omitted++
    else declared.set(key, { name: title, aliases: [], ...textsOf(target) })
  }
  for (const { name } of modules) {
    const module = await graph.open(name)
    if (!module) omitted++
    for (const exported of module ? await graph.namesOf(module) : [])
      if (module) await enter(module, exported)
  }
  const notes = [
    ...(outside.size > 0
      ? [`It also exports what these packages declare: ${[...outside].sort().join(', ')}.`]
      : []),
    ...(omitted > 0 ? [`Modules and names not listed, beyond the limits: ${omitted}.`] : []),
  ]
  const names = [...declared.values()]
  // Next to `lib.Field`, `lib.v1.fields.Field` is asked for by its whole name.
  for (const [short, [first, second]] of byLastPart(names))
    if (first && (!second || first.name.split('.').length === 2)) first.short = short
  return { names, notes }
}

const topOf = (module: string): string => module.split('.')[0] ?? module

/** Names by their last part, those with fewer parts first. */
function byLastPart(names: readonly DeclaredName[]): Map<string, DeclaredName[]> {
  const groups = new Map<string, DeclaredName[]>()
  const partsOf = ({ name }: DeclaredName) => name.split('.')
  for (const declared of names.toSorted((a, b) => partsOf(a).length - partsOf(b).length)) {
    const last = partsOf(declared).at(-1) ?? ''
    groups.set(last, [...(groups.get(last) ?? []), declared])
  }
  return groups
}

/** Follows imports between the modules of a distribution. */
class PythonGraph {
  readonly #reader: PackageReader
  readonly #opened = new Map<string, Promise<Module | undefined>>()

  constructor(reader: PackageReader) {
    this.#reader = reader
  }

  open(name: string): Promise<Module | undefined> {
    const opening = this.#opened.get(name) ?? this.#openModule(name)
    this.#opened.set(name, opening)
    return opening
  }

  /** Names that `__all__` lists; without it public ones of its own, and what a package imports. */
  async namesOf(module: Module, visited = new Set<string>()): Promise<string[]> {
    if (visited.has(module.name) || visited.size > maxChain) return []
    visited.add(module.name)
    if (module.all) return [...module.all]
    const names = new Set([...module.declarations.keys()].filter(isPublic))
    for (const [name, { module: from, isReexport }] of module.isPackage ? module.names : [])
      if (isPublic(name) && (isReexport || (await this.open(from)))) names.add(name)
    for (const from of module.stars) {
      const starred = await this.open(from)
      for (const name of starred ? await this.namesOf(starred, visited) : []) names.add(name)
    }
    return [...names]
  }

  async targetOf(
    from: string,
    name: string,
    depth = 0,
  ): Promise<{ module: Module; name: string } | undefined> {
    const module = depth < maxChain ? await this.open(from) : undefined
    if (!module) return undefined
    if (module.declarations.has(name)) return { module, name }
    const imported = module.names.get(name)
    if (imported) return this.targetOf(imported.module, imported.name, depth + 1)
    for (const star of module.stars) {
      const target = await this.targetOf(star, name, depth + 1)
      if (target) return target
    }
    return undefined
  }

  async #openModule(name: string): Promise<Module | undefined> {
    const path = name.replaceAll('.', '/')
    for (const file of [`${path}/__init__`, path]) {
      const stub =
        (await this.#read(`${file}.pyi`)) ??
        (await this.#read(`${file.replace(/^[^/]+/, '$&-stubs')}.pyi`))
      const source = await this.#read(`${file}.py`)
      const text = stub ?? source
      if (!text) continue
      const isPackage = file !== path
      const parent = isPackage ? name : name.replace(/(?:^|\.)[^.]*$/, '')
      const imports = importsOf(text.text, parent)
      return { name, isPackage, ...text, ...imports, ...(stub && source && { source }) }
    }
    return undefined
  }

  async #read(file: string): Promise<PythonFile | undefined> {
    const text = await this.#reader.textOf(file)
    if (text === undefined) return undefined
    const read = await this.#reader.code.declarations(file).catch(() => undefined)
    const declarations = new Map<string, Declaration[]>()
    // `__all__` and the like say something of the module.
    for (const each of read?.declarations ?? [])
      if (!each.name.startsWith('__'))
        declarations.set(each.name, [...(declarations.get(each.name) ?? []), each])
    return { text, declarations }
  }
}

function textsOf({ module, name }: { module: Module; name: string }): DeclaredTexts {
  const all = module.declarations.get(name) ?? []
  // A name is assigned again and again; what is defined stands for it.
  const defined = all.filter(({ kind }) => kind !== 'value')
  const declarations = defined.length > 0 ? defined : all.slice(0, 1)
  // The source next to a stub has the documentation.
  const documented = module.source?.declarations.get(name) ?? []
  const comment = commentOf(declarations, docstringText) || commentOf(documented, docstringText)
  return {
    signatures: declarations.map(({ signature }) => signatureOf(signature)),
    comment,
    members: membersOf(declarations, documented),
  }
}

/** Public methods and attributes of classes, each with its own documentation, or that of the source. */
function membersOf(
  declarations: readonly Declaration[],
  documented: readonly Declaration[],
): DeclaredMember[] {
  const inSource = new Map(
    withNested(documented).flatMap((each) => (each.comment ? [[each.name, each.comment]] : [])),
  )
  return withNested(declarations).map(({ name, signature, comment }) => {
    const text = comment || (inSource.get(name) ?? '')
    if (text !== comment) inSource.delete(name)
    return { name, signatures: [signatureOf(signature)], comment: docstringText(text) }
  })
}

/** The members of classes, and those of classes in them: `Inner.method`. */
const withNested = (declarations: readonly Declaration[], prefix = ''): Declaration[] =>
  declarations.flatMap(({ members }) =>
    members
      .filter(({ name }) => isPublic(name) || /^__(?:init|call)__$/.test(name))
      .flatMap((member) => {
        const name = prefix + member.name
        return [{ ...member, name }, ...withNested([member], `${name}.`)]
      }),
  )

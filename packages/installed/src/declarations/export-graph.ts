import type { Code, Declaration, DeclaredModule, ListedName } from '@pith-mcp/code'

/** Reads files of a package; nothing outside of its folder. */
export interface PackageReader {
  code: Code
  /** The text of a file; undefined if it cannot be read, or too much was read. */
  textOf(file: string): Promise<string | undefined>
  /** The file that a relative import leads to. */
  resolve(from: string, specifier: string): Promise<string | undefined>
}

export interface Module extends Pick<DeclaredModule, 'stars' | 'imports'> {
  file: string
  declarations: ReadonlyMap<string, readonly Declaration[]>
  /** What lists export, by exported names. */
  listed: ReadonlyMap<string, ListedName>
  /** The names that it declares and exports itself. */
  declared: ReadonlySet<string>
}

/** Where an exported name is declared: a name of a file, or a file for a namespace. */
export interface Target {
  module: Module
  /** Undefined for a namespace: all that the file exports. */
  name: string | undefined
  /** Another package, in which it is declared. */
  from?: string
}

/** The path of another file, also as the name of a module that adds to what that file declares. */
export const isRelative = (specifier: string): boolean => /^\.{1,2}(?:\/|$)/.test(specifier)

/** Re-exports with `*`, of all files that are asked for names. */
export const maxSteps = 100_000
/** Types that those of one module extend. */
const maxBases = 1_000

/** Follows re-exports within a package. */
export class ExportGraph {
  readonly #reader: PackageReader
  readonly #opened = new Map<string, Promise<Module | undefined>>()
  readonly #resolved = new Map<string, Promise<string | undefined>>()
  readonly #owners = new Map<string, Promise<ReadonlyMap<string, Module>>>()
  readonly #bases = new Map<Module, ReturnType<ExportGraph['basesOf']>>()
  /** Modules that are not files of the package. */
  readonly outside: Set<string> = new Set()

  /** Files in parts of which the parser failed. */
  damaged = 0

  /** Re-exports that were followed; beyond the limit, others are not. */
  steps = 0

  constructor(reader: PackageReader) {
    this.#reader = reader
  }

  async namesOf(file: string): Promise<string[]> {
    return [...(await this.#ownersOf(file)).keys()]
  }

  targetOf(file: string, name: string): Promise<Target | undefined> {
    return this.#targetOf(file, name, new Set())
  }

  /** The declarations of the types that those of a module extend, by the names that it has for them. */
  basesOf(module: Module): Promise<ReadonlyMap<string, readonly Declaration[]>> {
    const resolving = this.#bases.get(module) ?? this.#resolveBases(module)
    this.#bases.set(module, resolving)
    return resolving
  }

  async #resolveBases(module: Module): Promise<ReadonlyMap<string, readonly Declaration[]>> {
    const bases = new Map<string, readonly Declaration[]>()
    const pending = [...module.declarations.values()].flat()
    for (let next = pending.pop(); next; next = pending.pop()) {
      pending.push(...next.members)
      for (const base of next.bases) {
        if (bases.has(base) || bases.size >= maxBases) continue
        const { module: from, name = '' } = (await this.#localTarget(module, base)) ?? {}
        bases.set(base, from?.declarations.get(name) ?? [])
      }
    }
    return bases
  }

  /** What a name means within a module. */
  async #localTarget(module: Module, name: string): Promise<Target | undefined> {
    if (module.declarations.has(name)) return { module, name }
    const imported = module.imports.find(({ as }) => as === name)
    const next = imported && (await this.#follow(module, imported.from ?? ''))
    return next === undefined ? undefined : this.targetOf(next, imported?.name ?? '')
  }

  #open(file: string): Promise<Module | undefined> {
    const opening = this.#opened.get(file) ?? this.#openModule(file)
    this.#opened.set(file, opening)
    return opening
  }

  async #openModule(file: string): Promise<Module | undefined> {
    if ((await this.#reader.textOf(file)) === undefined) return undefined
    const read = await this.#reader.code.declarations(file).catch(() => undefined)
    if (!read || read.hasErrors) this.damaged++
    const { declarations: all = [], exports = [], stars = [], imports = [] } = read ?? {}
    const declarations = new Map<string, Declaration[]>()
    const declared = new Set<string>()
    for (const declaration of all) {
      // Several files can add to one, or to the globals.
      const adds = isRelative(declaration.name) || declaration.name === 'global'
      const name = adds ? `${declaration.name} of ${file}` : declaration.name
      declarations.set(name, [...(declarations.get(name) ?? []), declaration])
      if (declaration.isExported) declared.add(name)
    }
    const listed = new Map(exports.map((each) => [each.as, each]))
    return { file, declarations, declared, listed, stars, imports }
  }

  /** The exported names of a file with the modules that declare or rename them, also through `*`. */
  #ownersOf(file: string): Promise<ReadonlyMap<string, Module>> {
    const collecting = this.#owners.get(file) ?? this.#collect(file, new Map(), new Set())
    this.#owners.set(file, collecting)
    return collecting
  }

  async #collect(
    file: string,
    owners: Map<string, Module>,
    visited: Set<string>,
  ): Promise<ReadonlyMap<string, Module>> {
    const module = visited.has(file) ? undefined : await this.#open(file)
    const isFirst = visited.size === 0
    visited.add(file)
    if (!module) return owners
    for (const name of [...module.listed.keys(), ...module.declared])
      if (!owners.has(name) && (isFirst || name !== 'default')) owners.set(name, module)
    for (const from of module.stars) {
      if (++this.steps > maxSteps) break
      const next = await this.#follow(module, from)
      if (next !== undefined) await this.#collect(next, owners, visited)
    }
    return owners
  }

  /** Each file is asked once for a name, so that cycles end. */
  async #targetOf(file: string, name: string, visited: Set<string>): Promise<Target | undefined> {
    const key = `${file}\n${name}`
    const module = visited.has(key) ? undefined : (await this.#ownersOf(file)).get(name)
    visited.add(key)
    if (!module) return undefined
    const target = await this.#reexported(module, name, visited)
    return target ?? (module.declared.has(name) ? { module, name } : undefined)
  }

  /** What a list of exports has under a name. */
  async #reexported(
    module: Module,
    name: string,
    visited: Set<string>,
  ): Promise<Target | undefined> {
    const statement = module.listed.get(name)
    if (!statement) return undefined
    const imported =
      statement.from === undefined
        ? module.imports.find(({ as }) => as === statement.name)
        : statement
    if (imported?.from === undefined) return { module, name: statement.name }
    const next = await this.#follow(module, imported.from)
    if (next === undefined && this.outside.has(imported.from))
      return { module, name: imported.name, from: imported.from }
    if (next === undefined) return undefined
    if (imported.name === '*') return this.#namespaceOf(next)
    const target = await this.#targetOf(next, imported.name, visited)
    if (target || imported.name !== 'default') return target
    // What has no default is imported whole.
    return (await this.#targetOf(next, 'export=', visited)) ?? this.#namespaceOf(next)
  }

  async #namespaceOf(file: string): Promise<Target | undefined> {
    const module = await this.#open(file)
    return module && { module, name: undefined }
  }

  async #follow(module: Module, specifier: string): Promise<string | undefined> {
    if (!isRelative(specifier)) {
      this.outside.add(specifier)
      return undefined
    }
    const key = `${module.file}\n${specifier}`
    const resolving = this.#resolved.get(key) ?? this.#reader.resolve(module.file, specifier)
    this.#resolved.set(key, resolving)
    return resolving
  }
}

import type { Code, OutlineEntry } from '@pith-mcp/code'
import { type ModuleSyntax, readModule } from './module-syntax.ts'

/** Reads files of a package; nothing outside of its folder. */
export interface PackageReader {
  code: Code
  /** The text of a file; undefined if it cannot be read, or too much was read. */
  textOf(file: string): Promise<string | undefined>
  /** The file that a relative import leads to. */
  resolve(from: string, specifier: string): Promise<string | undefined>
}

export interface Module extends ModuleSyntax {
  file: string
  lines: string[]
  entries: readonly OutlineEntry[]
  /** Where in `entries` the symbols of a name are that no other contains. */
  places: ReadonlyMap<string, readonly number[]>
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

/** `f` of `f[1]`. */
export const bareOf = (path: string): string => path.replace(/\[\d+\]$/, '')

/** The path of another file, also as the name of a module that adds to what that file declares. */
export const isRelative = (specifier: string): boolean => /^\.{1,2}(?:\/|$)/.test(specifier)

/** Re-exports with `*`, of all files that are asked for names. */
export const maxSteps = 100_000

/** Follows re-exports within a package. */
export class ExportGraph {
  readonly #reader: PackageReader
  readonly #opened = new Map<string, Promise<Module | undefined>>()
  readonly #resolved = new Map<string, Promise<string | undefined>>()
  readonly #owners = new Map<string, Promise<ReadonlyMap<string, Module>>>()
  /** Modules that are not files of the package. */
  readonly outside: Set<string> = new Set()

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

  #open(file: string): Promise<Module | undefined> {
    const opening = this.#opened.get(file) ?? this.#openModule(file)
    this.#opened.set(file, opening)
    return opening
  }

  async #openModule(file: string): Promise<Module | undefined> {
    const text = await this.#reader.textOf(file)
    if (text === undefined) return undefined
    const { entries = [] } = (await this.#reader.code.outline(file).catch(() => undefined)) ?? {}
    const syntax = readModule(text)
    const places = new Map<string, number[]>()
    for (const [at, { path, depth }] of entries.entries()) {
      const bare = bareOf(path)
      // Several files can add to one.
      const name = isRelative(bare) ? `${bare} of ${file}` : bare
      if (depth === 0) places.set(name, [...(places.get(name) ?? []), at])
    }
    const names = [...places.keys(), ...syntax.constants.keys()]
    const declared = new Set(names.filter((name) => isRelative(name) || syntax.isExported(name)))
    return { ...syntax, file, lines: text.split('\n'), entries, places, declared }
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
    const namespaces = module.stars.flatMap(({ as }) => as ?? [])
    for (const name of [...module.names.keys(), ...module.declared, ...namespaces])
      if (!owners.has(name) && (isFirst || name !== 'default')) owners.set(name, module)
    for (const { from, as } of module.stars) {
      if (++this.steps > maxSteps) break
      const next = as === undefined ? await this.#follow(module, from) : undefined
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
    if (target) return target
    if (module.declared.has(name)) return { module, name }
    const star = module.stars.find(({ as }) => as === name)
    const next = star && (await this.#follow(module, star.from))
    return next === undefined ? undefined : this.#namespaceOf(next)
  }

  /** What a list of exports has under a name. */
  async #reexported(
    module: Module,
    name: string,
    visited: Set<string>,
  ): Promise<Target | undefined> {
    const statement = module.names.get(name)
    if (!statement) return undefined
    const { from } = statement
    const imported = from === undefined ? module.imports.get(statement.name) : statement
    if (imported?.from === undefined) return { module, name: statement.name }
    const next = await this.#follow(module, imported.from)
    if (next === undefined && this.outside.has(imported.from))
      return { module, name: imported.name, from: imported.from }
    if (next === undefined) return undefined
    if (imported.name === '*') return this.#namespaceOf(next)
    const target = await this.#targetOf(next, imported.name, visited)
    return target || imported.name !== 'default' ? target : this.#targetOf(next, 'export=', visited)
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

import { readFile, stat } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'

/** What the `package.json` files in the folders around a file say. */
export interface Manifest {
  /** Of the nearest package that has one. */
  name?: string
  /** Packages that those around it depend on; absent if no folder has such a file. */
  dependencies?: ReadonlySet<string>
}

/** In bytes; a longer file is not read. */
const maxManifest = 1_000_000

/** Reads the manifests around files up to the roots, each once. */
export function createManifests(roots: readonly string[]): (real: string) => Promise<Manifest> {
  const read = new Map<string, Promise<Manifest>>()
  return (real) => around(dirname(real))

  function around(folder: string): Promise<Manifest> {
    const reading = read.get(folder) ?? readAround(folder)
    read.set(folder, reading)
    return reading
  }

  async function readAround(folder: string): Promise<Manifest> {
    const isTop = roots.includes(folder) || dirname(folder) === folder
    const outer: Manifest = isTop ? {} : await around(dirname(folder))
    const own = await readManifest(folder)
    if (!own) return outer
    const dependencies = new Set([...(outer.dependencies ?? []), ...own.dependencies])
    return { ...outer, ...(own.name !== undefined && { name: own.name }), dependencies }
  }
}

async function readManifest(folder: string) {
  const path = join(folder, 'package.json')
  try {
    if ((await stat(path)).size > maxManifest) return undefined
    const { name, ...fields } = JSON.parse(await readFile(path, 'utf8'))
    const dependencies = [
      'dependencies',
      'devDependencies',
      'peerDependencies',
      'optionalDependencies',
    ]
    return {
      ...(typeof name === 'string' && { name }),
      dependencies: dependencies.flatMap((field) => Object.keys(fields[field] ?? {})),
    }
  } catch {
    // Without a manifest, or with one that npm would reject.
    return undefined
  }
}

/**
 * What a specifier of JavaScript that does not begin with a dot names: a package of the project, by
 * its name; another package; or a path that a setting of the project leads to a file.
 */
export function packageOf(
  specifier: string,
  own: ReadonlySet<string>,
  { dependencies }: Manifest,
): { own: string; paths: string[] } | 'other' | { paths: string[] } {
  const parts = specifier.split('/')
  const length = specifier.startsWith('@') ? 2 : 1
  const name = parts.slice(0, length).join('/')
  if (own.has(name)) return { own: name, paths: [parts.slice(length).join('/')].filter(Boolean) }
  const types = `@types/${name.replace(/^@(.*)\//, '$1__')}`
  const isOther = isBuiltin(specifier) || specifier.includes(':')
  if (isOther || dependencies?.has(name) || dependencies?.has(types)) return 'other'
  const paths = /^[@~#$]/.test(specifier)
    ? [specifier.replace(/^[@~#$]\/?/, ''), parts.slice(1).join('/')]
    : [specifier]
  return { paths: paths.filter(Boolean) }
}

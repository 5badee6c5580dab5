import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { describeDeclarations } from '../src/declarations/describe-declarations.ts'
import { type DeclaredName, npmDeclarations } from '../src/libraries/declarations.ts'

// Typed packages that are installed here, beside TypeScript's own checker, which nothing here was made
// from: the file that it takes, the names that a package exports, and the members of its types.

const require = createRequire(import.meta.url)
/** The folder of all packages that pnpm installed. */
const store = dirname(realpathSync(require.resolve('typescript-checker/package.json'))).replace(
  /(?<=\/\.pnpm)\/.*$/,
  '',
)
const drawn = 220
/** Files of one package; larger ones take long. */
const maxBytes = 400_000

type TypeScript = typeof import('typescript-checker')
const ts = attempt(() => require('typescript-checker') as TypeScript)

function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

interface Typed {
  name: string
  folder: string
  file: string
}

/** Packages whose main module TypeScript finds, each name once. */
function typedPackages({
  ModuleKind,
  ModuleResolutionKind,
  resolveModuleName,
  sys,
}: TypeScript): Typed[] {
  const options = { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler }
  const found = new Map<string, Typed>()
  for (const entry of readdirSync(store)) {
    const modules = join(store, entry, 'node_modules')
    const [, scope = '', bare = ''] = /^(?:(@[^+]+)\+)?([^@]+)@/.exec(entry) ?? []
    const name = scope ? `${scope}/${bare}` : bare
    const folder = join(modules, name)
    if (found.has(name) || !existsSync(join(folder, 'package.json'))) continue
    const from = join(modules, 'x.ts')
    const { resolvedModule } = resolveModuleName(name, from, options, sys)
    const file = resolvedModule?.resolvedFileName
    const isOwn = file && realpathSync(file).startsWith(realpathSync(folder))
    if (isOwn && /\.d\.[cm]?ts$/.test(file))
      found.set(name, { name, folder: realpathSync(folder), file: realpathSync(file) })
  }
  return [...found.values()]
    .filter(({ file }) => readFileSync(file).length < maxBytes)
    .slice(0, drawn)
}

const isPublic = (name: string) => !/^(?:__|_|#|prototype$)/.test(name)

/** The exported names of a file with the names of the members of each. */
function checked(
  {
    createProgram,
    SymbolFlags,
    ModuleKind,
    ModuleResolutionKind,
    ModifierFlags,
    getCombinedModifierFlags,
  }: TypeScript,
  files: readonly string[],
): Map<string, Map<string, Set<string>>> {
  const options = {
    module: ModuleKind.ESNext,
    moduleResolution: ModuleResolutionKind.Bundler,
    types: [],
    skipLibCheck: true,
  }
  const program = createProgram([...files], options)
  const checker = program.getTypeChecker()
  return new Map(
    files.map((file) => {
      const source = program.getSourceFile(file)
      const module = source && checker.getSymbolAtLocation(source)
      const names = new Map<string, Set<string>>()
      for (const each of module ? checker.getExportsOfModule(module) : []) {
        const isAlias = (each.flags & SymbolFlags.Alias) !== 0
        const symbol = isAlias ? checker.getAliasedSymbol(each) : each
        // Names of other packages are noted.
        const folder = dirname(file).replace(/^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+).*$/, '$1')
        const isOwn = symbol.declarations?.some((one) =>
          one.getSourceFile().fileName.startsWith(`${folder}/`),
        )
        if (!isOwn) continue
        const members = new Set<string>()
        for (const [name, member] of symbol.members ?? []) {
          const isHidden = member.declarations?.some(
            (one) =>
              (getCombinedModifierFlags(one) &
                (ModifierFlags.Private | ModifierFlags.Protected)) !==
              0,
          )
          // Others add to it.
          const isElsewhere = !member.declarations?.some(
            (one) => symbol.declarations?.[0]?.getSourceFile() === one.getSourceFile(),
          )
          const isType = (member.flags & SymbolFlags.TypeParameter) !== 0
          if (isPublic(String(name)) && !isHidden && !isType && !isElsewhere)
            members.add(String(name))
        }
        const [declaration] = symbol.declarations ?? []
        const own =
          declaration && 'name' in declaration ? (declaration.name as { text?: string }) : {}
        names.set(each.name === 'default' ? (own?.text ?? symbol.name) : each.name, members)
      }
      return [file, names]
    }),
  )
}

test.runIf(process.env['LONG'] === '1' && ts !== undefined)(
  'declarations of installed packages are those that the checker of TypeScript sees',
  async () => {
    if (!ts) return
    const packages = typedPackages(ts)
    const all = {
      packages: packages.length,
      otherFiles: 0,
      names: 0,
      lackingNames: 0,
      members: 0,
      lackingMembers: 0,
      damaged: 0,
    }
    const lacking: string[] = []
    const truths = checked(
      ts,
      packages.map(({ file }) => file),
    )
    for (const { name, folder, file } of packages) {
      const library = { ecosystem: 'npm', name, version: '1', group: 'dependencies' } as const
      const declarations = await npmDeclarations(library, folder)
      const [main] = declarations.modules
      if (join(folder, main?.file ?? '') !== file) {
        all.otherFiles++
        lacking.push(`${name}: ${main?.file} is not ${file}`)
        continue
      }
      const { names, notes } = await describeDeclarations(declarations)
      // The first line of the page says it.
      const isDamaged = notes.some((note) => note.includes('not in all parts'))
      if (isDamaged) all.damaged++
      const known = new Map<string, DeclaredName[]>()
      for (const each of names)
        for (const title of [each.name, ...each.aliases]) {
          const last = title.split('.').at(-1) ?? title
          known.set(last, [...(known.get(last) ?? []), each])
        }
      const assigned = names[0]
      for (const [exported, members] of truths.get(file) ?? []) {
        all.names++
        const isNameless = exported === 'default' || exported === 'export='
        const described =
          known.get(exported.split('.').at(-1) ?? '') ??
          (isNameless && assigned ? [assigned] : undefined)
        const isMember = assigned?.members.some((each) => each.name === exported)
        if (isMember || isDamaged) continue
        if (!described) {
          all.lackingNames++
          lacking.push(`${name}: ${exported}`)
          continue
        }
        const own = new Set(described.flatMap((each) => each.members.map(({ name: own }) => own)))
        const text = described.flatMap((each) => each.signatures).join(' ')
        for (const member of members) {
          all.members++
          if (own.has(member) || text.includes(member)) continue
          all.lackingMembers++
          lacking.push(`${name}: ${exported}.${member}`)
        }
      }
    }
    console.log(JSON.stringify(all), lacking.slice(0, 60).join('\n'))
    expect(all.packages).toBeGreaterThan(100)
    expect(all.lackingNames + all.lackingMembers, lacking.slice(0, 20).join('\n')).toBe(0)
    expect(all.otherFiles).toBe(0)
  },
  600_000,
)

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** Lowest first. A package may depend only on packages of lower layers. */
const layers = [
  ['@pith-mcp/base'],
  ['@pith-mcp/cleaner', '@pith-mcp/scorer', '@pith-mcp/paginator'],
  ['@pith-mcp/ssrf-guard'],
  ['@pith-mcp/formats', '@pith-mcp/code', '@pith-mcp/servers'],
  ['@pith-mcp/fetch', '@pith-mcp/scan', '@pith-mcp/sandbox', '@pith-mcp/journal'],
  ['@pith-mcp/sites', '@pith-mcp/installed', '@pith-mcp/oauth'],
  ['@pith-mcp/docs', '@pith-mcp/aggregator', '@pith-mcp/server-kit', '@pith-mcp/telemetry'],
  ['@pith-mcp/replicas'],
  ['@pith-mcp/console', '@pith-mcp/import', '@pith-mcp/meter', '@pith-mcp/registry'],
  ['@pith-mcp/docs-mcp', '@pith-mcp/aggregator-mcp', '@pith-mcp/code-mcp'],
]

/** The rooms of packages that know MCP, or run a program. */
const mcpRooms = [
  'packages/servers/src/protocol/',
  'packages/oauth/src/sdk-protocol.ts',
  ...['upstream/transport', 'server'].map((room) => `packages/aggregator/src/${room}/`),
  ...['http/serve-mcp-http.ts', 'tools/', 'run/'].map((room) => `packages/server-kit/src/${room}`),
]

const rank = new Map(layers.flatMap((names, index) => names.map((name) => [name, index] as const)))

interface Manifest {
  name: string
  private?: boolean
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const packages = ['packages', 'apps'].flatMap((room) =>
  readdirSync(room).map((name) => {
    const path = `${room}/${name}`
    const manifest = JSON.parse(readFileSync(`${path}/package.json`, 'utf8')) as Manifest
    const files = ['src', 'server'].flatMap((folder) => filesIn(`${path}/${folder}`))
    const inMcpRoom = (file: string) => mcpRooms.some((prefix) => file.startsWith(prefix))
    const source = textOf(files.filter((file) => !inMcpRoom(file)))
    const ofPrivate = privateModulesIn(textOf([...files, ...filesIn(`${path}/web`)]))
    return { path, room, ...manifest, source, ofPrivate }
  }),
)

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`)
}

function textOf(files: readonly string[]): string {
  return files.map((file) => readFileSync(file, 'utf8')).join('\n')
}

/** The modules of private packages that a source imports, as `@pith-mcp/base/table`. */
function privateModulesIn(source: string): string[] {
  const imports = source.matchAll(/'(?:#|@pith-mcp\/)(\w+\/[\w/-]+)'/g)
  return [...new Set([...imports].map(([, name = '']) => `@pith-mcp/${name}`))]
}

/** The name of a package in a specifier. */
const packageOf = (specifier: string): string =>
  /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier

/** The files of private packages that are compiled into one: what it imports, and what that imports. */
function filesCompiledInto({ ofPrivate }: (typeof packages)[number]): string[] {
  const fileOf = (module: string) => module.replace(/^@pith-mcp\/(\w+)/, 'packages/$1/src')
  const files = new Set(ofPrivate.map((module) => `${fileOf(module)}.ts`))
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    for (const module of privateModulesIn(text)) files.add(`${fileOf(module)}.ts`)
    for (const [, path = ''] of text.matchAll(/'(\.{1,2}\/[^']+\.ts)'/g))
      files.add(join(dirname(file), path))
  }
  return [...files]
}

const pure = packages.filter(({ name }) => rank.get(name) === 1)
const libraries = packages.filter(({ room }) => room === 'packages')

test('every package has a layer', () => {
  expect(packages.map(({ name }) => name).sort()).toEqual([...rank.keys()].sort())
})

test.for(packages)('$name depends only on lower layers', ({ name, dependencies, ofPrivate }) => {
  const above = (sibling: string) => (rank.get(sibling) ?? -1) >= (rank.get(name) ?? 0)
  const siblings = [...Object.keys(dependencies ?? {}), ...ofPrivate.map(packageOf)]
  expect(siblings.filter(above)).toEqual([])
})

test.for(packages)('$name has what private packages compiled into it need', (each) => {
  const { dependencies, optionalDependencies, peerDependencies, room } = each
  const needs = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  const withoutBuild = packages.filter((other) => other.private && !other.scripts?.['build'])
  expect(needs.filter((name) => withoutBuild.some((other) => other.name === name))).toEqual([])
  // What is not built uses the others from their own folders.
  if (room === 'apps' || withoutBuild.includes(each)) return
  const text = textOf(filesCompiledInto(each))
  for (const [, name = ''] of text.matchAll(/(?:from |import\()'(?!node:|\.|#)([^']+)'/g))
    expect(needs).toContain(packageOf(name))
  if (rank.get(each.name) === 1) expect(text).not.toContain("from 'node:")
})

test('base has what two packages use, and nothing else', () => {
  const modules = readdirSync('packages/base/src').map((file) => file.replace('.ts', ''))
  const users = (module: string) =>
    packages.filter(({ ofPrivate }) => ofPrivate.includes(`@pith-mcp/base/${module}`))
  expect(modules.filter((module) => users(module).length < 2)).toEqual([])
})

test.for(pure)('$name knows neither Node nor MCP', ({ source }) => {
  expect(source).not.toMatch(/from '(node:|@modelcontextprotocol\/)|\bBuffer\b/)
})

test.for(libraries)(
  '$name leaves the environment, the console and the process alone',
  ({ source }) => {
    expect(source).not.toMatch(/process\.(env|exit|std)|(?<!-)console\.\w/)
  },
)

test.for(libraries)('$name does not know MCP outside its room for it', ({ source }) => {
  expect(source).not.toMatch(/(?:from |import\()'@modelcontextprotocol\//)
})

test.for(packages)('$name has a README and a licence field', ({ path }) => {
  expect(existsSync(`${path}/README.md`)).toBe(true)
  expect(JSON.parse(readFileSync(`${path}/package.json`, 'utf8')).license).toBe('MIT')
})

/** What `pnpm house --json` says of one package. */
interface Survey {
  name: string
  /** Files that import one another, and folders that do; `import type` counts. */
  fileCycles: string[][]
  knots: string[][]
  /** Files that lie in none of the rooms of scripts/house/rooms.json. */
  strays: string[]
  /** `file → file` of a room that comes after its own. */
  violations: string[]
  /** Files outside the lowest room that more than 40 files import. */
  crowded: string[]
  /** Functions over 80 lines, with their names and places. */
  long: object[]
  /** Functions with more than 15 branches. */
  branched: { branches: number }[]
  /** Lines by what they hold. */
  kinds: { statements: number; comments: number; blanks: number; imports: number; types: number }
  fileLines: { max: number }
}

const {
  packages: surveys,
  settingPlaces,
  limits: figures,
  names,
} = JSON.parse(
  execFileSync(process.execPath, ['scripts/house.mjs', '--json'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  }),
) as {
  packages: Survey[]
  /** Places that declare each setting of an app. */
  settingPlaces: { app: string; name: string; places: number }[]
  /** What the limits limit, as it is. */
  limits: Limits
  /** Places of the other names of a call's `params`, and of aliases of bare properties. */
  names: { params: string[]; aliases: string[] }
}

/** Figures that only fall: `pnpm house --lower` lowers them to what is. */
interface Limits {
  /** `allowance`: lines that a change may add, all packages together, because it said so before. */
  source: { lines: number; allowance: number }
  statements: Record<string, number>
  files: number
  branched: { functions: number; most: number }
  names: { params: number; aliases: number }
}

const limits = JSON.parse(readFileSync('scripts/house/limits.json', 'utf8')) as Limits

test('the survey covers every package', () => {
  expect(surveys.map(({ name }) => `@pith-mcp/${name}`).sort()).toEqual([...rank.keys()].sort())
})

test('a setting is declared in one place', () => {
  expect(settingPlaces.length).toBeGreaterThan(20)
  expect(settingPlaces.filter(({ places }) => places > 1)).toEqual([])
})

test.for(surveys)('no function of $name has over 80 lines, no file over 300', (survey) => {
  expect(survey.long).toEqual([])
  expect(survey.fileLines.max).toBeLessThanOrEqual(300)
})

test.for(surveys)(
  'a room of $name imports only from rooms before it',
  ({ fileCycles, knots, strays, violations, crowded }) => {
    expect({ fileCycles, knots, strays, violations, crowded }).toEqual({
      fileCycles: [],
      knots: [],
      strays: [],
      violations: [],
      crowded: [],
    })
  },
)

test.for(surveys)('$name has no more statements than its limit', ({ name, kinds }) => {
  expect(kinds.statements).toBeLessThanOrEqual(
    (limits.statements[name] ?? 0) + limits.source.allowance,
  )
})

test('a tenth of the lines are comments', () => {
  const sum = (of: (survey: Survey) => number): number =>
    surveys.reduce((total, survey) => total + of(survey), 0)
  const lines = sum(({ kinds }) => Object.values(kinds).reduce((total, count) => total + count, 0))
  expect(sum(({ kinds }) => kinds.comments) / lines).toBeGreaterThan(0.1)
})

test('all packages together have no more lines and files than their limits', () => {
  const { lines, allowance } = limits.source
  expect(figures.source.lines).toBeLessThanOrEqual(lines + allowance)
  expect(figures.files).toBeLessThanOrEqual(limits.files + Math.ceil(allowance / 20))
})

test('functions with many branches get no more', () => {
  expect(figures.branched.functions).toBeLessThanOrEqual(limits.branched.functions)
  expect(figures.branched.most).toBeLessThanOrEqual(limits.branched.most)
})

test('a value keeps its name on its way', () => {
  expect(names.params.length, names.params.join('\n')).toBeLessThanOrEqual(limits.names.params)
  expect(names.aliases.length, names.aliases.join('\n')).toBeLessThanOrEqual(limits.names.aliases)
})

test('ARCHITECTURE.md shows all rooms of 50 lines and more, with sizes that are not far from theirs', async () => {
  const picture = new URL('../scripts/house/picture.mjs', import.meta.url).href
  const { withPicture } = (await import(picture)) as { withPicture(text: string): string }
  const written = readFileSync('ARCHITECTURE.md', 'utf8')
  const roomsIn = (text: string) =>
    [...text.matchAll(/([a-z][a-z-]*) +(\d+)(?= |$)/gm)].map(
      ([, room = '', size]) => [room, Number(size)] as const,
    )
  const [shown, latest] = [written, withPicture(written)].map((text) =>
    roomsIn(
      text.slice(text.indexOf('<!-- rooms -->'), text.indexOf('<!-- end of rooms -->')),
    ).sort(),
  )
  const roomsOf = (rooms = shown) => rooms?.map(([room]) => room)
  expect(roomsOf(), 'pnpm house --picture').toEqual(roomsOf(latest))
  const far = latest?.filter(
    ([, size], at) => Math.abs(size - (shown?.[at]?.[1] ?? 0)) > 2 + size / 10,
  )
  expect(far, 'pnpm house --picture').toEqual([])
})

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Lowest first. A package may depend only on packages of lower layers. */
const layers = [
  ['@pith-mcp/base'],
  ['@pith-mcp/cleaner', '@pith-mcp/scorer', '@pith-mcp/paginator'],
  ['@pith-mcp/ssrf-guard'],
  [
    '@pith-mcp/docs',
    '@pith-mcp/aggregator',
    '@pith-mcp/server-kit',
    '@pith-mcp/telemetry',
    '@pith-mcp/code',
  ],
  ['@pith-mcp/console', '@pith-mcp/import', '@pith-mcp/registry'],
  ['@pith-mcp/docs-mcp', '@pith-mcp/aggregator-mcp', '@pith-mcp/code-mcp'],
]

/** The rooms of packages that know MCP, or run a program. */
const mcpRooms = [
  ...['protocol', 'upstream/oauth', 'upstream/transport', 'server'].map(
    (room) => `packages/aggregator/src/${room}/`,
  ),
  ...['http/serve-mcp-http.ts', 'tools/', 'run/'].map((room) => `packages/server-kit/src/${room}`),
]

const rank = new Map(layers.flatMap((names, index) => names.map((name) => [name, index] as const)))

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const packages = ['packages', 'apps'].flatMap((room) =>
  readdirSync(room).map((name) => {
    const path = `${room}/${name}`
    const manifest = JSON.parse(readFileSync(`${path}/package.json`, 'utf8')) as Manifest
    const files = ['src', 'server'].flatMap((folder) => filesIn(`${path}/${folder}`))
    const inMcpRoom = (file: string) => mcpRooms.some((prefix) => file.startsWith(prefix))
    const source = textOf(files.filter((file) => !inMcpRoom(file)))
    return {
      path,
      room,
      ...manifest,
      source,
      ofBase: baseModulesIn(textOf([...files, ...filesIn(`${path}/web`)])),
    }
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

/** The modules of packages/base that a source imports. */
function baseModulesIn(source: string): string[] {
  const imports = source.matchAll(/'(?:#base|@pith-mcp\/base)\/([\w-]+)'/g)
  return [...new Set([...imports].map(([, name = '']) => name))]
}

const pure = packages.filter(({ name }) => rank.get(name) === 1)
const libraries = packages.filter(({ room }) => room === 'packages')

test('every package has a layer', () => {
  expect(packages.map(({ name }) => name).sort()).toEqual([...rank.keys()].sort())
})

test.for(packages)('$name depends only on lower layers', ({ name, dependencies = {} }) => {
  const above = (sibling: string) => (rank.get(sibling) ?? -1) >= (rank.get(name) ?? 0)
  expect(Object.keys(dependencies).filter(above)).toEqual([])
})

test.for(packages)('$name has of base what is compiled into it, and what that needs', (each) => {
  const { dependencies = {}, peerDependencies = {}, ofBase, room } = each
  expect({ ...dependencies, ...peerDependencies }).not.toHaveProperty('@pith-mcp/base')
  if (room === 'apps') return
  const compiled = textOf(ofBase.map((name) => `packages/base/src/${name}.ts`))
  for (const [, name = ''] of compiled.matchAll(/from '(?!node:|\.)([^']+)'/g))
    expect(dependencies).toHaveProperty(name)
  if (rank.get(each.name) === 1) expect(compiled).not.toContain("from 'node:")
})

test('base has what two packages use, and nothing else', () => {
  const modules = readdirSync('packages/base/src').map((file) => file.replace('.ts', ''))
  const users = (module: string) => packages.filter(({ ofBase }) => ofBase.includes(module))
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
  sharedLines,
  settingPlaces,
  spread,
  twins,
  bareNames,
} = JSON.parse(
  execFileSync(process.execPath, ['scripts/house.mjs', '--json'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  }),
) as {
  packages: Survey[]
  /** Lines of apps that another app has too. */
  sharedLines: { path: string; lines: number[] }[]
  /** Places that declare each setting of an app. */
  settingPlaces: { app: string; name: string; places: number }[]
  /** Files, folders and packages whose source mentions a subject. */
  spread: { name: string; files: number; folders: number; packages: number }[]
  /** Declarations of two packages: alike under one name, or the same under two. */
  twins: {
    sameName: { name: string; places: string[] }[]
    sameTokens: { names: string[]; places: string[] }[]
  }
  /** Places of names that say a state instead of a thing. */
  bareNames: string[]
}

/**
 * Figures that a change may lower; only a line in the decisions raises one. Statements are rounded up to
 * hundreds, which leaves room for small additions.
 */
const limits = JSON.parse(readFileSync('scripts/house/limits.json', 'utf8')) as {
  statements: Record<string, number>
  branched: { functions: number; most: number }
  filesOf: Record<string, number>
  /** Names that two packages declare alike. */
  twins: number
  /** Names that are participles, adjectives or pronouns. */
  bareNames: number
}

test('the survey covers every package', () => {
  expect(surveys.map(({ name }) => `@pith-mcp/${name}`).sort()).toEqual([...rank.keys()].sort())
})

test('apps share their lines by a package', () => {
  expect(sharedLines).toEqual([])
})

test('what two packages need is declared once', () => {
  expect(twins.sameTokens).toEqual([])
  expect(twins.sameName.map(({ name }) => name).length).toBeLessThanOrEqual(limits.twins)
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
  expect(kinds.statements).toBeLessThanOrEqual(limits.statements[name] ?? 0)
})

test('a tenth of the lines are comments', () => {
  const sum = (of: (survey: Survey) => number): number =>
    surveys.reduce((total, survey) => total + of(survey), 0)
  const lines = sum(({ kinds }) => Object.values(kinds).reduce((total, count) => total + count, 0))
  expect(sum(({ kinds }) => kinds.comments) / lines).toBeGreaterThan(0.1)
})

test('functions with many branches get no more', () => {
  const branched = surveys.flatMap((survey) => survey.branched)
  expect(branched.length).toBeLessThanOrEqual(limits.branched.functions)
  const most = Math.max(0, ...branched.map(({ branches }) => branches))
  expect(most).toBeLessThanOrEqual(limits.branched.most)
})

test.for(spread)('$name is mentioned in no more files than its limit', ({ name, files }) => {
  expect(files).toBeGreaterThan(0)
  expect(files).toBeLessThanOrEqual(limits.filesOf[name] ?? 0)
})

test('names say what a value is', () => {
  expect(bareNames.length, bareNames.join('\n')).toBeLessThanOrEqual(limits.bareNames)
})

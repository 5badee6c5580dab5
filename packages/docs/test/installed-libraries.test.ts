import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterEach, expect, test } from 'vitest'
import { createManuals } from '../../installed/src/libraries/library-manual.ts'
import type { Project } from '../../installed/src/libraries/open-project.ts'
import { createProject, type ProjectFiles, packageFiles } from './project-fixture.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function openProject(
  files: ProjectFiles,
): Promise<{ folder: string; docs: Docs; write(more: ProjectFiles): Promise<void> }> {
  const project = await createProject(files)
  ends.push(project.remove)
  const docs = await createDocs({ project: { folder: project.folder } })
  ends.push(docs.close)
  return { ...project, docs }
}

const widgets = packageFiles('node_modules/widgets', 'widgets', '4.2.1')
const manifest = { dependencies: { widgets: '^4.0.0' } }
const lines = (...all: string[]): string => `${all.join('\n')}\n`

test.each<[lockfile: string, text: string | object]>([
  ['package-lock.json', { packages: { 'node_modules/widgets': { version: '4.3.0' } } }],
  ['npm-shrinkwrap.json', { dependencies: { widgets: { version: '4.3.0' } } }],
  [
    'pnpm-lock.yaml',
    lines(
      "lockfileVersion: '9.0'",
      'importers:',
      '  .:',
      '    dependencies:',
      '      widgets:',
      '        specifier: ^4.0.0',
      '        version: 4.3.0(react@18.0.0)',
    ),
  ],
  ['yarn.lock', lines('widgets@^4.0.0:', '  version "4.3.0"', '  resolved "x"')],
  [
    'yarn.lock',
    lines('__metadata:', '  version: 8', '', '"widgets@npm:^4.0.0":', '  version: 4.3.0'),
  ],
  ['bun.lock', lines('{ "packages": {', '    "widgets": ["widgets@4.3.0", "", {}, "sha"],', '} }')],
])('%s plans, and what is installed answers', async (lockfile, text) => {
  const { docs } = await openProject({ 'package.json': manifest, ...widgets, [lockfile]: text })
  expect(await docs.libraries()).toMatchObject([
    { name: 'widgets', version: '4.2.1', planned: { version: '4.3.0', lockfile } },
  ])
  const { sources } = await docs.search('version', { source: 'widgets' })
  expect(sources[0]?.via).toBe(`widgets 4.2.1 (${lockfile} plans 4.3.0), installed: README`)
  const { origin } = await docs.content('widgets@4.2.1/README.md')
  expect(origin.library).toContain('plans 4.3.0')
})

test('a link to a project of its own is named, and not read', async () => {
  const other = await createProject({ ...packageFiles('widgets', 'widgets', '9.9.9') })
  ends.push(other.remove)
  const stored = await createProject({ ...packageFiles('node_modules/tools', 'tools', '2.0.0') })
  ends.push(stored.remove)
  const dependencies = { widgets: '*', tools: '*' }
  const { folder, docs } = await openProject({ 'package.json': { dependencies } })
  await mkdir(join(folder, 'node_modules'))
  await symlink(join(other.folder, 'widgets'), join(folder, 'node_modules/widgets'))
  // A store of a package manager, which all projects share.
  await symlink(join(stored.folder, 'node_modules/tools'), join(folder, 'node_modules/tools'))
  const libraries = await docs.libraries()
  expect(libraries.find(({ name }) => name === 'tools')).toMatchObject({ version: '2.0.0' })
  const widgets = libraries.find(({ name }) => name === 'widgets')
  expect(widgets).toMatchObject({ version: '', absence: expect.stringContaining('outside') })
  await expect(docs.content('widgets/README.md')).rejects.toThrow()
})

test('a package that is only in the lockfile is listed, and says so', async () => {
  const lock = { packages: { 'node_modules/widgets': { version: '4.3.0' } } }
  const { docs } = await openProject({ 'package.json': manifest, 'package-lock.json': lock })
  expect(await docs.libraries()).toMatchObject([{ version: '4.3.0', isInstalled: false }])
  await expect(docs.search('x', { source: 'widgets' })).rejects.toThrow(
    /widgets 4\.3\.0 is in package-lock\.json of .*, but not installed/,
  )
})

test('a package in an archive of Plug’n’Play is listed, and says so', async () => {
  const lock = 'widgets@^4:\n  version: 4.3.0\n'
  const files = { 'package.json': manifest, 'yarn.lock': lock, '.pnp.cjs': '' }
  const { docs } = await openProject(files)
  expect(await docs.libraries()).toMatchObject([{ isInstalled: false }])
  await expect(docs.search('x', { source: 'widgets' })).rejects.toThrow(
    /in yarn\.lock of .*, but in an archive of Plug’n’Play/,
  )
})

test('versions in folders of packages are answers, although a lockfile does not tell them', async () => {
  const nested = (version: string) => JSON.stringify({ name: 'widgets', version })
  const { docs } = await openProject({
    'package.json': manifest,
    'yarn.lock': 'widgets@^4:\n  version: 4.2.1\n',
    'node_modules/widgets/package.json': nested('4.2.1'),
    'node_modules/a/node_modules/@b/c/node_modules/widgets/package.json': nested('2.0.0'),
    'node_modules/a/node_modules/@b/c/node_modules/widgets/README.md': '# Old widgets',
  })
  expect((await docs.content('widgets@2')).markdown).toContain('Old widgets')
})

test('a version is matched by whole numbers, and the nearest is named if none matches', async () => {
  const file = (version: string) => JSON.stringify({ name: 'widgets', version })
  const { docs } = await openProject({
    'package.json': manifest,
    'node_modules/widgets/package.json': file('40.1.0'),
    'node_modules/widgets/README.md': '# Widgets of 40',
    'node_modules/a/node_modules/widgets/package.json': file('4.2.1'),
    'node_modules/a/node_modules/widgets/README.md': '# Widgets of 4',
  })
  expect((await docs.content('widgets@4')).markdown).toBe('# Widgets of 4')
  await expect(docs.content('widgets@4.3')).rejects.toMatchObject({
    remedy: expect.stringContaining('"widgets@4.2.1"'),
  })
})

test('an alias says the name of its package, and a manifest that is too large that it is not read', async () => {
  const { docs } = await openProject({
    'package.json': { dependencies: { gears: 'npm:widgets@4', large: '1' } },
    'node_modules/gears/package.json': { name: 'widgets', version: '4.2.1' },
    'node_modules/gears/README.md': '# Widgets',
    'node_modules/large/package.json': `{"name":"large"}${' '.repeat(2 ** 20)}`,
  })
  const { origin } = await docs.content('gears')
  expect(origin.library).toBe('gears 4.2.1 (widgets), installed: README')
  await expect(docs.content('large')).rejects.toThrow(
    /large is in the manifest of .*, but its package\.json has over 1 MB, or is not a JSON object\./,
  )
})

test('a package without anything to read is an error that says so', async () => {
  const { docs } = await openProject({
    'package.json': manifest,
    'node_modules/widgets/package.json': { name: 'widgets', version: '4.2.1' },
  })
  await expect(docs.search('x', { source: 'widgets' })).rejects.toThrow(
    'widgets 4.2.1 has no README, docs or declarations.',
  )
})

test('the pages of a search are looked up in one list of the pages of a library', async () => {
  const { folder, remove } = await createProject(packageFiles('widgets', 'widgets', '4.2.1'))
  ends.push(remove)
  const project = { versionsOf: async () => [] } as unknown as Project
  const { manualOf, recentManualOf } = createManuals(project, undefined, 10)
  const place = join(folder, 'widgets')
  const library = {
    ecosystem: 'npm',
    name: 'widgets',
    version: '4.2.1',
    group: 'dependencies',
  } as const
  const recent = recentManualOf({ ...library, folder: place })
  expect(recentManualOf({ ...library, folder: place })).toBe(recent)
  expect(recentManualOf({ ...library, version: '5.0.0', folder: place })).not.toBe(recent)
  expect((await recent).pages.map(({ url }) => url)).toEqual(['widgets@4.2.1/README.md'])
  expect(manualOf({ ...library, folder: place })).not.toBe(recent)
})

test('a Python project serves what its environment has', async () => {
  const site = '.venv/lib/python3.12/site-packages'
  const metadata = lines(
    'Metadata-Version: 2.1',
    'Name: Wid_Gets',
    'Description-Content-Type: text/markdown',
    '',
    '# Wid Gets',
    'Turns cranks.',
  )
  const record = lines(
    'wid_gets/__init__.py,sha256=x,1',
    'wid_gets/docs/guide.md,,',
    '../../../x.md,,',
  )
  const { docs } = await openProject({
    'pyproject.toml': lines('[project]', 'dependencies = ["wid.gets[all]>=1", "absent"]'),
    'uv.lock': lines(
      '[[package]]',
      'name = "wid-gets"',
      'version = "1.5"',
      '',
      '[[package]]',
      'name = "absent"',
      'version = "2"',
    ),
    [`${site}/wid_gets-1.4.dist-info/METADATA`]: metadata,
    [`${site}/wid_gets-1.4.dist-info/RECORD`]: record,
    [`${site}/wid_gets/docs/guide.md`]: '# Guide\n\nHow cranks turn.',
    '.venv/x.md': '# Outside',
  })
  expect(await docs.libraries()).toMatchObject([
    {
      name: 'wid-gets',
      version: '1.4',
      planned: { version: '1.5', lockfile: 'uv.lock' },
      docsPages: 1,
    },
    { name: 'absent', version: '2', isInstalled: false },
  ])
  const { hits } = await docs.search('cranks', { source: 'Wid-Gets@1.4' })
  expect(hits.map(({ url }) => url).sort()).toEqual([
    'wid-gets@1.4/README.md#wid-gets',
    'wid-gets@1.4/wid_gets/docs/guide.md#guide',
  ])
})

test('pins of requirements are the plan without a lockfile', async () => {
  const { docs } = await openProject({
    'requirements-dev.txt': lines('# x', 'widgets == 3.1', '-r other.txt'),
  })
  expect(await docs.libraries()).toMatchObject([
    { ecosystem: 'Python', name: 'widgets', version: '3.1', isInstalled: false },
  ])
})

test('a version that is not installed is an error with both, and the nearest by its name', async () => {
  const { docs } = await openProject({ 'package.json': manifest, ...widgets })
  for (const ask of [
    () => docs.search('x', { source: 'widgets@3' }),
    () => docs.toc('widgets@3'),
    () => docs.content('widgets@3/README.md'),
  ])
    await expect(ask()).rejects.toMatchObject({
      message: expect.stringMatching(/widgets "3" is not installed: .* has widgets 4\.2\.1/),
      remedy: expect.stringContaining('"widgets@4.2.1"'),
    })
  for (const version of ['4', 'v4.2', '4.2.1', '4.x'])
    expect((await docs.toc(`widgets@${version}`)).origin.library).toMatch(/^widgets 4\.2\.1/)
})

test('a name that is not installed is an error with the nearest names', async () => {
  const { docs } = await openProject({ 'package.json': manifest, ...widgets })
  await expect(docs.search('x', { source: 'midgets' })).rejects.toMatchObject({
    code: 'not_found',
    remedy: expect.stringContaining('Nearest: widgets'),
  })
  await expect(docs.toc('gadgets')).rejects.toThrow(/"gadgets" is not installed/)
})

test('of several installed versions the requested one answers', async () => {
  const { docs } = await openProject({
    'package.json': manifest,
    ...widgets,
    ...packageFiles('node_modules/gears/node_modules/widgets', 'widgets', '3.0.2'),
    'package-lock.json': {
      packages: {
        'node_modules/widgets': { version: '4.2.1' },
        'node_modules/gears/node_modules/widgets': { version: '3.0.2' },
      },
    },
  })
  expect((await docs.content('widgets@3')).markdown).toContain('version 3.0.2')
  const { sources } = await docs.search('version', { source: 'widgets' })
  expect(sources[0]?.via).toBe('widgets 4.2.1, installed: README; also installed: 3.0.2')
})

test('a llms.txt, docs, agents’ files, upgrade guides and the change log are pages of the package', async () => {
  const { docs } = await openProject({
    'package.json': manifest,
    ...packageFiles('node_modules/widgets', 'widgets', '4.2.1', {
      'llms.txt': '# Widgets\n\n- [Levers](guide/levers.md)\n- [Web](https://example.org/x.md)',
      'guide/levers.md': '# Levers\n\nPull sprockets.',
      'dist/docs/01-app/cranks.mdx': '# Cranks\n\nTurn sprockets.',
      'AGENTS.md': '# Agents\n\nOil sprockets.',
      'skills/deep/tuning/SKILL.md': '# Tuning\n\nTune sprockets.',
      'CHANGELOG.md': '# 4.2.1\n\nFewer sprockets.',
      'UPGRADING.md': '# To 4.0\n\nReplace sprockets.',
      'MIGRATION-GUIDE.md': '# From gears\n\nDrop sprockets.',
      'src/notes.md': '# Notes\n\nHidden sprockets.',
    }),
  })
  const { hits, sources } = await docs.search('sprockets', { source: 'widgets', maxResults: 10 })
  expect(hits.map(({ url }) => url.replace(/#.*/, '')).sort()).toEqual([
    'widgets@4.2.1/AGENTS.md',
    'widgets@4.2.1/CHANGELOG.md',
    'widgets@4.2.1/MIGRATION-GUIDE.md',
    'widgets@4.2.1/UPGRADING.md',
    'widgets@4.2.1/dist/docs/01-app/cranks.mdx',
    'widgets@4.2.1/guide/levers.md',
    'widgets@4.2.1/skills/deep/tuning/SKILL.md',
  ])
  expect(sources[0]?.via).toBe('widgets 4.2.1, installed: README, docs and change log')
})

test('without a source, all direct packages are searched; their pages say which', async () => {
  const { docs } = await openProject({
    'package.json': { dependencies: { widgets: '*' }, devDependencies: { gears: '*' } },
    ...widgets,
    ...packageFiles('node_modules/gears', 'gears', '1.0.0'),
    ...packageFiles('node_modules/hidden', 'hidden', '1.0.0'),
  })
  const { hits } = await docs.search('version')
  expect(hits.map(({ url }) => url.replace(/#.*/, '')).sort()).toEqual([
    'gears@1.0.0/README.md',
    'widgets@4.2.1/README.md',
  ])
  expect((await docs.content('hidden')).origin.library).toMatch(/^hidden 1\.0\.0/)
})

test('a link in node_modules leads to the package of pnpm; the workspace has packages too', async () => {
  const store = 'node_modules/.pnpm/@acme+widgets@4.2.1_react@18/node_modules/@acme/widgets'
  const { docs, folder } = await openProject({
    'package.json': { name: 'root', dependencies: { '@acme/widgets': '^4' } },
    'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\n  - '!packages/old'\n",
    ...packageFiles(store, '@acme/widgets', '4.2.1'),
    ...packageFiles('packages/own', 'own', '0.1.0'),
    ...packageFiles('packages/old', 'old', '0.1.0'),
  })
  await mkdir(join(folder, 'node_modules/@acme'))
  await symlink(join(folder, store), join(folder, 'node_modules/@acme/widgets'))
  expect((await docs.libraries()).map(({ name, group }) => [name, group])).toEqual([
    ['@acme/widgets', 'dependencies'],
    ['own', 'workspace'],
  ])
  const { hits } = await docs.search('version', { source: '@acme/widgets@4' })
  expect(hits[0]?.url).toBe('@acme/widgets@4.2.1/README.md#acmewidgets')
})

test('what is installed later is seen, with another version of the same size and date too', async () => {
  const { docs, write } = await openProject({ 'package.json': manifest, ...widgets })
  expect((await docs.content('widgets')).markdown).toContain('4.2.1')
  await write(packageFiles('node_modules/widgets', 'widgets', '4.2.2'))
  await write({ 'node_modules/.package-lock.json': '{}' })
  expect((await docs.content('widgets')).markdown).toContain('4.2.2')
})

test('docs-mcp.json adds and leaves out names, and nothing else', async () => {
  const { docs, write } = await openProject({
    'package.json': { dependencies: { widgets: '*', gears: '*' } },
    ...widgets,
    ...packageFiles('node_modules/gears', 'gears', '1.0.0'),
    ...packageFiles('node_modules/levers', 'levers', '2.0.0'),
    'docs-mcp.json': { add: ['levers@2'], leaveOut: ['gears'] },
  })
  expect((await docs.libraries()).map(({ name, group }) => `${name} ${group}`)).toEqual([
    'levers added',
    'widgets dependencies',
  ])
  for (const [content, message] of [
    [{ hosts: ['example.org'] }, /unknown key "hosts"/],
    [{ __proto__: null, add: ['../secret'] }, /“add” .* is not a list of names/],
    [{ add: 'levers' }, /“add”/],
    ['[]', /not a JSON object/],
    ['{"__proto__": []}', /unknown key "__proto__"/],
  ] as const) {
    await write({ 'docs-mcp.json': content })
    await expect(docs.libraries()).rejects.toThrow(message)
  }
})

test('nothing outside of a package is read', async () => {
  const { docs, folder } = await openProject({
    'package.json': { dependencies: { widgets: '*', '../../secret': '*', secret: '*' } },
    ...packageFiles('node_modules/widgets', 'widgets', '4.2.1', {
      'llms.txt':
        '- [up](../../secret/page.md)\n- [link](linked.md)\n- [etc](/../../secret/page.md)',
      'guide.md': '# Guide',
    }),
    'secret/page.md': '# Secret\n\nSecret words.',
  })
  const inside = (path: string): string => join(folder, 'node_modules', path)
  await symlink(join(folder, 'secret/page.md'), inside('widgets/linked.md'))
  await symlink(join(folder, 'secret/page.md'), inside('widgets/CHANGELOG.md'))
  await symlink(join(folder, 'secret'), inside('widgets/docs'))
  await symlink(join(folder, 'secret'), inside('widgets/dist'))
  // No package: a link to a folder without a manifest.
  await symlink(join(folder, 'secret'), inside('secret'))
  expect((await docs.libraries()).map(({ name, isInstalled }) => [name, isInstalled])).toEqual([
    ['widgets', true],
    ['secret', false],
  ])
  expect((await docs.search('words', { source: 'widgets' })).hits).toEqual([])
  for (const page of [
    'linked.md',
    'docs/page.md',
    '../../secret/page.md',
    '%2e%2e/%2e%2e/secret/page.md',
  ])
    await expect(docs.content(`widgets@4.2.1/${page}`)).rejects.toThrow(/has no page/)
})

test('files of a wrong shape are no packages, and names of objects are names', async () => {
  const { docs } = await openProject({
    'package.json':
      '{"dependencies": {"__proto__": "1", "constructor": "1", "widgets": 4, "list": "1"}, "workspaces": 7}',
    'node_modules/list/package.json': '["list"]',
    'node_modules/constructor/package.json': '{"name": 7, "version": {"a": 1}, "exports": [[[]]]}',
    'node_modules/__proto__/package.json': '{"name": "__proto__", "version": "1.0.0"}',
    'pnpm-lock.yaml': `importers:\n   .:\n${' '.repeat(501)}x: 1\n${' '.repeat(99_999)}\n`,
    'package-lock.json': '{"packages": {"__proto__": {"version": "9"}, "node_modules/list": 3}}',
  })
  expect((await docs.libraries()).map(({ name, version }) => `${name} ${version}`)).toEqual([
    '__proto__ 1.0.0',
    'constructor ',
    'list ',
  ])
  expect(Object.hasOwn(Object.prototype, 'version')).toBe(false)
})

test('a folder without a project, and one with sources, answer as before', async () => {
  const { folder } = await createProject({ 'a.md': '# A' })
  const docs = await createDocs({ sources: [folder] })
  ends.push(docs.close)
  expect(await docs.libraries()).toEqual([])
  await expect(docs.search('x', { source: 'widgets' })).rejects.toThrow(/no source named "widgets"/)
})

test('blanks in a list of workspaces do not hold up what is installed', async () => {
  const workspace = `packages:\n  -${' '.repeat(4_000)}""x\n`
  const files = { 'package.json': manifest, ...widgets, 'pnpm-workspace.yaml': workspace }
  const { docs } = await openProject(files)
  expect(await docs.libraries()).toMatchObject([{ name: 'widgets' }])
})

test('patterns of exports follow no links', async () => {
  const patterns = Array.from({ length: 30 }, (_, at) => [`./${at}/*`, './types/*.d.ts'])
  const { folder, docs, write } = await openProject({ 'package.json': manifest, ...widgets })
  await write({
    'node_modules/widgets/package.json': {
      name: 'widgets',
      version: '4.2.1',
      exports: Object.fromEntries(patterns),
    },
    'node_modules/widgets/types/crank.d.ts': 'export declare function crank(): void',
  })
  for (const name of ['a', 'b', 'c'])
    await symlink('.', join(folder, 'node_modules/widgets/types', name))
  expect(await docs.libraries()).toMatchObject([{ types: 'widgets 4.2.1' }])
})

test.each([
  'packages:\n  - \'packages/*\' # ours\n  - "!packages/old"\n',
  'packages: ["packages/*", "!packages/old"]\n',
  'packages: # all of ours\n- packages/*\n- "!packages/old"\n',
  "all: &all\r\n  - packages/*\r\n  - '!packages/old'\r\npackages: *all\r\n",
  '{"packages": ["packages/*", "!packages/old"]}',
])('members of a workspace, however they are listed: %j', async (yaml) => {
  const { docs } = await openProject({
    'package.json': { name: 'root' },
    'pnpm-workspace.yaml': yaml,
    ...packageFiles('packages/own', 'own', '0.1.0'),
    ...packageFiles('packages/old', 'old', '0.1.0'),
  })
  expect((await docs.libraries()).map(({ name }) => name)).toEqual(['own'])
})

test.each([
  '[project]\ndependencies = ["wheel>1", \'gear\']\n[dependency-groups]\ndev = ["lever"]\n',
  'project = { dependencies = ["wheel>1", "gear"] }\ndependency-groups = { dev = ["lever"] }\n',
  '[project] # ours\r\ndependencies = [\r\n  "wheel>1", # first\r\n  "gear",\r\n]\r\n[dependency-groups]\r\ndev = ["lever", {include-group = "x"}]\r\n',
  '[tool.poetry.dependencies]\npython = "^3"\nwheel = "1"\n"gear" = {version = "2"}\n[tool.poetry.group.dev.dependencies]\nlever = "*"\n',
  'tool.poetry.dependencies.wheel = "1"\ntool.poetry.dependencies.gear = "2"\ntool.poetry.dev-dependencies.lever = "*"\n',
])('dependencies of a pyproject.toml, however they are written: %j', async (toml) => {
  const { docs } = await openProject({ 'pyproject.toml': toml })
  expect((await docs.libraries()).map(({ name, group }) => [name, group])).toEqual([
    ['wheel', 'dependencies'],
    ['gear', 'dependencies'],
    ['lever', 'devDependencies'],
  ])
})

test('what Debian and setup.py installed is installed', async () => {
  const site = '.venv/lib/python3.12/site-packages'
  const info = (name: string, version: string) => `Name: ${name}\nVersion: ${version}\n\n# ${name}`
  const { docs } = await openProject({
    'pyproject.toml': '[project]\ndependencies = ["wheel", "gear", "lever", "py-rope"]',
    [`${site}/wheel-1.2.egg-info/PKG-INFO`]: info('wheel', '1.2'),
    [`${site}/wheel-1.2.egg-info/top_level.txt`]: 'wheel\n',
    [`${site}/wheel/__init__.py`]: 'def turn(): "Turns it."',
    [`${site}/gear-2.0-py3.11.egg-info`]: info('gear', '2.0'),
    [`${site}/lever.egg-info/PKG-INFO`]: info('lever', '3.1'),
    [`${site}/py_rope-4.dist-info/METADATA`]: info('py-rope', '4'),
    [`${site}/rope/knots.py`]: 'def tie(): pass',
  })
  expect((await docs.libraries()).map(({ name, version }) => [name, version])).toEqual([
    ['wheel', '1.2'],
    ['gear', '2.0'],
    ['lever', '3.1'],
    ['py-rope', '4'],
  ])
  expect((await docs.content('gear')).markdown).toContain('gear')
})

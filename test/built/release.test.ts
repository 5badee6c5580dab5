import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedLibraries, publishedPaths } from '../published.ts'
import { openRegistry, type Registry } from './release/open-registry.ts'

const run = promisify(execFile)

let folder: string
let registry: Registry

test('every package says that it is public, and published with provenance', () => {
  for (const path of publishedPaths) {
    const { publishConfig, license } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'))
    expect({ path, publishConfig, license }).toMatchObject({
      path,
      publishConfig: { access: 'public', provenance: true },
      license: 'MIT',
    })
  }
})

// A rehearsal of the release: all packages are packed and published at the next version.
describe.runIf(process.env['LONG'] === '1')('the next release', () => {
  /** The repository at its next version, and a registry that its packages were published to. */
  beforeAll(async () => {
    registry = await openRegistry()
    folder = mkdtempSync(join(tmpdir(), 'pith-released-'))
    copyRepository()
    await run('pnpm', ['run', 'version'], { cwd: folder })
    // Provenance can be had on machines of GitHub only.
    for (const path of publishedPaths)
      edit(path, ({ publishConfig, ...rest }) => ({
        ...rest,
        publishConfig: { ...Object(publishConfig), provenance: undefined },
      }))
    await run('pnpm', ['run', 'archives'], { cwd: folder })
    const userconfig = join(folder, 'artifacts/npmrc')
    const token = `${registry.url.replace('http:', '')}:_authToken=x`
    writeFileSync(userconfig, `${token}\n`)
    const env = {
      ...process.env,
      npm_config_registry: registry.url,
      npm_config_userconfig: userconfig,
    }
    await run('npm', ['run', 'release'], { cwd: folder, env })
  }, 400_000)

  afterAll(async () => {
    await registry?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  describe.each(publishedPaths)('a release of %s', (path) => {
    test('has the next version, and says in its changelog what is new', () => {
      const { name, version } = manifest(path)
      expect(version).toBe(nextVersion())
      const changelog = readFileSync(join(folder, path, 'CHANGELOG.md'), 'utf8')
      expect(changelog).toMatch(`# ${name}\n\n## ${version}\n`)
      if (version === '0.1.0') expect(changelog.split('\n').length).toBeLessThanOrEqual(41)
    })

    test('is published with what it needs and nothing else', () => {
      const { name, version, bin, publishConfig, exports = {} } = manifest(path)
      const published = registry.packages.get(name)
      expect(published?.version).toBe(version)
      const entries = bin ?? publishConfig.exports ?? exports
      const wanted = Object.values<string | { default: string }>(entries)
        .map((entry) => (typeof entry === 'string' ? entry : entry.default))
        .filter((entry) => !entry.includes('*'))
      for (const entry of wanted) expect(published?.files).toContain(entry.replace('./', ''))
      expect(published?.files).toEqual(
        expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE']),
      )
      expect(
        published?.files.filter(
          (file) =>
            !/^(package\.json|README\.md|CHANGELOG\.md|LICENSE|(dist|src|grammars)\/.*)$/.test(
              file,
            ),
        ),
      ).toEqual([])
      expect(published?.manifest).not.toMatch(/"(workspace|catalog|link|file):/)
    })
  })

  test('plugins start the servers that were released', () => {
    for (const app of ['docs-mcp', 'code-mcp', 'aggregator-mcp'])
      for (const file of ['mcp.json', '.mcp.json'])
        expect(readFileSync(join(folder, 'plugins', app, file), 'utf8')).toContain(
          `"@pith-mcp/${app}@${nextVersion()}"`,
        )
  })

  test('what others need is published before them', () => {
    const order = [...registry.packages.keys()]
    for (const [at, name] of order.entries())
      for (const [, need = ''] of (registry.packages.get(name)?.manifest ?? '').matchAll(
        /"(@pith-mcp\/[\w-]+)":\s*"[\d^]/g,
      ))
        expect(order.slice(0, at)).toContain(need)
  })

  test('the entries for the MCP Registry have the next version', () => {
    for (const app of readdirSync('apps')) {
      const entry = JSON.parse(readFileSync(join(folder, `apps/${app}/server.json`), 'utf8'))
      expect([entry.version, entry.packages[0].version]).toEqual([nextVersion(), nextVersion()])
    }
  })

  test('the notes of the release say what is new, each thing once', async () => {
    for (const app of readdirSync('apps')) writeFileSync(join(folder, `artifacts/${app}.mcpb`), app)
    await run(process.execPath, ['scripts/describe-release.mjs'], { cwd: folder })
    const notes = readFileSync(join(folder, 'artifacts/notes.md'), 'utf8')
    const news = readdirSync('.changeset').filter((name) => name.endsWith('.md'))
    for (const name of news) {
      const [, head = '', text = ''] = readFileSync(`.changeset/${name}`, 'utf8').split('---')
      const [line = ''] = text.trim().split('\n')
      const [section = '', ...more] = notes.split(/^(?=## )/m).filter((each) => each.includes(line))
      expect(more).toEqual([])
      const [title = ''] = section.split('\n')
      for (const [, of] of head.matchAll(/'@pith-mcp\/([\w-]+)'/g))
        expect(title.replace('## ', '').split(', ')).toContain(of)
    }
    expect(notes).not.toMatch(/Updated dependencies|^ +- @pith-mcp|^## \d|[\da-f]{7}: /m)
  })

  test.runIf(process.env['LONG'] === '1')(
    'the bills of materials say what is released, and nothing of the machine',
    async () => {
      await run(process.execPath, ['scripts/gather-boms.mjs'], { cwd: folder })
      const bomOf = (name: string) =>
        readFileSync(join(folder, `artifacts/${name}.cdx.json`), 'utf8')
      for (const name of [...readdirSync('apps'), 'libraries']) {
        const { metadata, components } = JSON.parse(bomOf(name))
        expect(Date.parse(metadata.timestamp)).toBeGreaterThan(0)
        expect(components.length).toBeGreaterThan(5)
        expect(bomOf(name)).not.toMatch(/file:|artifacts|"installed/)
      }
      expect(JSON.parse(bomOf('libraries')).metadata.component.version).toBe(nextVersion())
      for (const name of publishedLibraries)
        expect(bomOf('libraries')).toContain(`pkg:npm/%40pith-mcp/${name}@${nextVersion()}`)
      for (const name of readdirSync('apps'))
        expect(bomOf('libraries')).not.toContain(`pkg:npm/%40pith-mcp/${name}@`)
      expect(bomOf('code-mcp')).toContain('pkg:npm/tree-sitter-python@')
    },
    180_000,
  )

  test('an archive is the same however often it is packed, and has nothing of how it is developed', async () => {
    const sums = await Promise.all(
      [0, 1].map(async (round) => {
        const to = join(folder, `again ${round}`)
        await run('pnpm', ['pack', '--pack-destination', to], {
          cwd: join(folder, 'apps/docs-mcp'),
        })
        const [name = ''] = readdirSync(to)
        return createHash('sha256')
          .update(readFileSync(join(to, name)))
          .digest('hex')
      }),
    )
    expect(sums[0]).toBe(sums[1])
    for (const { manifest } of registry.packages.values())
      expect(manifest).not.toMatch(/"(devDependencies|scripts)"/)
  })

  test('what the release wrote is formatted, and the lockfile stands', async () => {
    await run('pnpm', ['exec', 'biome', 'format', 'apps', 'packages'], { cwd: folder })
    const args = ['install', '--frozen-lockfile', '--lockfile-only', '--offline']
    await run('pnpm', args, { cwd: folder, env: { ...process.env, CI: 'true' } })
  }, 180_000)
})

/** Without what is installed, which is linked to; with what is built. */
function copyRepository() {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' })
  const files = git('ls-files', '--cached', '--others', '--exclude-standard', '-z').split('\0')
  const isWanted =
    /^(apps|packages|docker\/engines|plugins|scripts|\.changeset|\.claude-plugin|\.github\/plugin|LICENSE$|[^/]*\.(json|yaml|ts)$|\.gitignore$|\.pnpmfile\.cjs$)/
  for (const file of files.filter((each) => isWanted.test(each)))
    cpSync(file, join(folder, file), { recursive: true })
  for (const path of publishedPaths)
    for (const built of ['dist', 'grammars', 'node_modules'].filter((each) =>
      existsSync(join(path, each)),
    ))
      cpSync(join(path, built), join(folder, path, built), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (source) => !source.includes('node_modules/.'),
      })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const inCopy = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
  inCopy('init', '--quiet')
  inCopy('add', '.')
  inCopy('-c', 'user.name=test', '-c', 'user.email=test@localhost', 'commit', '-qm', 'As it is')
}

/** The highest that a changeset asks for, as all packages go together. */
function nextVersion(): string {
  const { version } = JSON.parse(readFileSync('apps/docs-mcp/package.json', 'utf8'))
  const asked = readdirSync('.changeset')
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join('.changeset', name), 'utf8'))
    .join('\n')
  const [major, minor, patch] = version.split('.').map(Number)
  if (/^'@pith-mcp.*: major$/m.test(asked)) return `${major + 1}.0.0`
  if (/^'@pith-mcp.*: minor$/m.test(asked)) return `${major}.${minor + 1}.0`
  return /^'@pith-mcp.*: patch$/m.test(asked) ? `${major}.${minor}.${patch + 1}` : version
}

function manifest(path: string) {
  return JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8'))
}

function edit(path: string, change: (manifest: Record<string, unknown>) => object) {
  const file = join(folder, path, 'package.json')
  const changed = change(JSON.parse(readFileSync(file, 'utf8')))
  writeFileSync(file, `${JSON.stringify(changed, undefined, 2)}\n`)
}

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { serverEntry } from './registry/server-entry.ts'

const apps = readdirSync('apps')
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const entryOf = (app: string): z.output<typeof serverEntry> =>
  serverEntry.parse(read(`apps/${app}/server.json`))

describe.each(apps)('the entry of %s in the MCP Registry', (app) => {
  test('is valid, and says what the package says', () => {
    const { name, mcpName, version, description, repository } = read(`apps/${app}/package.json`)
    const entry = entryOf(app)
    expect(entry).toMatchObject({ name: mcpName, version, description })
    expect(repository.url).toBe(`git+${entry.repository.url}.git`)
    expect(repository.directory).toBe(entry.repository.subfolder)
    for (const each of entry.packages) expect(each).toMatchObject({ identifier: name, version })
  })

  test('names variables and flags that the server knows', () => {
    const sources = readdirSync(`apps/${app}/src`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(`apps/${app}/src`, path), 'utf8'))
      .join('\n')
    for (const each of entryOf(app).packages) {
      if (each.registryType !== 'npm') continue
      for (const { name } of each.environmentVariables ?? []) expect(sources).toContain(name)
      for (const argument of each.packageArguments ?? [])
        if (argument.type === 'named') expect(sources).toContain(argument.name.slice(2))
    }
  })

  test('keeps tokens and headers secret', () => {
    for (const each of entryOf(app).packages) {
      if (each.registryType !== 'npm') continue
      const secret = each.environmentVariables?.filter(({ name }) => /TOKEN|HEADERS/.test(name))
      for (const variable of secret ?? []) expect(variable).toMatchObject({ isSecret: true })
    }
  })
})

test('an entry with a long description, a range of versions or another field is refused', () => {
  const entry = read('apps/docs-mcp/server.json')
  for (const wrong of [{ description: 'x'.repeat(101) }, { version: '^1.0.0' }, { status: 'new' }])
    expect(serverEntry.safeParse({ ...entry, ...wrong }).success).toBe(false)
})

test('a release adds its bundles to the entries, with their hashes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-release-'))
  try {
    for (const app of apps) writeFileSync(join(folder, `${app}.mcpb`), app)
    execFileSync(process.execPath, ['scripts/describe-release.mjs', folder])
    for (const app of apps) {
      const entry = serverEntry.parse(read(join(folder, 'registry', app, 'server.json')))
      expect(entry.packages.at(-1)).toEqual({
        registryType: 'mcpb',
        identifier: `https://github.com/pith-mcp/pith/releases/download/v${entry.version}/${app}.mcpb`,
        version: entry.version,
        fileSha256: createHash('sha256').update(app).digest('hex'),
        transport: { type: 'stdio' },
      })
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

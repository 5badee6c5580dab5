import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SettingsTable } from '@pith-mcp/server-kit/settings'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { settings as aggregatorSettings } from '../apps/aggregator-mcp/src/settings.ts'
import { settings as codeSettings } from '../apps/code-mcp/src/settings.ts'
import { settings as docsSettings } from '../apps/docs-mcp/src/settings.ts'
import { temporaryFolder } from '../packages/base/test/temporary-folder.ts'
import { serverEntry } from './registry/server-entry.ts'

const apps = readdirSync('apps')
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const entryOf = (app: string): z.output<typeof serverEntry> =>
  serverEntry.parse(read(`apps/${app}/server.json`))

/** The settings of the servers. */
const tables: Readonly<Record<string, SettingsTable>> = {
  'aggregator-mcp': aggregatorSettings,
  'code-mcp': codeSettings,
  'docs-mcp': docsSettings,
}

/** What an entry says of the variable of a setting; others may not be named. */
function variableIn({ lines }: SettingsTable, variable: string) {
  const line = lines.find((each) => each.variable === variable)
  if (!line) throw new Error(`${variable} is not in the table.`)
  const { secret, preset } = line
  const { type, enum: choices } = z.toJSONSchema(line.type, { unrepresentable: 'any' })
  const isNumber = type === 'number' || type === 'integer'
  const isScalar = ['boolean', 'number', 'string'].includes(typeof preset)
  return {
    ...((type === 'boolean' || isNumber) && { format: isNumber ? 'number' : type }),
    ...(isScalar && { default: String(preset) }),
    ...(choices && { choices }),
    ...(secret && { isSecret: true }),
  }
}

test('every server has a table of settings', () => {
  expect(Object.keys(tables).sort()).toEqual([...apps].sort())
})

describe.each(Object.entries(tables))('the entry of %s in the MCP Registry', (app, table) => {
  test('is valid, and says what the package says', () => {
    const { name, mcpName, version, description, repository } = read(`apps/${app}/package.json`)
    const entry = entryOf(app)
    expect(entry).toMatchObject({ name: mcpName, version, description })
    expect(repository.url).toBe(`git+${entry.repository.url}.git`)
    expect(repository.directory).toBe(entry.repository.subfolder)
    for (const each of entry.packages) expect(each).toMatchObject({ identifier: name, version })
  })

  test('names variables and flags that the server knows', () => {
    for (const each of entryOf(app).packages) {
      if (each.registryType !== 'npm') continue
      for (const variable of each.environmentVariables ?? [])
        expect(variable).toMatchObject(variableIn(table, variable.name))
      for (const argument of each.packageArguments ?? [])
        if (argument.type === 'named')
          expect(table.lines.map(({ flag }) => `--${flag}`)).toContain(argument.name)
    }
  })

  test('its bundle sets variables that the server knows', () => {
    const { env = {}, user_config: fields = {} } = read(`apps/${app}/manifest.json`)
    for (const [name, value] of Object.entries<string>(env)) {
      const field = fields[/^\$\{user_config\.(\w+)\}$/.exec(value)?.[1] ?? '']
      const { format, default: preset } = variableIn(table, name)
      expect({ format: field.type, default: String(field.default) }).toEqual({
        format,
        default: preset,
      })
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
  const folder = temporaryFolder(onTestFinished)
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
})

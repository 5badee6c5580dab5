import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allScopes } from '@pith-mcp/server-kit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../packages/base/test/temporary-folder.ts'
import {
  ending,
  listed,
  notes,
  npm,
  startListing,
} from '../../../../packages/registry/test/registry-world.ts'
import { parseConfig } from '../../src/config.ts'
import { withState } from '../../src/open/open-state.ts'
import type { StateContext } from '../../src/operations/context.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { perform } from '../../src/operations/perform.ts'
import {
  addRegistryServer,
  getRegistryServer,
  planRegistryServer,
  searchRegistry,
} from '../../src/operations/registry.ts'
import { readConfigFiles } from '../../src/read-config-files.ts'
import { createSecretStore } from '../../src/secrets/secret-store.ts'

interface World {
  perform: <Input, Output>(
    operation: Operation<Input, Output, StateContext>,
    parts: { query?: object; body?: object },
    scopes?: readonly (typeof allScopes)[number][],
  ) => Promise<Output>
  /** The text of the configuration. */
  text: () => string
  /** What a stand-in for the keychain holds. */
  secrets: Map<string, string>
  journal: string[]
}

/** Performs operations on a configuration with the server `old`, and a registry on loopback. */
async function withWorld(
  work: (world: World) => Promise<void>,
  { isShared = false, files = 1, hasKeychain = true } = {},
): Promise<void> {
  const folder = temporaryFolder(onTestFinished)
  const config = join(folder, 'mcp.json')
  writeFileSync(config, '// by hand\n{ "mcpServers": { "old": { "command": "x" } } }')
  const { url } = ending(
    await startListing([
      notes,
      listed({
        name: 'com.acme/bundle',
        description: 'A bundle',
        packages: [{ ...npm(), registryType: 'mcpb' }],
      }),
    ]),
  )
  const flags = Array.from({ length: files }, () => ['--config', config]).flat()
  const { settings } = parseConfig([...flags, '--state', folder, '--registry', url], {})
  const secrets = new Map<string, string>()
  const journal: string[] = []
  const none = async (): Promise<never> => {
    throw new Error('there is no keychain on this machine: no such service')
  }
  const keychain = {
    get: async (service: string, name: string) => secrets.get(`${service}/${name}`),
    set: async (service: string, name: string, value: string) =>
      void secrets.set(`${service}/${name}`, value),
    remove: async (service: string, name: string) => void secrets.delete(`${service}/${name}`),
  }
  const read = await readConfigFiles({ ...settings, config: [config] })
  await withState(
    settings,
    false,
    () => {},
    (state) => {
      const context: StateContext = {
        settings,
        state: isShared ? { ...state, engines: { ...state.engines, shared: {} as never } } : state,
        journal: {
          write: (line) => void journal.push(JSON.stringify(line)),
        } as StateContext['journal'],
        config: () => read,
        changed() {},
        secrets: createSecretStore(
          hasKeychain ? keychain : { get: none, set: none },
          settings.state,
        ),
        newTools: 'hold',
      }
      const performer = (scopes: readonly (typeof allScopes)[number][]) => ({
        caller: 'ada',
        via: 'api' as const,
        principal: { kind: 'token' as const, scopes: new Set(scopes) },
        signal: new AbortController().signal,
      })
      return work({
        perform: (operation, parts, scopes = allScopes) =>
          perform(operation, parts, context, performer(scopes) as never),
        text: () => readFileSync(config, 'utf8'),
        secrets,
        journal,
      })
    },
  )
}

const addition = {
  name: 'notes',
  server: 'com.acme/notes',
  choice: 0,
  values: { folder: ['/srv/notes', '/srv/more'], NOTES_TOKEN: ['hush-hush-of-ada'] },
}

test('a server is searched for, read, planned and added; its secret is in the keychain only', () =>
  withWorld(async ({ perform, text, secrets, journal }) => {
    const found = await perform(searchRegistry, { query: { search: 'Notes' } })
    expect(found).toMatchObject({
      servers: [
        {
          name: 'com.acme/notes',
          title: 'Notes',
          choices: [{ type: 'npm' }, { kind: 'remote' }],
          isBuiltIn: false,
        },
      ],
      hidden: 0,
      hasMore: false,
    })
    const server = await perform(getRegistryServer, { query: { name: 'com.acme/notes' } })
    expect(server).toMatchObject({
      suggestedName: 'notes',
      repository: 'https://code.example/notes',
      choices: [
        {
          kind: 'package',
          what: '@acme/notes@1.2.0',
          effect: 'Runs on the machine of the aggregator',
          inputs: [
            { name: 'NOTES_TOKEN', isSecret: true, isRequired: true },
            { name: 'NOTES_LEVEL', default: 'info', choices: ['info', 'debug'] },
            { name: 'folder', format: 'filepath', isRepeated: true },
          ],
        },
        { kind: 'remote', effect: 'Sends your calls to {team}.notes.example' },
      ],
    })
    const plan = await perform(planRegistryServer, { body: { ...addition, values: {} } })
    expect(plan.problems).toEqual(['NOTES_TOKEN is required.', 'folder is required.'])
    const launch = [
      'npx -y @acme/notes@1.2.0 /srv/notes /srv/more',
      'NOTES_TOKEN=${keychain:pith/notes.NOTES_TOKEN}',
      'NOTES_LEVEL=info',
    ].join('\n')
    expect(await perform(planRegistryServer, { body: addition })).toEqual({
      launch,
      problems: [],
      risks: [],
    })
    expect([secrets.size, text().includes('notes')]).toEqual([0, false])
    const added = await perform(addRegistryServer, { body: addition })
    expect(added).toMatchObject({
      launch,
      next: 'notes starts when it is first needed. New tools are held until they are approved: aggregator-mcp pin.',
    })
    expect([...secrets]).toEqual([['pith/notes.NOTES_TOKEN', 'hush-hush-of-ada']])
    expect(text()).toContain('// by hand')
    expect(JSON.parse(text().replace('// by hand', '')).mcpServers.notes).toEqual({
      command: 'npx',
      args: ['-y', '@acme/notes@1.2.0', '/srv/notes', '/srv/more'],
      env: { NOTES_TOKEN: '${keychain:pith/notes.NOTES_TOKEN}', NOTES_LEVEL: 'info' },
    })
    expect(journal).toHaveLength(1)
    expect(journal[0]).toContain('registry add com.acme/notes --as notes')
    expect(text() + journal.join()).not.toContain('hush-hush')
  }))

test('a remote is added by its URL', () =>
  withWorld(async ({ perform, text, secrets }) => {
    const values = { team: ['blue'], token: ['${file:/run/token}'] }
    const body = { ...addition, name: 'web', choice: 1, values }
    await perform(addRegistryServer, { body })
    expect(text()).toContain('"https://blue.notes.example/mcp"')
    expect(text()).toContain('"Bearer ${file:/run/token}"')
    expect(secrets.size).toBe(0)
  }))

describe('nothing is written, and no secret stored,', () => {
  test.each<[string, object, RegExp, Parameters<typeof withWorld>[1]?]>([
    ['if the name is taken', { name: 'old' }, /old already exists/],
    ['if the name is not valid', { name: 'a/b' }, /name must have at most 60/],
    ['if values are missing', { values: {} }, /NOTES_TOKEN is required\. folder is required/],
    [
      'if the URL is not one',
      { choice: 1, values: { team: ['a b'], token: ['x'] } },
      /not an http or https URL/,
    ],
    ['if there is no such choice', { choice: 2 }, /choice 2 is not one of/],
    ['if it is a bundle', { server: 'com.acme/bundle', values: {} }, /is a bundle/],
    [
      'if there is no such server',
      { server: 'com.acme/nothing' },
      /no server com.acme\/nothing in http/,
    ],
    ['if there is no such version', { version: '9.9.9' }, /no server com.acme\/notes 9\.9\.9/],
    ['with several files', {}, /several files/, { files: 2 }],
    ['with replicas', {}, /Each replica has a configuration file/, { isShared: true }],
  ])('%s', (_, change, reason, options) =>
    withWorld(async ({ perform, text, secrets, journal }) => {
      const before = text()
      await expect(
        perform(addRegistryServer, { body: { ...addition, ...change } }),
      ).rejects.toThrow(reason)
      expect([text(), secrets.size]).toEqual([before, 0])
      expect(journal).toHaveLength(1)
      expect(journal[0]).not.toMatch(/"outcome":"ok"|hush-hush/)
    }, options),
  )

  test('if a folder that it is given has the state, unless that is accepted', () =>
    withWorld(async ({ perform, text }) => {
      const before = text()
      const values = { ...addition.values, folder: ['/'] }
      const body = { ...addition, values }
      await expect(perform(addRegistryServer, { body })).rejects.toThrow('It is given /, which has')
      expect(text()).toBe(before)
      const { risks } = (await perform(planRegistryServer, { body })) as { risks: string[] }
      await perform(addRegistryServer, { body: { ...body, accepts: risks } })
      expect(text()).not.toBe(before)
    }))

  test('without a keychain a secret is in a file that only its owner can read', () =>
    withWorld(
      async ({ perform, text }) => {
        await perform(addRegistryServer, { body: addition })
        const [, file = ''] = /"\$\{file:([^}]+)\}"/.exec(text()) ?? []
        expect(readFileSync(file, 'utf8')).toBe('hush-hush-of-ada')
        expect(statSync(file).mode & 0o777).toBe(0o600)
        expect(text()).not.toMatch(/hush-hush/)
      },
      { hasKeychain: false },
    ))

  test('without the scope console:admin', () =>
    withWorld(async ({ perform, text, secrets }) => {
      const before = text()
      const adding = perform(addRegistryServer, { body: addition }, ['console'])
      await expect(adding).rejects.toThrow('requires the scope console:admin')
      expect([text(), secrets.size]).toEqual([before, 0])
    }))
})

test('a server is replaced only if that is said', () =>
  withWorld(async ({ perform, text }) => {
    await perform(addRegistryServer, { body: { ...addition, name: 'old', replace: true } })
    expect(text()).toContain('@acme/notes@1.2.0')
  }))

import { describe, expect, test } from 'vitest'
import { readConfig } from '../../servers/src/config/read-config.ts'
import { describeSandbox } from '../src/describe-sandbox.ts'
import { findBubblewrap } from '../src/host/find-bubblewrap.ts'
import type { SandboxHost } from '../src/host/host.ts'
import { socketFilter } from '../src/host/socket-filter.ts'
import { sandboxOf } from '../src/sandbox-of.ts'

describe('what enforces a sandbox', () => {
  const without: SandboxHost = {
    findBubblewrap: () => Promise.reject(new Error('bubblewrap is not installed: install it')),
  }
  const on = (platform: NodeJS.Platform): SandboxHost => ({
    findBubblewrap: () => findBubblewrap(platform),
  })
  const reportOf = async (entry: object, host: SandboxHost): Promise<string> => {
    const text = JSON.stringify({ mcpServers: { it: { command: process.execPath, ...entry } } })
    const { servers } = await readConfig(text, {})
    const report = servers[0] && (await sandboxOf(servers[0], host))
    return report ? describeSandbox(report) : 'no sandbox'
  }

  test('is bubblewrap where it is', async () => {
    const found = { path: '/usr/bin/bwrap', knowsSize: true, refusesNamespaces: true }
    const said = await reportOf({ sandbox: {} }, { findBubblewrap: async () => found })
    expect(said).toMatch(/^bubblewrap; no network/)
  })

  test.each([{}, { network: true }, { by: 'bubblewrap' }])(
    'is nothing else where bubblewrap is missing: %j',
    async (sandbox) => {
      expect(await reportOf({ sandbox }, without)).toBe(
        'none; its sandbox cannot be enforced: bubblewrap is not installed: install it',
      )
    },
  )

  test.each([
    ['darwin', 'macOS'],
    ['win32', 'Windows'],
    ['freebsd', 'freebsd'],
  ] as const)(
    'is nothing on %s, and the error names the system and the remedy',
    async (platform, name) => {
      expect(await reportOf({ sandbox: { network: true } }, on(platform))).toBe(
        `none; its sandbox cannot be enforced: ${name} has no sandbox, as bubblewrap exists on Linux only: run the server in a container, by a command in sandbox.by`,
      )
    },
  )

  test('is nothing on a processor without a filter, and the error names it and the remedy', () => {
    expect(() => socketFilter(true, 'mips')).toThrow(
      /not on mips: run the server in a container, by a command in sandbox\.by$/,
    )
  })

  test('is a command of your own on every system', async () => {
    expect(await reportOf({ sandbox: { by: ['docker', 'run'] } }, on('darwin'))).toMatch(/^docker,/)
  })

  test('is nothing for a server without one', async () => {
    expect(await reportOf({}, without)).toBe('no sandbox')
  })
})

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openOAuthWorld } from '../../../packages/aggregator/test/upstream/oauth/oauth-world.ts'
import { type ConsoleWorld, openConsoleWorld } from './open-console-world.ts'
import { seedJournal } from './seed-journal.ts'

const server = fileURLToPath(new URL('fixture-server.mjs', import.meta.url))

/** Programs by their usual names. */
const programs = {
  'github-mcp-server': 'github',
  'linear-mcp': 'linear',
  'slack-mcp-server': 'slack',
  'sentry-mcp': 'sentry',
  'stripe-mcp': 'stripe',
  'mcp-grafana': 'grafana',
  'mcp-server-kubernetes': 'kubernetes',
  'postgres-mcp': 'postgres',
  'calendar-mcp': 'calendar',
  'redshift-mcp': 'broken',
}

/** The servers of an example team, with a month of calls: the manual shows it. */
export async function openDemoWorld() {
  const oauth = await openOAuthWorld({ servers: { notion: {} } })
  let twist = ''
  const world = await openConsoleWorld({
    seed: (journal) => seedJournal(journal),
    env: { CI_TOKEN: 'token-of-ci', BOT_TOKEN: 'token-of-bot', ANA_TOKEN: 'token-of-ana' },
    mcpServers: (folder) => {
      twist = join(folder, 'twist.json')
      const bin = join(folder, 'bin')
      mkdirSync(bin)
      for (const [name, kind] of Object.entries(programs)) {
        const path = join(bin, name)
        const words = [server, kind, twist].map((word) => `'${word}'`).join(' ')
        writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' ${words}\n`)
        chmodSync(path, 0o755)
      }
      const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` }
      return {
        github: {
          command: 'github-mcp-server',
          args: ['stdio'],
          env,
          tags: ['code'],
          description: 'Issues, pull requests and releases of acme',
        },
        linear: {
          command: 'linear-mcp',
          env,
          tags: ['planning'],
          description: 'Tickets and cycles',
        },
        postgres: {
          command: 'postgres-mcp',
          args: ['--access-mode=restricted'],
          env,
          tags: ['data'],
          description: 'The replica, read only',
        },
        slack: {
          command: 'slack-mcp-server',
          env,
          description: 'Channels that the bot was invited to',
        },
        sentry: {
          command: 'sentry-mcp',
          args: ['--organization', 'acme'],
          env,
          tags: ['operations'],
        },
        stripe: {
          command: 'stripe-mcp',
          args: ['--tools=all'],
          env,
          tags: ['money'],
          description: 'Test mode',
        },
        grafana: { command: 'mcp-grafana', env, tags: ['operations'] },
        kubernetes: {
          command: 'mcp-server-kubernetes',
          env,
          tags: ['operations'],
          description: 'The cluster staging',
        },
        calendar: { command: 'calendar-mcp', env, accounts: { work: {}, home: {} } },
        notion: { url: oauth.servers.notion.url, description: 'Pages of the handbook' },
        warehouse: { command: 'redshift-mcp', env, tags: ['data'], description: 'Nightly copies' },
        'legacy-crm': { command: 'crm-mcp', enabled: false },
      }
    },
    aggregator: {
      limits: { caller: { calls: 600, seconds: 60 }, sessionTokens: 2_000_000 },
      permissions: {
        deny: [{ tools: ['stripe.create_payout'], reason: 'Payouts are made by finance' }],
        ask: [
          {
            tools: ['stripe.create_refund'],
            approver: 'another',
            reason: 'Refunds need two people',
          },
          {
            annotations: { destructiveHint: true },
            reason: 'What is deleted cannot be restored',
          },
        ],
      },
      profiles: {
        engineering: {
          description: 'Everyone who ships code',
          tags: ['code', 'planning', 'operations'],
        },
        support: {
          description: 'Looks, and does not touch',
          servers: ['github', 'linear', 'slack'],
          readOnly: true,
        },
        finance: { description: 'Money only', tags: ['money', 'data'], deny: ['delete_*'] },
      },
      callers: {
        ana: { token: '${ANA_TOKEN}' },
        ci: { token: '${CI_TOKEN}', profile: 'engineering' },
        'support-bot': { token: '${BOT_TOKEN}', profile: 'support' },
      },
    },
  })
  return {
    ...world,
    /** Overrides descriptions of tools from the next start of the servers on. */
    twist: (descriptions: Record<string, string>) =>
      writeFileSync(twist, JSON.stringify(descriptions)),
    async close() {
      await world.close()
      await oauth.close()
    },
  } satisfies ConsoleWorld & { twist: unknown }
}

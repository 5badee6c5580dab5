import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client, type Tool } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, test } from 'vitest'
import { commands as aggregatorCommands } from '../../apps/aggregator-mcp/src/cli/run-command.ts'
import { commands as codeCommands } from '../../apps/code-mcp/src/config.ts'
import { settings as codeSettings } from '../../apps/code-mcp/src/settings.ts'
import { commands as docsCommands } from '../../apps/docs-mcp/src/config.ts'
import { settings as docsSettings } from '../../apps/docs-mcp/src/settings.ts'
import { manualTable, markdownTable } from './settings-manual.ts'

const folder = mkdtempSync(join(tmpdir(), 'reference-'))
// With tags and accounts, so that the parameters for them are there.
const code = {
  command: process.execPath,
  args: [resolve('apps/code-mcp/dist/main.js'), '--no-cache', '.'],
  tags: ['source'],
  accounts: { home: { env: { AT: 'home' } }, work: { env: { AT: 'work' } } },
}
writeFileSync(join(folder, 'one.json'), JSON.stringify({ mcpServers: { code } }))
afterAll(() => rmSync(folder, { recursive: true }))

interface Server {
  name: string
  commands: readonly string[]
  args: readonly string[]
}

/** With the commands of the tables that the programs run. */
const servers: readonly Server[] = [
  // Of a folder without a name.
  { name: 'docs-mcp', commands: docsCommands, args: ['--no-cache', '/'] },
  { name: 'code-mcp', commands: codeCommands, args: ['--no-cache', '.'] },
  {
    name: 'aggregator-mcp',
    commands: aggregatorCommands,
    args: ['--config', 'one.json', '--no-state'],
  },
]

/** Written by `-u`; one that differs from what the server says fails. */
test.for(servers)(
  'the reference of $name is what it says of itself',
  { timeout: 300_000 },
  async ({ name, commands, args }) => {
    const main = resolve(`apps/${name}/dist/main.js`)
    const help = (...command: string[]) =>
      execFileSync(process.execPath, [main, ...command, '--help'], {
        encoding: 'utf8',
        cwd: folder,
      }).trim()
    const parts = [
      `# Reference of ${name}`,
      `The commands, options and tools of the server, from its own help and tool list.`,
      '## Command line',
      fence(help()),
      ...commands.flatMap((command) => [`### ${name} ${command}`, fence(help(command))]),
    ]
    parts.push('## Tools', ...(await toolsOf(main, args)).flatMap(describeTool))
    await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot(
      resolve(`docs/reference/${name}.md`),
    )
  },
)

/** The settings in the manual, between two comments. */
test.for([
  { page: 'docs/reference.md', table: docsSettings, file: 'docs-mcp.json' },
  { page: 'docs/code/settings.md', table: codeSettings, file: undefined },
])('the settings in $page are those of the program', async ({ page, table, file }) => {
  const [before = '', , after = ''] = readFileSync(page, 'utf8').split(
    /(?<=<!-- settings -->\n)|(?=<!-- \/settings -->)/,
  )
  await expect(`${before}\n${manualTable(table, file)}\n\n${after}`).toMatchFileSnapshot(
    resolve(page),
  )
})

const fence = (text: string): string => `\`\`\`text\n${text}\n\`\`\``

async function toolsOf(main: string, args: readonly string[]): Promise<Tool[]> {
  const client = new Client({ name: 'reference', version: '0' })
  const transport = {
    command: process.execPath,
    args: [main, ...args],
    cwd: folder,
    env: { AGGREGATOR_MCP_SHARE: 'off' },
    stderr: 'ignore',
  } as const
  await client.connect(new StdioClientTransport({ ...transport, args: [...transport.args] }))
  try {
    return (await client.listTools()).tools
  } finally {
    await client.close()
  }
}

function describeTool({ name, description = '', inputSchema }: Tool): string[] {
  const required = new Set(inputSchema.required)
  const rows = Object.entries(inputSchema.properties ?? {}).map(([parameter, schema]) => [
    `\`${parameter}\``,
    typeOf(schema as Schema),
    required.has(parameter) ? 'required' : asCode((schema as Schema).default),
    escaped((schema as Schema).description ?? ''),
  ])
  const table =
    rows.length > 0 ? [markdownTable([['parameter', 'type', 'default', 'meaning'], ...rows])] : []
  return [`### ${name}`, escaped(description), ...table]
}

interface Schema {
  type?: string | string[]
  description?: string
  default?: unknown
  enum?: unknown[]
  items?: Schema
  anyOf?: Schema[]
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  const { type = 'any', items, minimum, maximum, minItems, maxItems } = schema
  const name = [type].flat().join(' or ') + (items ? ` of ${typeOf(items)}` : '')
  return `${name}${within(minimum, maximum)}${within(minItems, maxItems)}`
}

function within(least: number | undefined, most: number | undefined): string {
  const bounded = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) < 2 ** 53 - 1
  if (bounded(least) && bounded(most)) return `, ${least} to ${most}`
  return bounded(most) ? `, at most ${most}` : bounded(least) ? `, at least ${least}` : ''
}

const asCode = (value: unknown): string =>
  value === undefined ? '' : `\`${JSON.stringify(value)}\``

/** So that `<name>` is text. */
const escaped = (text: string): string => text.replaceAll('<', '\\<')

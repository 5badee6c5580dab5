import { readConfig } from '@pith-mcp/aggregator'
import { allClients, type Client, EntryRefused, translateEntry } from '@pith-mcp/server-kit/clients'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { surroundings } from './import-tree.ts'

const variables = { A: 'value of A', B: '$' }

const context = {
  name: 'one',
  location: { file: '/home/ada/x', at: [], folder: '/home/ada/shop' },
  host: surroundings('/home/ada'),
  root: {},
  otherFiles: {},
  note: () => {},
}

/** What the server gets in the end. */
async function arrived(text: string): Promise<string | undefined> {
  const { servers } = await readConfig(
    JSON.stringify({ mcpServers: { one: { command: 'x', args: [text] } } }),
    variables,
  )
  const [server] = servers
  return server?.type === 'stdio' ? server.args[0] : undefined
}

const translated = (text: string, client: Client): string | undefined => {
  try {
    const { args } = translateEntry(
      client,
      client.entry({ command: 'x', args: [text] }, 'one'),
      context,
    )
    return Array.isArray(args) ? args[0] : undefined
  } catch (error) {
    if (error instanceof EntryRefused) return undefined
    throw error
  }
}

const clientCalled = (name: string): Client => {
  const client = allClients.find((one) => one.name === name)
  if (client === undefined) throw new Error(name)
  return client
}

const pieces = [
  '$',
  '$$',
  '{',
  '}',
  '${',
  '${A}',
  '${env:A}',
  '$A',
  '${B}',
  '${A:-d}',
  '${C:-$}',
  '${C:-${',
  '${command:id}',
  '{command:id}',
  '${keychain:a}',
  '${file:/x}',
  'file:',
  'command:id}',
  '${userHome}',
  '${/}',
  '${workspaceFolder}',
  '${x y}',
  ' ',
  'a',
]
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 7 }).map((parts) => parts.join(''))

test.for(allClients)('$name: no text makes us run a program or read a file', async (client) => {
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const ours = translated(text, client)
      if (ours === undefined) return
      // References that are looked up stand between these characters, which no text contains.
      const found = (await arrived(ours))?.match(/\0(?:file|keychain|command):[^\0]*\0/g) ?? []
      // What Devin reads itself is read by us.
      const readByDevin = client.name === 'devin' ? ['\0file:/x\0'] : []
      expect(found.filter((one) => !readByDevin.includes(one))).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test.for(['claude-desktop', 'codex', 'cline', 'zed', 'kiro'])(
  '%s: text arrives as it stands',
  async (name) => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const ours = translated(text, clientCalled(name))
        if (ours !== undefined) expect(await arrived(ours)).toBe(text)
      }),
      { numRuns: 300 },
    )
  },
)

test.for([
  ['claude-code', 'a ${A} ${env:A} $A ${C:-d}', 'a value of A ${env:A} $A d'],
  ['claude-code', '${CLAUDE_PROJECT_DIR:-.}/x', '/home/ada/shop/x'],
  ['cursor', '${env:A} ${A} ${userHome}${/}x', 'value of A ${A} /home/ada/x'],
  ['vscode', '${workspaceFolderBasename} ${A} ${env:A}', 'shop ${A} value of A'],
  ['gemini', '$A ${A} ${C:-d} 5$ $5', 'value of A value of A d 5$ $5'],
  ['devin', '${env:A} ${A}', 'value of A ${A}'],
] as const)('%s: %s', async ([name, text, expected]) => {
  expect(await arrived(translated(text, clientCalled(name)) ?? 'not moved')).toBe(expected)
})

test.for([
  ['vscode', '${input:key}'],
  ['vscode', '${command:python.path}'],
  ['vscode', '${config:a.b}'],
  ['vscode', '${fileBasename}'],
  ['claude-code', '$${A}'],
  ['claude-code', '${A:-${B}}'],
  ['claude-desktop', '${command:id}'],
  ['claude-code', '${CLAUDE_PLUGIN_ROOT}/x'],
] as const)('%s: %s cannot be moved', ([name, text]) => {
  expect(translated(text, clientCalled(name))).toBeUndefined()
})

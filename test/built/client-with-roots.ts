import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const info = { name: 'test', version: '0' }
const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const

export type ListRoots = () => { roots: { uri: string }[] }

/** The first SDK with its revision, and the second with both. */
export const eras = ['v1', '2025', '2026']

/** A client that starts a server; with `listRoots` it says which folders it has open. */
export async function clientWithRoots(
  era: string,
  server: { args: string[]; cwd: string; env: Record<string, string> },
  listRoots?: ListRoots,
): Promise<Client> {
  const capabilities = listRoots ? { capabilities: { roots: {} } } : {}
  const client =
    era === 'v1'
      ? (new FirstClient(info, capabilities) as unknown as Client)
      : new Client(info, { ...(era === '2026' && modern), ...capabilities })
  if (listRoots && era === 'v1')
    (client as unknown as FirstClient).setRequestHandler(ListRootsRequestSchema, listRoots)
  else if (listRoots) client.setRequestHandler('roots/list', listRoots)
  const Transport = era === 'v1' ? FirstTransport : StdioClientTransport
  const options = { command: process.execPath, ...server }
  await client.connect(new Transport(options) as StdioClientTransport)
  return client
}

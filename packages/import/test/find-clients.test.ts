import { describe, expect, test } from 'vitest'
import { createHome } from '../../server-kit/test/clients/plant.ts'
import { findClients } from '../src/find/find-clients.ts'
import { cursorFile, put, surroundings } from './import-tree.ts'

describe('clients that are found', () => {
  const at = (minute: number) => `2026-11-26T12:0${minute}:00.000Z`
  const named = async (
    activity: Record<string, { lastSeen: string; lastCall?: string }>,
    home = createHome(),
  ) =>
    Object.fromEntries(
      (await findClients(new Map(Object.entries(activity)), surroundings(home))).map((client) => [
        client.name,
        client,
      ]),
    )

  test('are those whose names the journal has, however they are written', async () => {
    const found = await named({
      'cursor-vscode': { lastSeen: at(1), lastCall: at(1) },
      Cursor: { lastSeen: at(2) },
      'gemini-cli-mcp-client-pith': { lastSeen: at(3) },
      'Visual Studio Code - Insiders': { lastSeen: at(4) },
      claude_code: { lastSeen: at(5) },
      'my agent': { lastSeen: at(6), lastCall: at(6) },
    })
    expect(found['cursor']).toMatchObject({ lastSeen: at(2), lastCall: at(1), isInstalled: false })
    expect(found['gemini']).toMatchObject({ lastSeen: at(3), lastCall: undefined })
    expect(found['vscode']).toMatchObject({ lastSeen: at(4) })
    expect(found['claude-code']).toMatchObject({ lastSeen: at(5) })
    expect(found['codex']).toMatchObject({ lastSeen: undefined })
    expect(found['my agent']).toMatchObject({ lastSeen: at(6), lastCall: at(6), entries: [] })
  })

  test('have entries of the aggregator, and no others', async () => {
    const home = createHome()
    const args = ['-y', '@pith-mcp/aggregator-mcp', '--config=/a.json', '-m', 'full']
    const pith = { command: 'npx', args }
    put(home, cursorFile, JSON.stringify({ mcpServers: { pith, other: { command: 'x' } } }))
    const { cursor, devin } = await named({}, home)
    expect(cursor?.entries).toMatchObject([{ name: 'pith', options: ['/a.json', 'mode full'] }])
    expect(devin).toMatchObject({ isInstalled: false, entries: [] })
  })
})

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../packages/base/test/temporary-folder.ts'
import { reviewServers } from '../../src/cli/review.ts'
import { parseConfig } from '../../src/config.ts'
import { startServers } from './serve-here.ts'

async function reviewed(names: readonly string[] | undefined, isApproved: boolean) {
  const folder = temporaryFolder(onTestFinished)
  const config = join(folder, 'aggregator.json')
  const mcpServers = {
    ...(await startServers('notes', 'odd')),
    gone: { url: 'http://127.0.0.1:1/mcp' },
  }
  writeFileSync(config, JSON.stringify({ mcpServers }))
  const state = join(folder, 'state')
  const { settings } = parseConfig(['--config', config, '--state', state], { HOME: folder })
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  await reviewServers(names, { settings, log() {}, print }, isApproved)
  const pins = join(state, 'pins')
  const pinned = (isApproved ? readdirSync(pins) : []).map(
    (file) =>
      JSON.parse(readFileSync(join(pins, file), 'utf8')).content as {
        server: string
        pins: Record<string, { isApproved?: boolean }>
      },
  )
  return {
    lines,
    pinned: Object.fromEntries(
      pinned.map(({ server, pins: ofServer }) => [
        server,
        Object.keys(ofServer).filter((tool) => ofServer[tool]?.isApproved),
      ]),
    ),
  }
}

test('a review shows what servers list, and pins what is not held', async () => {
  const { lines, pinned } = await reviewed(undefined, true)
  expect(lines).toEqual([
    'Starting notes, odd, gone …',
    'notes: 3 tools, 2 may change something: wipe, long',
    'odd: 4 tools, 3 may change something: wipe, long, odd',
    expect.stringMatching(/^ {2}odd: held: .*invisible characters of the tag block/),
    expect.stringMatching(/^gone: not reviewed: The server gone is down: /),
  ])
  expect(pinned).toEqual({ notes: ['read', 'wipe', 'long'], odd: ['read', 'wipe', 'long'] })
})

test('without an approval it says how many tools no one has reviewed', async () => {
  const { lines } = await reviewed(['notes'], false)
  expect(lines).toEqual([
    'Starting notes …',
    'notes: 3 tools, 2 may change something: wipe, long',
    '  3 tools not reviewed before.',
  ])
  await expect(reviewed(['nots'], false)).rejects.toThrow('There is no server nots.')
})

import { createInterface } from 'node:readline'
import { legacyPeer } from './legacy.mjs'
import { modernPeer } from './modern.mjs'

export function speakStdio(era, world, log) {
  const write = (message) => {
    if (message === undefined) return
    log({ dir: 'out', message })
    process.stdout.write(`${JSON.stringify(message)}\n`)
  }
  const peer = era === 'legacy' ? legacyPeer(world, write, log) : modernPeer(world, log)
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const message = JSON.parse(line)
    log({ dir: 'in', message })
    void peer.receive(message, write)
  })
  lines.on('close', () => process.exit(0))
}

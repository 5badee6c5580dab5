// The servers that aggregators stand before here.
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const node = (...args) => ({ command: process.execPath, args })
const reference = (name, ...args) =>
  node(`${here}node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, ...args)

export const everything = reference('everything')
export const everythingOverHttp = reference('everything', 'streamableHttp')

const four = {
  everything,
  filesystem: reference('filesystem', here),
  memory: reference('memory'),
  thinking: reference('sequential-thinking'),
}

/** A tool of each that tells whether its server is listed. */
export const telltales = {
  everything: 'echo',
  filesystem: 'read_text_file',
  memory: 'create_entities',
  thinking: 'sequentialthinking',
  many: 'list_',
}

export const one = { everything }
export const eight = Object.fromEntries(
  [1, 2].flatMap((copy) =>
    Object.entries(four).map(([name, server]) => [`${name}${copy}`, server]),
  ),
)
export const many = Object.fromEntries(
  [1, 2, 3].map((copy) => [
    `many${copy}`,
    node(`${here}many-tools.mjs`, `${40 * (copy - 1)}`, '40'),
  ]),
)

export const healthy = { everything, memory: four.memory }
export const withBroken = {
  hung: node('-e', 'process.stdin.resume()'),
  missing: { command: 'pith-bench-no-such-command', args: [] },
  crashing: node('-e', 'process.exit(1)'),
  ...healthy,
}

/** Whether a list of tools, by their names or in the text of one, shows each of the servers. */
export function shows(listed, servers, by) {
  const texts = by === 'names' ? listed.map(({ name }) => name) : [JSON.stringify(listed)]
  return Object.keys(servers).every((server) => {
    const tool = telltales[server.replace(/\d+$/, '')]
    return texts.some((text) => text.includes(server) && text.includes(tool))
  })
}

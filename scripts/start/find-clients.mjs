import { spawnSync } from 'node:child_process'

/** Milliseconds for a look at some files. */
const timeout = 20_000

/**
 * The MCP clients that are installed here, as `{ name, title }`, and the names of all that the built
 * docs-mcp supports.
 */
export function findClients({ main = 'apps/docs-mcp/dist/main.js', env = process.env } = {}) {
  const { stdout } = spawnSync(process.execPath, [main, 'setup', '--json'], {
    encoding: 'utf8',
    env,
    timeout,
  })
  return JSON.parse(stdout)
}

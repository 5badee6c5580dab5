import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Milliseconds for a look at some files. */
const timeout = 20_000

/**
 * The MCP clients that are installed here, as `{ name, title }`, and the names of all that the built
 * docs-mcp supports.
 */
export async function findClients({ main = 'apps/docs-mcp/dist/main.js', env, signal } = {}) {
  const args = [main, 'setup', '--json']
  const run = promisify(execFile)
  // It ends with 1 if the file of a client cannot be read, and has said all the same.
  const end = await run(process.execPath, args, { env, signal, timeout }).catch((error) => error)
  if (!end.stdout) throw end
  return JSON.parse(end.stdout)
}

import { readFileSync } from 'node:fs'
import { AggregatorError, readServers, type ServerConfig } from '@pith-mcp/aggregator'
import { UsageError } from './usage-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The servers of all files; a name may stand in one of them only. @throws {UsageError} */
export async function readConfigFiles(
  paths: readonly string[],
  environment: Environment = process.env,
): Promise<ServerConfig[]> {
  const servers = new Map<string, { server: ServerConfig; path: string }>()
  for (const path of paths)
    for (const server of await readFile(path, environment)) {
      const before = servers.get(server.name)
      if (before) throw new UsageError(`${path}: ${server.name} is in ${before.path} too.`)
      servers.set(server.name, { server, path })
    }
  return [...servers.values()].map(({ server }) => server)
}

async function readFile(path: string, environment: Environment): Promise<ServerConfig[]> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      code === 'ENOENT'
        ? `there is no file ${path}. Give one by --config: {"mcpServers": {"name": {"command": "…", "args": ["…"]}}}.`
        : `${path} cannot be read (${code}).`,
    )
  }
  try {
    return await readServers(text, environment)
  } catch (error) {
    if (error instanceof AggregatorError) throw new UsageError(`${path}: ${error.message}.`)
    throw error
  }
}

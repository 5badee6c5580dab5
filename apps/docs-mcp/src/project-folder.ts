import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, parse } from 'node:path'
import type { Environment } from '@pith-mcp/server-kit/settings'
import type { Settings } from './settings.ts'

const manifests = ['package.json', 'pyproject.toml', 'requirements.txt']

/**
 * The project whose dependencies are served: the folder in which a client started the server, if no
 * source is named. Over HTTP, clients may belong to others than the folder.
 */
export function projectFolder(
  { site, compat, http, databaseUrl }: Settings,
  sources: readonly string[],
  environment: Environment = process.env,
): string | undefined {
  const isOther = sources.length + site.length > 0 || compat !== undefined
  if (isOther || http !== undefined || databaseUrl !== undefined) return undefined
  const folder = environment['CLAUDE_PROJECT_DIR'] || process.cwd()
  if (folder === parse(folder).root || folder === homedir()) return undefined
  return manifests.some((name) => existsSync(join(folder, name))) ? folder : undefined
}

import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, parse } from 'node:path'
import type { Environment } from '@pith-mcp/server-kit/settings'
import type { Settings } from './settings.ts'

const manifests = ['package.json', 'pyproject.toml', 'requirements.txt']

/**
 * False if a source is named, and over HTTP: there, clients may belong to others than the folders of
 * this machine.
 */
export const servesProject = (
  { site, compat, http, databaseUrl }: Settings,
  sources: readonly string[],
): boolean =>
  sources.length + site.length === 0 &&
  compat === undefined &&
  http === undefined &&
  databaseUrl === undefined

/** The project in whose folder a client started the server. */
export const projectFolder = (
  settings: Settings,
  sources: readonly string[],
  environment: Environment = process.env,
): string | undefined =>
  servesProject(settings, sources)
    ? projectIn([environment['CLAUDE_PROJECT_DIR'] || process.cwd()])
    : undefined

/** The first folder that is a project, of those in which a client may start the server or that it has open. */
export const projectIn = (folders: readonly string[]): string | undefined =>
  folders.find(
    (folder) =>
      folder !== parse(folder).root &&
      !homes().includes(folder) &&
      manifests.some((name) => existsSync(join(folder, name))),
  )

/** The home folder may be a link. */
function homes(): string[] {
  try {
    return [homedir(), realpathSync(homedir())]
  } catch {
    return [homedir()]
  }
}

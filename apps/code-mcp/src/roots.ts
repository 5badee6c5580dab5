import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, parse, resolve } from 'node:path'
import { isFolder } from '@pith-mcp/server-kit/run'
import { type Environment, UsageError } from '@pith-mcp/server-kit/settings'

/** The folders that the command line or the environment names. */
export function namedRoots(folders: readonly string[], environment: Environment): string[] {
  const defaults = environment['CODE_MCP_ROOTS']?.split(/\s*[,\n]\s*/).filter(Boolean) ?? []
  return (folders.length > 0 ? folders : defaults).map((root) => resolve(root))
}

/** The folders to read: the named ones, or else this folder. */
export function readRoots(folders: readonly string[], environment: Environment): string[] {
  const roots = namedRoots(folders, environment)
  return roots.length > 0 ? roots : [process.cwd()].map(checked)
}

/** The folders, if all of them exist. @throws {UsageError} */
export function existingRoots(folders: readonly string[], environment: Environment): string[] {
  const roots = readRoots(folders, environment)
  for (const root of roots)
    if (!isFolder(root)) throw new UsageError(`There is no folder ${JSON.stringify(root)}.`)
  return roots
}

/**
 * The folders to serve if none is named: those that the client has open, or else its project.
 *
 * @throws {UsageError} for the folder of a plugin, in which clients start its servers.
 */
export function projectRoots(open: readonly string[], environment: Environment): string[] {
  const roots = open.length > 0 ? [...open] : [environment['CLAUDE_PROJECT_DIR'] || process.cwd()]
  const pluginFiles = ['plugin.json', '.claude-plugin/plugin.json']
  for (const root of roots.map(checked))
    if (pluginFiles.some((file) => existsSync(join(root, file)))) throw mustBePassed(root)
  return roots
}

/** Some clients start servers in the root or home folder; reading all of it is never intended. */
function checked(folder: string): string {
  if (folder === parse(folder).root || folder === realHome()) throw mustBePassed(folder)
  return folder
}

const mustBePassed = (folder: string): UsageError =>
  new UsageError(`Pass the folder to read. ${folder} is served only if it is passed explicitly.`)

/** The home folder may be a link. */
function realHome(): string {
  try {
    return realpathSync(homedir())
  } catch {
    return resolve(homedir())
  }
}

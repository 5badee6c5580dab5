import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { parse, resolve } from 'node:path'
import { type Environment, UsageError } from '@pith-mcp/server-kit/settings'

/** The folders to serve: the named ones, or else the current folder. */
export function readRoots(folders: readonly string[], environment: Environment): string[] {
  const defaults = environment['CODE_MCP_ROOTS']?.split(/\s*[,\n]\s*/).filter(Boolean) ?? []
  const roots = folders.length > 0 ? folders : defaults
  if (roots.length > 0) return roots.map((root) => resolve(root))
  const here = process.cwd()
  // Some clients start servers in the root or home folder; reading all of it is never intended.
  if (here === parse(here).root || here === realHome())
    throw new UsageError(
      `Pass the folder to read. ${here} is served only if it is passed explicitly.`,
    )
  return [here]
}

/** The folders, if all of them exist. @throws {UsageError} */
export function existingRoots(folders: readonly string[], environment: Environment): string[] {
  const roots = readRoots(folders, environment)
  for (const root of roots)
    if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`There is no folder ${JSON.stringify(root)}.`)
  return roots
}

/** The home folder may be a link. */
function realHome(): string {
  try {
    return realpathSync(homedir())
  } catch {
    return resolve(homedir())
  }
}

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type AggregatorConfig,
  AggregatorError,
  readConfig,
  type ServerConfig,
} from '@pith-mcp/aggregator'
import { asSentence } from '@pith-mcp/base/as-sentence'
import { secretFiles, UsageError } from '@pith-mcp/server-kit/settings'
import type { Settings } from './config.ts'
import { settings as settingsTable } from './settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Read and merge configuration files. Each server and each setting may be in one file only.
 * @throws {UsageError}
 */
export async function readConfigFiles(
  {
    config: paths,
    state,
    tlsKey,
  }: Pick<Settings, 'config' | 'state'> & { tlsKey?: string | undefined },
  environment: Environment = process.env,
): Promise<AggregatorConfig> {
  const merged: AggregatorConfig = { servers: [], disabled: [], settings: {}, ignored: [] }
  const definedIn = new Map<string, string>()
  const define = (what: string, path: string): void => {
    const previous = definedIn.get(what)
    if (previous !== undefined)
      throw new UsageError(`${path}: ${what} is also defined in ${previous}. Keep one of them.`)
    definedIn.set(what, path)
  }
  for (const path of paths) {
    const { servers, disabled, settings, ignored } = await readFile(path, environment)
    for (const name of [...servers.map((server) => server.name), ...disabled]) define(name, path)
    for (const key of Object.keys(settings)) define(`aggregator.${key}`, path)
    merged.servers.push(...servers)
    merged.disabled.push(...disabled)
    merged.ignored.push(...ignored.map((key) => `${path}: ${key}`))
    Object.assign(merged.settings, settings)
  }
  const { journal } = merged.settings
  const folder = typeof journal === 'object' ? journal.folder : undefined
  const privatePaths = [...paths, state || [], folder ?? [], tlsKey ?? []]
  const hidden = [...privatePaths, secretFiles(settingsTable, environment)]
    .flat()
    .map((path) => resolve(path))
  return { ...merged, servers: merged.servers.map((server) => withHidden(server, hidden)) }
}

/** No sandbox shows what belongs to the aggregator. */
function withHidden(server: ServerConfig, hidden: readonly string[]): ServerConfig {
  const accounts = server.accounts?.map((account) => withHidden(account, hidden))
  const config = { ...server, ...(accounts && { accounts }) }
  if (config.type !== 'stdio' || !config.sandbox) return config
  return { ...config, sandbox: { ...config.sandbox, hidden } }
}

async function readFile(path: string, environment: Environment): Promise<AggregatorConfig> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      code === 'ENOENT'
        ? `There is no file ${path}. Run "aggregator-mcp import" to take over the servers of your clients, or "aggregator-mcp add" to add one. --config names another file.`
        : `${path} cannot be read (${code}).`,
    )
  }
  try {
    return await readConfig(text, environment)
  } catch (error) {
    if (error instanceof AggregatorError)
      throw new UsageError(`${path}: ${asSentence(error.message)}`)
    throw error
  }
}

import { readFileSync } from 'node:fs'
import { type AggregatorConfig, AggregatorError, readConfig } from '@pith-mcp/aggregator'
import { UsageError } from './usage-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What all files say together; a name, and a setting, may stand in one of them only. @throws {UsageError} */
export async function readConfigFiles(
  paths: readonly string[],
  environment: Environment = process.env,
): Promise<AggregatorConfig> {
  const whole: AggregatorConfig = { servers: [], disabled: [], settings: {} }
  const seen = new Map<string, string>()
  const note = (what: string, path: string): void => {
    const before = seen.get(what)
    if (before !== undefined) throw new UsageError(`${path}: ${what} is in ${before} too.`)
    seen.set(what, path)
  }
  for (const path of paths) {
    const { servers, disabled, settings } = await readFile(path, environment)
    for (const name of [...servers.map((server) => server.name), ...disabled]) note(name, path)
    for (const key of Object.keys(settings)) note(`aggregator.${key}`, path)
    whole.servers.push(...servers)
    whole.disabled.push(...disabled)
    Object.assign(whole.settings, settings)
  }
  return whole
}

async function readFile(path: string, environment: Environment): Promise<AggregatorConfig> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      code === 'ENOENT'
        ? `there is no file ${path}. "aggregator-mcp import" takes over the servers of your clients, "aggregator-mcp add" writes one into it; --config names another.`
        : `${path} cannot be read (${code}).`,
    )
  }
  try {
    return await readConfig(text, environment)
  } catch (error) {
    if (error instanceof AggregatorError) throw new UsageError(`${path}: ${error.message}.`)
    throw error
  }
}

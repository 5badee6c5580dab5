import { resolve } from 'node:path'
import { sameData } from '@pith-mcp/base/table'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { consoleOf, runningProcesses } from '../open/running.ts'
import { accessOf } from '../operations/access.ts'
import { describeExplanation } from '../operations/approvals.ts'
import { ApiError } from '../operations/problem.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { toolCallIn } from './call.ts'
import type { Command, CommandContext } from './command.ts'
import { signInToConsole } from './request-console.ts'
import { type Opened, withAggregator } from './with-aggregator.ts'

export const command: Command = {
  usage: `aggregator-mcp explain SERVER TOOL [PARAMS] [--account NAME] [--caller NAME] [--profile NAME]
                       [--json]

Say what would happen to a call, which setting decides, in which file, and what to do about it:
allow, ask or deny. Lists what else applies to the tool. Nothing is called; the server is started.
PARAMS is JSON, or "-" to read stdin. --caller is a configured caller, or token:NAME, as in
aggregator.permissions. Exits with 1 if the call would be denied.`,
  options: {
    account: { type: 'string', short: 'a' },
    caller: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(context) {
    const { words, values, print, printJson } = context
    const { module, tool, params } = toolCallIn(words, 'explain')
    const textOf = (name: string): string | undefined =>
      typeof values[name] === 'string' ? values[name] : undefined
    const caller = textOf('caller')
    const account = textOf('account')
    const query = { server: module, tool, account, caller, params: JSON.stringify(params) }
    const explained =
      (await askRunning(query, context)) ??
      (await withAggregator(context, async (opened) => {
        const { aggregator, viewer } = opened
        const access = caller === undefined ? viewer.session.access : accessFor(caller, opened)
        const requested = { module, account, tool, params }
        return describeExplanation(await aggregator.explain(requested, access), context)
      }))
    if (values['json'] === true) printJson(explained, 2)
    else for (const line of linesOf(explained)) print(line)
    return explained.effect === 'deny' ? 1 : 0
  },
}

/** Characters of a query that fits into the head of a request. */
const maxQueryLength = 8_000

/** What a running aggregator with this configuration and a console says: it knows its limits. */
async function askRunning(
  query: Readonly<Record<string, string | undefined>>,
  { settings }: CommandContext,
): Promise<Explained | undefined> {
  const { state } = settings
  if (state === false) return undefined
  const paths = settings.config.map((path) => resolve(path))
  const [endpoint] = runningProcesses(state)
    .filter(({ config }) => sameData(config, paths))
    .flatMap(({ name }) => consoleOf(state, name) ?? [])
  if (endpoint === undefined) return undefined
  const profile =
    query['caller'] === undefined
      ? (settings.profile ?? (await readConfigFiles(settings)).settings.profile)
      : undefined
  const given = Object.entries({ ...query, profile }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  const text = `${new URLSearchParams(given)}`
  // A process that has just ended is not asked.
  const request = await signInToConsole(endpoint).catch(() => undefined)
  if (request === undefined || text.length > maxQueryLength) return undefined
  return (await request('GET', `/explain?${text}`)) as unknown as Explained
}

/** What a caller may do, with its profile. @throws {UsageError} for one that does not exist */
function accessFor(caller: string, opened: Opened) {
  try {
    return accessOf({ caller }, opened)
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(`explain --caller: ${error.message}`) : error
  }
}

type Explained = Awaited<ReturnType<typeof describeExplanation>>

const effects = {
  allow: 'is called at once',
  ask: 'waits until a person approves it',
  deny: 'is denied',
}

const linesOf = (explained: Explained): string[] => [
  `${explained.server}.${explained.tool} ${effects[explained.effect]}.`,
  `Because of: ${explained.setting}${explained.files.length > 0 ? ` in ${explained.files.join(', ')}` : ''}${explained.reason ? `: ${explained.reason}` : ''}`,
  ...(explained.remedy ? [`Remedy: ${explained.remedy}`] : []),
  ...(explained.needsAnother ? ['Another person than the caller must approve it.'] : []),
  `Arguments: ${JSON.stringify(explained.args)}`,
  ...explained.repairs.map((repair) => `Mended: ${repair}`),
  ...explained.steps.map(({ setting, says }) => `  ${setting}: ${says}`),
]

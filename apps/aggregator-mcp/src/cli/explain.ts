import { UsageError } from '@pith-mcp/server-kit/settings'
import { accessOf } from '../operations/access.ts'
import { describeExplanation } from '../operations/approvals.ts'
import { ApiError } from '../operations/problem.ts'
import { toolCallIn } from './call.ts'
import type { Command } from './command.ts'
import { type Opened, withAggregator } from './with-aggregator.ts'

export const command: Command = {
  usage: `aggregator-mcp explain SERVER TOOL [PARAMS] [--account NAME] [--caller NAME] [--profile NAME]
                       [--json]

Say what would happen to a call, and which setting decides: allow, ask or deny. Nothing is called.
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
    return withAggregator(context, async (opened) => {
      const { aggregator, viewer } = opened
      const caller = textOf('caller')
      const access = caller === undefined ? viewer.session.access : accessFor(caller, opened)
      const requested = { module, account: textOf('account'), tool, params }
      const explained = describeExplanation(await aggregator.explain(requested, access))
      if (values['json'] === true) printJson(explained, 2)
      else for (const line of linesOf(explained)) print(line)
      return explained.effect === 'deny' ? 1 : 0
    })
  },
}

/** What a caller may do, with its profile. @throws {UsageError} for one that does not exist */
function accessFor(caller: string, opened: Opened) {
  try {
    return accessOf({ caller }, opened)
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(`explain --caller: ${error.message}`) : error
  }
}

type Explained = ReturnType<typeof describeExplanation>

const effects = {
  allow: 'is called at once',
  ask: 'waits until a person approves it',
  deny: 'is denied',
}

const linesOf = (explained: Explained): string[] => [
  `${explained.server}.${explained.tool} ${effects[explained.effect]}.`,
  `Because of: ${explained.setting}${explained.reason ? `: ${explained.reason}` : ''}`,
  ...(explained.needsAnother ? ['Another person than the caller must approve it.'] : []),
  `Arguments: ${JSON.stringify(explained.args)}`,
  ...explained.repairs.map((repair) => `Mended: ${repair}`),
]

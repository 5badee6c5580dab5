import { countOf } from '@pith-mcp/base/count-of'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { answerApproval, listApprovals, revokeApproval } from '../operations/approvals.ts'
import { type Command, oneOf } from './command.ts'
import { withOperations } from './with-operations.ts'

const actions = ['list', 'approve', 'refuse', 'revoke'] as const

export const command: Command = {
  usage: `aggregator-mcp approvals [list] [--json]            list calls that wait, and answers that are valid
aggregator-mcp approvals approve ID                 the call may be made once
aggregator-mcp approvals approve ID --session       … as often as its session makes it
aggregator-mcp approvals approve ID --keep          … until it is revoked
aggregator-mcp approvals refuse ID
aggregator-mcp approvals revoke ID                  end an approval or a refusal, or drop what waits

A call that aggregator.permissions says to ask for waits until a person approves it. An approval is
for exactly this call: the same caller, server, account, tool, definition and arguments. Running
aggregators apply it immediately.`,
  options: {
    session: { type: 'boolean' },
    keep: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run(context) {
    const { settings, words, values, print, printJson } = context
    if (settings.state === false && !settings.databaseUrl)
      throw new UsageError('approvals: Not available with --no-state.')
    const [word = 'list', id, ...more] = words
    const action = oneOf(actions, word, 'approvals: The action')
    if (more.length > 0 || (action === 'list' && id !== undefined))
      throw new UsageError(`approvals ${action}: Unexpected argument ${more[0] ?? id}.`)
    if (action !== 'list' && id === undefined)
      throw new UsageError(`approvals ${action}: Name the id of a call, as listed.`)
    if (values['session'] === true && values['keep'] === true)
      throw new UsageError('approvals approve: Use only one of --session and --keep.')
    return withOperations(context, action !== 'list', async (_, perform) => {
      const params = { id: id ?? '' }
      if (action === 'list') {
        const { approvals } = await perform('approvals', listApprovals)
        if (values['json'] === true) printJson(approvals, 2)
        else for (const line of approvals.flatMap(linesOf)) print(line)
        const count = approvals.filter(({ state }) => state === 'waiting').length
        if (values['json'] !== true)
          print(
            `${countOf(count, 'call')} waiting, ${countOf(approvals.length - count, 'answer')}.`,
          )
        return 0
      }
      if (action === 'revoke') {
        const { server, tool } = await perform('approvals revoke', revokeApproval, { params })
        print(`revoked: ${server}.${tool}`)
        return 0
      }
      const granted = values['keep'] ? 'kept' : values['session'] ? 'session' : 'once'
      const body = { answer: action === 'refuse' ? 'refused' : granted }
      const done = await perform(`approvals ${action}`, answerApproval, { params, body })
      print(`${action === 'refuse' ? 'refused' : 'approved'}: ${done.server}.${done.tool}`)
      return 0
    })
  },
}

type Listed = Awaited<ReturnType<typeof listApprovals.run>>['approvals'][number]

/** JSON as it is sent: our own tags, which lines for people leave out, are written as escapes. */
const shownArgs = (args: string): string => args.replace(/<(?=\/?server-text)/g, '\\u003c')

const linesOf = (entry: Listed): string[] => [
  `${entry.id} ${entry.state}: ${entry.server}.${entry.tool} ${shownArgs(entry.args)}`,
  `  ${[
    `asked ${entry.askedAt} for ${entry.caller ?? 'a client without a name'}`,
    `because of ${entry.setting}${entry.reason ? `: ${entry.reason}` : ''}`,
    ...(entry.lookalikes.length > 0
      ? [`letters only look like others in ${entry.lookalikes.join(', ')}`]
      : []),
    ...(entry.needsAnother ? ['another person than the caller must approve it'] : []),
    ...(entry.answeredBy ? [`answered by ${entry.answeredBy}`] : []),
    entry.endsAt ? `until ${entry.endsAt}` : 'until it is revoked',
  ].join('; ')}`,
]

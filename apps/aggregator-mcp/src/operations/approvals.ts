import {
  AggregatorError,
  type Approval,
  createApprovals,
  grants,
  mixedWords,
  qualifiedName,
} from '@pith-mcp/aggregator'
import { z } from 'zod'
import { accessOf } from './access.ts'
import { hasSetting, readConfigTexts } from './config-edits.ts'
import type { OperationContext, StateContext } from './context.ts'
import { component, type Operation, operation } from './operation.ts'
import { badRequest } from './problem.ts'

const states = ['waiting', 'refused', ...grants] as const

const approval = component('CallApproval', {
  id: z.string(),
  state: z.enum(states).describe('once, session and kept: how far the approval reaches.'),
  server: z.string().describe('With its account, as SERVER@ACCOUNT.'),
  tool: z.string().describe('Of another request, such as of a resource: its method.'),
  args: z.string().describe('JSON of the arguments that are sent, without known secrets.'),
  lookalikes: z
    .array(z.string())
    .describe('Words of the arguments with letters that only look like others.'),
  caller: z.string().optional(),
  profile: z.string().optional(),
  setting: z.string().describe('The path of the setting that asks.'),
  reason: z.string().optional(),
  needsAnother: z.boolean().describe('Another person than the caller must approve it.'),
  askedAt: z.string(),
  endsAt: z.string().optional().describe('Absent if it is kept until it is revoked.'),
  answeredBy: z.string().optional(),
  answeredAt: z.string().optional(),
})

const answer = component('CallAnswer', {
  answer: z
    .enum([...grants, 'refused'])
    .describe('once: one call. session: the same call in this session. kept: until revoked.'),
})

const timeOf = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString()

const described = (entry: Approval): z.input<typeof approval> => {
  const { key: _, session: _session, validMs: _validMs, account, ...rest } = entry
  return {
    ...rest,
    server: qualifiedName({ name: entry.server, account }),
    lookalikes: mixedWords(entry.args),
    askedAt: new Date(entry.askedAt).toISOString(),
    endsAt: timeOf(entry.endsAt),
    answeredAt: timeOf(entry.answeredAt),
  }
}

export const listApprovals = operation({
  method: 'get',
  path: '/approvals',
  summary: 'List the calls that wait for approval, and the answers that are valid now.',
  answer: z.object({ approvals: z.array(approval) }),
  async run(_, { state }: StateContext) {
    const all = await createApprovals(state.approvals).list()
    return { approvals: all.sort((a, b) => b.askedAt - a.askedAt).map(described) }
  },
})

/** The words of the command that gives an answer. */
const commands = {
  once: (id: string) => `approvals approve ${id}`,
  session: (id: string) => `approvals approve ${id} --session`,
  kept: (id: string) => `approvals approve ${id} --keep`,
  refused: (id: string) => `approvals refuse ${id}`,
}

export const answerApproval = operation({
  method: 'post',
  path: '/approvals/{id}',
  summary: 'Approve or refuse a call that waits.',
  body: answer,
  audit: ({ id, answer: word }) => commands[word](id),
  answer: approval,
  async run({ id, answer: word }, { state, changed }: StateContext, { caller = 'owner' }) {
    const entry = await createApprovals(state.approvals).answer(id, word, caller)
    changed('approvals')
    return described(entry)
  },
})

export const revokeApproval = operation({
  method: 'delete',
  path: '/approvals/{id}',
  summary: 'Revoke an approval or a refusal, or drop what waits.',
  audit: ({ id }) => `approvals revoke ${id}`,
  answer: approval,
  async run({ id }, { state, changed }: StateContext) {
    const entry = await createApprovals(state.approvals).revoke(id)
    changed('approvals')
    return described(entry)
  },
})

const explanation = component('Explanation', {
  server: z.string(),
  tool: z.string(),
  effect: z.enum(['allow', 'ask', 'deny']),
  setting: z.string().describe('The path of the setting that decides.'),
  files: z.array(z.string()).describe('The files that have it; empty for a default.'),
  reason: z.string().optional(),
  remedy: z.string().optional(),
  needsAnother: z.boolean().optional(),
  steps: z
    .array(z.object({ setting: z.string(), says: z.string() }))
    .describe('All settings that concern the tool, in the order in which they decide.'),
  args: z.unknown().describe('The arguments as they would be sent.'),
  repairs: z.array(z.string()),
})

const rulePreview = operation({
  method: 'post',
  path: '/permissions/preview',
  summary:
    'Show which of the last 100 calls of this process rules would have met. Changes nothing.',
  scope: 'console:admin',
  body: z.object({
    permissions: z.record(z.string(), z.unknown()).describe('Like aggregator.permissions.'),
  }),
  answer: z.object({
    calls: z.array(
      z.object({
        time: z.string(),
        server: z.string(),
        tool: z.string(),
        caller: z.string().optional(),
        isMet: z.boolean().optional().describe('Absent if the tool is not listed any more.'),
      }),
    ),
  }),
  async run({ permissions }, { aggregator }: OperationContext) {
    return {
      calls: await aggregator.judgeRecent(permissions).catch((error: Error) => {
        throw error instanceof AggregatorError ? badRequest(error.message) : error
      }),
    }
  },
})

export const approvalOperations: readonly Operation[] = [
  listApprovals,
  answerApproval,
  revokeApproval,
  rulePreview,
  operation({
    method: 'get',
    path: '/explain',
    summary: 'Say what would happen to a call, and which setting decides. Nothing is called.',
    query: z.object({
      server: z.string(),
      tool: z.string(),
      account: z.string().optional(),
      params: z.string().max(100_000).optional().describe('JSON. Default: {}.'),
      caller: z.string().optional().describe('A configured caller, or token:NAME.'),
      profile: z.string().optional(),
    }),
    answer: explanation,
    async run({ server, tool, account, params, caller, profile }, context: OperationContext) {
      const access = accessOf({ caller, profile }, context)
      const requested = { module: server, account, tool, params: parsed(params) }
      return describeExplanation(await context.aggregator.explain(requested, access), context)
    },
  }),
]

function parsed(params = '{}'): unknown {
  try {
    return JSON.parse(params)
  } catch {
    throw badRequest('query.params must be JSON.')
  }
}

type Explained = Awaited<ReturnType<OperationContext['aggregator']['explain']>>

/** What would happen, for people. */
export async function describeExplanation(
  { decision, repairs, steps, ...explained }: Explained,
  { settings }: Pick<StateContext, 'settings'>,
) {
  const files = await readConfigTexts(settings.config)
  return {
    ...explained,
    ...decision,
    files: files.filter(({ text }) => hasSetting(text, decision.setting)).map(({ path }) => path),
    repairs: [...repairs],
    steps: steps.map(({ setting, says }) => ({ setting, says })),
  }
}

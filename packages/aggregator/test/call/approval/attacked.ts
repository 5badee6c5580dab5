import { onTestFinished } from 'vitest'
import type { PermissionSettings } from '../../../../servers/src/config/permission-settings.ts'
import {
  type JsonObject,
  type Message,
  metaKeys,
} from '../../../../servers/src/protocol/message.ts'
import type { Access, Session } from '../../../../servers/src/protocol/request-context.ts'
import {
  type ApprovalStore,
  createMemoryApprovalStore,
} from '../../../src/call/approval/approval-store.ts'
import { createApprovals } from '../../../src/call/approval/approvals.ts'
import { answerRequest } from '../../../src/server/methods/answer-request.ts'
import type { Retry } from '../../../src/server/suspensions.ts'
import { configOf, createClient, type FakeServer, text, textOf } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

export const ada: Access = { caller: 'ada' }
const forms: JsonObject = { elicitation: { form: {} } }

const properties = { path: { type: 'string' }, size: { type: 'integer' } }
const run = (args: JsonObject) => text(`did ${JSON.stringify(args)}`)

/** Tools that take the same arguments. `write` is the one that is attacked. */
export const createFiles = (more: Partial<FakeServer> = {}): FakeServer => ({
  tools: [
    { name: 'write', definition: { inputSchema: { properties, required: ['path'] } }, run },
    { name: 'move', definition: { inputSchema: { properties, required: ['path'] } }, run },
    {
      name: 'read',
      definition: { annotations: { readOnlyHint: true } },
      run: () => ({ content: [], structuredContent: { path: '/b' } }),
    },
  ],
  prompts: [{ name: 'secret' }, { name: 'open' }],
  resources: [{ uri: 'file:///etc/passwd', name: 'passwd' }],
  resourceTemplates: [{ uriTemplate: 'file:///{+path}', name: 'all' }],
  answer: () => ({ contents: [{ uri: 'file:///etc/passwd', text: 'root' }] }),
  ...more,
})

export const askWrite: PermissionSettings = { ask: [{ tools: ['files.write'] }] }

/** An aggregator in front of `files`, clients of it, and what has reached the server. */
export function openAttacked(
  permissions: PermissionSettings,
  {
    files = createFiles(),
    store = createMemoryApprovalStore(),
    ...more
  }: { files?: FakeServer; store?: ApprovalStore } & Partial<
    Parameters<typeof openAggregator>[1]
  > = {},
) {
  const servers = [configOf('files')]
  const options = { servers, permissions, approvalStore: store, ...more }
  const { aggregator, world, lines } = openAggregator({ files, mail: files }, options)
  onTestFinished(aggregator.close)
  const approvals = createApprovals(store)

  /** A client of 2025; `answer` answers its questions. */
  function clientOf(access: Access = ada, answer?: (message: Message) => JsonObject) {
    const capabilities = answer ? forms : {}
    const client = createClient({ capabilities, ...(answer && { answer }) })
    const session = { ...client.session, access }
    return (method: string, params: JsonObject) =>
      answerRequest({ method, params }, client.context({ session }), aggregator.deps)
  }
  /** A client of 2026, which is asked by results. */
  function modernClientOf(access: Access = ada, capabilities = forms) {
    const client = createClient({ era: 'modern', capabilities })
    const session: Session = { ...client.session, access }
    return (name: string, args: JsonObject, retry?: Retry) =>
      aggregator.answer(
        session,
        { method: 'tools/call', params: { name, arguments: args } },
        {
          ...client.context(),
          meta: undefined,
          envelope: { [metaKeys.capabilities]: capabilities },
          retry,
        },
      )
  }
  return {
    aggregator,
    world,
    lines,
    approvals,
    store,
    clientOf,
    modernClientOf,
    /** Text of a call of `write`, by `call`. */
    async write(params: unknown, access: Access = ada): Promise<string> {
      const args = { module: 'files', tool_name: 'write', params }
      const send = clientOf(access)
      return textOf(await send('tools/call', { name: 'call', arguments: args }))
    },
    /** Approves what waits. */
    async approve(by = 'owner'): Promise<void> {
      for (const { id, state } of await approvals.list())
        if (state === 'waiting') await approvals.answer(id, 'once', by)
    },
    /** Parameters of requests that have reached a server, except for lists. */
    arrivals: () =>
      world.requests
        .map(({ message }) => message)
        .filter(({ method }) => !method.endsWith('/list'))
        .filter(({ method, params }) => method !== 'follow' || Object(params?.['uris']).length > 0)
        .map(({ params }) => params ?? {}),
  }
}

export const writing = (params: unknown, more: JsonObject = {}): JsonObject => ({
  module: 'files',
  tool_name: 'write',
  params,
  ...more,
})

import type { JsonObject, Message } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import { createRecord, type RecordOptions } from '../journal/call-record.ts'
import type { Limits } from '../limits/limits.ts'
import { type ApproveDeps, approveRead } from './approve.ts'
import { relayRequest } from './relay-request.ts'
import { withoutInvisible } from './shape-result.ts'

interface ReadDeps extends ApproveDeps {
  limits: Limits
  recording: RecordOptions
}

type Server = CatalogTool['server']
type Reader = Pick<RequestContext, 'session' | 'signal'>

/**
 * Answers a request to a server that is not a tool call: like one, it has a line in the journal,
 * counts against rate and budget of the client, and is refused if it cannot be recorded.
 */
export async function recordRead<C extends Pick<RequestContext, 'session' | 'client' | 'span'>>(
  { method, params = {} }: Message,
  context: C,
  { recording, limits }: Pick<ReadDeps, 'limits' | 'recording'>,
  work: (context: C & Pick<RequestContext, 'record'>) => Promise<JsonObject>,
): Promise<JsonObject> {
  const { session } = context
  const checked = recording.journal.check?.()
  if (checked) await checked
  const target = targetOf(params)
  const about = { kind: 'read', tool: method, args: params, ...(target && { target }) } as const
  const record = createRecord(context, about, recording)
  let result: JsonObject
  try {
    // What ends a subscription takes nothing.
    if (!isEnd(method)) await limits.admission({ session })()
    result = await work({ ...context, record })
  } catch (failure) {
    await record.end({ failure })
    throw failure
  }
  record.result(result)
  limits.recordUsage(session, await record.end({ sent: result }))
  return result
}

/** Sends such a request when it is allowed and a slot of the server is free. */
export async function relayRead(
  server: Server,
  message: Message,
  context: RequestContext,
  deps: ReadDeps,
): Promise<JsonObject> {
  const { method, params = {} } = message
  context.record?.calls({ server, tool: method, args: params })
  const approved = await approveRead(server, { method, params }, context, deps)
  const { gateway } = deps
  const result = await inTurn(server, message, context, deps, async () => {
    await gateway.prepare(server, context)
    const instance = gateway.instanceOf(server, context.session, context.capabilities)
    if (approved === undefined) return relayRequest(instance, message, context)
    return relayRequest(
      instance,
      { method, params: approved.params },
      approved.context,
      async () => {
        await approved.confirm?.()
        return undefined
      },
    )
  })
  return withoutInvisible(result, server)
}

/** Runs the work for a server when a slot is free. */
export async function inTurn<T>(
  server: Server,
  { method }: Message,
  reader: Reader,
  { limits }: Pick<ReadDeps, 'limits'>,
  work: () => Promise<T>,
): Promise<T> {
  const release = isEnd(method) ? () => {} : await limits.waitTurn(server, undefined, reader)
  try {
    return await work()
  } finally {
    release()
  }
}

const isEnd = (method: string): boolean => method === 'resources/unsubscribe'

function targetOf({ uri, name, ref, taskId }: JsonObject): string | undefined {
  const { uri: ofTemplate, name: ofPrompt } = Object(ref) as JsonObject
  const target = uri ?? name ?? ofTemplate ?? ofPrompt ?? taskId
  return typeof target === 'string' ? target : undefined
}

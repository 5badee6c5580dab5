import { attempt } from '#base/attempt'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { abortSignalOf } from '#servers/protocol/cancellation'
import type { JsonObject } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import { qualifiedName } from '#servers/protocol/server-account'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import { fingerprintOf } from '../../catalog/entries/catalog-entry.ts'
import type { Gateway } from '../../catalog/gateway.ts'
import type { Decision, Permissions } from '../../catalog/policy/permissions.ts'
import { trustSetting } from '../../catalog/trust/trust.ts'
import { canShow } from '../../upstream/questions.ts'
import { keyOf } from '../approval/approval.ts'
import { approvalUsed, callDenied, needsApproval, wasRefused } from '../approval/approval-errors.ts'
import { approvalForm, grantIn, maxFormLength } from '../approval/approval-form.ts'
import type { Approvals, Question } from '../approval/approvals.ts'
import { ownerOf } from './caller.ts'
import {
  type About,
  checkAgain,
  decideRead,
  decideToolCall,
  identityOf,
  type Read,
} from './decide.ts'

export interface ApproveDeps {
  gateway: Gateway
  approvals: Approvals
  redact: (text: string) => string
}

/** Without permissions, an approval is valid as long as with them. */
const defaultApprovalMs = 3_600_000
/** Time for a user to answer. */
const patienceMs = 15 * 60_000
/** Characters of arguments as JSON: people do not read longer ones. */
const maxArgsLength = 20_000

/** A request that may be sent. */
export interface Approved {
  context: RequestContext
  /** The parameters that are sent: of a call that was asked about, nothing that was not shown. */
  params: JsonObject
  isAsked?: boolean
  /**
   * Called before it is sent, with the tool as it is offered then: uses up the approval.
   * @throws {AggregatorError} if it has changed, or the approval was used
   */
  confirm?: ((offered?: CatalogTool) => Promise<void>) | undefined
}

/**
 * Decides about a call by the permissions of the configuration; asks a person if they say so.
 * Resolves to undefined if nothing was to decide.
 * @throws {AggregatorError} `call_denied`, `needs_approval`, `approval_refused`, `too_many`
 */
export async function approveToolCall(
  tool: CatalogTool,
  params: JsonObject,
  context: RequestContext,
  deps: ApproveDeps,
): Promise<Approved | undefined> {
  const { trust, catalog } = deps.gateway
  const { permissions } = deps.gateway.fleet
  const { server, name } = tool
  const args = params['arguments'] ?? {}
  const mayAsk = permissions !== undefined || trust.asks
  const decision = mayAsk ? await decideToolCall(tool, args, context, deps) : undefined
  if (decision === undefined) return undefined
  const about = { server, tool: name, offered: tool, args }
  const approved = await approve(about, decision, { context, permissions, deps })
  const isAsked = decision.effect === 'ask'
  return {
    ...approved,
    isAsked,
    params: isAsked ? { name: params['name'], arguments: args } : params,
    async confirm(offered = tool) {
      const decide = () => decideToolCall(offered, args, context, deps)
      await checkAgain({ ...about, offered }, decide, { about, decision, permissions }, deps)
      await approved.confirm?.()
      const entry = catalog.entryOf(qualifiedName(server))
      if (decision.setting === trustSetting && entry)
        // What cannot be stored is asked again.
        attempt(() => trust.reviewed(server, entry, tool.upstreamName), undefined)
    },
  }
}

/** The same for such a request. @throws {AggregatorError} as `approveToolCall` */
export async function approveRead(
  server: CatalogTool['server'],
  read: Read,
  context: RequestContext,
  deps: ApproveDeps,
): Promise<Approved | undefined> {
  const { permissions } = deps.gateway.fleet
  const decision = await decideRead(server, read, context, deps)
  if (permissions === undefined || decision === undefined) return undefined
  const { _meta, ...args } = read.params
  const about = { server, tool: read.method, args }
  const approved = await approve(about, decision, { context, permissions, deps })
  return {
    ...approved,
    params: decision.effect === 'ask' ? args : read.params,
    async confirm() {
      const decide = () => decideRead(server, read, context, deps)
      await checkAgain(about, decide, { about, decision, permissions }, deps)
      await approved.confirm?.()
    },
  }
}

interface Approving {
  context: RequestContext
  permissions: Permissions
  deps: ApproveDeps
}

async function approve(
  about: About,
  decision: Decision,
  { context, permissions, deps }: Approving,
): Promise<Omit<Approved, 'params'>> {
  const name = `${qualifiedName(about.server)}.${about.tool}`
  if (decision.effect === 'allow') return { context }
  if (decision.effect === 'deny') throw callDenied(name, decision)
  // Callers that ask too often are stopped before a person is bothered.
  await context.admit?.()
  const question = questionOf(about, decision, { context, permissions, deps })
  const { approvals } = deps
  const sent = contextToSend(context)
  const answer = await approvals.find(question)
  if (answer?.state === 'refused') throw wasRefused(name, answer.id, answer.answeredBy)
  if (answer !== undefined && answer.state !== 'waiting') {
    context.record?.approval(answer.id)
    let isTaken = false
    return {
      context: sent,
      async confirm() {
        // The request may be sent again over another connection.
        isTaken ||= await approvals.take(answer)
        if (!isTaken) throw approvalUsed(name, answer.id)
      },
    }
  }
  if (canAsk(question, context)) {
    await askUser(name, question, context, deps)
    return { context: sent }
  }
  if (question.needsAnother && question.caller === undefined)
    throw callDenied(name, {
      ...decision,
      reason: 'another person than the caller must approve it, and this caller has no name',
    })
  const request = await approvals.request(question)
  context.record?.approval(request.id)
  throw needsApproval(name, request, deps.gateway.remedies.approveCall(question.needsAnother))
}

function questionOf(
  { server, tool, offered, args }: About,
  { setting, reason, needsAnother = false }: Decision,
  { context: { session }, permissions, deps }: Approving,
): Question {
  const text = JSON.stringify(args)
  const { name, account } = server
  if (text.length > maxArgsLength)
    throw new AggregatorError(
      'call_denied',
      `${qualifiedName(server)}.${tool} must be approved, and its arguments have ${text.length} characters; a person cannot read more than ${maxArgsLength}. Nothing was called.`,
      'Make several smaller calls.',
    )
  const { caller, profile } = session.access ?? {}
  const principal = ownerOf(session)
  const source = fingerprintOf(server)
  const definition = offered ? identityOf(offered) : ''
  return {
    key: keyOf({ principal, source, server: name, account, tool, definition, args, needsAnother }),
    caller,
    profile,
    session: session.id,
    server: name,
    account,
    tool,
    args: deps.redact(text),
    setting,
    reason,
    needsAnother,
    validMs: permissions?.approvalMs ?? defaultApprovalMs,
  }
}

/** The one who calls cannot approve what another one must. */
const canAsk = (question: Question, { capabilities }: RequestContext): boolean =>
  !question.needsAnother &&
  question.args.length <= maxFormLength &&
  canShow(approvalForm(question), capabilities)

/** @throws {AggregatorError} `approval_refused` unless the user accepts */
async function askUser(
  name: string,
  question: Question,
  { ask, signal, record, client, session }: RequestContext,
  { approvals }: ApproveDeps,
): Promise<void> {
  const late = AbortSignal.timeout(patienceMs)
  const answer = await ask(
    approvalForm(question),
    AbortSignal.any([abortSignalOf(signal), late]),
  ).catch((error: unknown) => {
    if (signal.aborted || !late.aborted) throw error
    return {}
  })
  const grant = grantIn(answer)
  const by = session.access?.caller ?? client ?? 'the user of the client'
  record?.approval(`${grant ?? 'refused'} by ${by}`)
  if (grant === undefined) throw wasRefused(name, undefined, by)
  // Another person may have refused it elsewhere meanwhile.
  const standing = await approvals.find(question)
  if (standing?.state === 'refused') {
    record?.approval(standing.id)
    throw wasRefused(name, standing.id, standing.answeredBy)
  }
  if (grant !== 'once') await approvals.grant(question, grant, by)
}

/** A server gets what was shown, and asks while the call waits: no second request continues it. */
function contextToSend(context: RequestContext): RequestContext {
  const { passthrough } = context
  const meta = Object.entries(passthrough.meta ?? {}).filter(([key]) => keptMeta.has(key))
  return {
    ...context,
    passthrough: {
      ...passthrough,
      meta: meta.length === 0 ? undefined : Object.fromEntries(meta),
      takes: { ...passthrough.takes, inputRequired: false },
      retry: undefined,
    },
  }
}

const keptMeta = new Set(['progressToken', 'traceparent', 'tracestate', 'baggage'])

import { createRecord } from '../../call/journal/call-record.ts'
import { relayToolCall } from '../../call/relay-tool-call.ts'
import { documentOf } from '../../call/results/document.ts'
import { forAccount, takeAccount } from '../../catalog/account-parameter.ts'
import type { Offer } from '../../catalog/offers.ts'
import { heldBack, modulesIn, toolNamed } from '../../catalog/resolve-tool.ts'
import type { View } from '../../catalog/view.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import type { Exchange, Session } from '../../protocol/exchange.ts'
import type { Fields } from '../../protocol/message.ts'
import { nearestOf } from '../../protocol/nearest-of.ts'
import { RpcError, rpcCodes } from '../../protocol/rpc-error.ts'
import { safeName } from '../../protocol/safe-name.ts'
import { argumentsFor } from '../../tools/arguments.ts'
import type { Shape } from '../../tools/disclosure/disclosure.ts'
import { prepareCall } from '../../tools/prepare-call.ts'
import { NeedsSignIn } from '../../upstream/connection/needs-sign-in.ts'
import type { Handler, Serving } from './serving.ts'

/** A tool of ours, or of a server by its own name. What a model can mend is a result, not an error. */
export const callTool: Handler = async (params, exchange, serving) => {
  const called = { kind: 'meta', tool: shownName(params), args: params['arguments'] } as const
  const record = createRecord(exchange.session, called, serving.recording)
  try {
    const { result, failure } = await answerCall(params, { ...exchange, record }, serving)
    serving.limits.spend(exchange.session, await record.end({ sent: result, failure }))
    return result
  } catch (failure) {
    await record.end({ failure })
    throw failure
  }
}

/** Whoever has the same token and profile may read on. */
const ownerOf = ({ access }: Session): string =>
  access?.caller === undefined && access?.profile === undefined
    ? ''
    : JSON.stringify([access.caller, access.profile])

const shownName = (params: Fields): string => safeName(String(params['name']))

/** The result, and what was wrong if that is what it says. */
async function answerCall(
  params: Fields,
  exchange: Exchange,
  shared: Serving,
): Promise<{ result: Fields; failure?: AggregatorError }> {
  const serving = { ...shared, results: shared.results.of(ownerOf(exchange.session)) }
  const name = String(params['name'])
  const view = serving.gateway.viewFor(exchange)
  const shape = await serving.disclosure.shapeOf(view)
  const metaTool = shape.metaToolCalled(name)
  try {
    await serving.limits.admit(exchange)
    if (metaTool === undefined)
      return { result: await callDirectly(name, params, exchange, serving) }
    const args = argumentsFor(metaTool, params['arguments'])
    const result = await metaTool.answer(args, exchange, serving)
    return { result: await serving.results.fit(result) }
  } catch (thrown) {
    const isCall = metaTool === undefined || metaTool.name === 'call'
    const error = isCall && thrown instanceof NeedsSignIn ? await thrown.begin() : thrown
    if (!(error instanceof AggregatorError))
      throw shape.isVerbatim ? error : await bounded(error, serving)
    const text = `${error.message} ${error.remedy}`
    const result = { content: [{ type: 'text', text }], isError: true }
    return { result: await serving.results.fit(result), failure: error }
  }
}

/** An error of a server is as it was, unless it is longer than a reply may be. */
async function bounded(error: unknown, { results }: Serving): Promise<unknown> {
  const { message, code, data } = error as { message?: string; code?: unknown; data?: unknown }
  if (typeof code !== 'number') return error
  const text = data === undefined ? `${message}` : `${message}\n\n${JSON.stringify(data)}`
  if (text.length <= results.room.tokens) return error
  const fitted = await results.fit({ content: [{ type: 'text', text }] })
  return new RpcError(code, documentOf(fitted).text)
}

async function callDirectly(
  name: string,
  params: Fields,
  exchange: Exchange,
  serving: Serving,
): Promise<Fields> {
  const { gateway, disclosure, results } = serving
  const { session, capabilities } = exchange
  await knowOwner(name, exchange, serving)
  const view = gateway.viewFor({ session, capabilities })
  const shape = await disclosure.shapeOf(view)
  const offer = toolNamed(name, view)
  const absent = shape.isOpen ? view.absentCalled(name) : undefined
  if (absent !== undefined) throw heldBack(absent)
  if (offer === undefined || !shape.isOpen) throw await unknownTool(name, view, shape)
  if (shape.isVerbatim) return relayVerbatim(offer, params, view, exchange, serving)
  // The schema was not shown: it comes with the error.
  const { account, args } = takeAccount(offer, params['arguments'], view)
  const wanted = { module: offer.server.name, account, tool: offer.name, params: args }
  const prepared = await prepareCall(wanted, exchange, serving)
  const sent = { ...params, ...prepared.params }
  return results.fit(await relayToolCall(prepared.offer, sent, exchange, serving))
}

/**
 * Wait until the server is known that a tool of this name can be of, or none is left that was not
 * asked. @throws why that server cannot be asked
 */
async function knowOwner(
  name: string,
  { session, capabilities }: Exchange,
  { gateway, disclosure }: Serving,
): Promise<void> {
  const viewNow = () => gateway.viewFor({ session, capabilities })
  const isKnown = () => {
    const view = viewNow()
    return (toolNamed(name, view) ?? view.absentCalled(name)) !== undefined
  }
  if (isKnown()) return
  const before = viewNow()
  const named = modulesIn(name, before)
  const isBare = named.length === 0 && !before.withServer
  // Where names have no server before them, it can be any that may be called so.
  const isOpen = isBare && (await disclosure.shapeOf(before)).isOpen
  // One that has failed before holds up no wrong name.
  const isWell = (server: View['servers'][number]): boolean =>
    gateway.statusOf(server).instances.every(({ failures }) => failures === 0)
  const asked = isOpen ? before.servers.filter(isWell) : named
  if (asked.length === 0) return
  let failure: unknown
  await new Promise<void>((resolve) => {
    const answers = asked.map(async (server) => {
      try {
        const isNew = before.unknown.includes(server)
        if (isNew) await gateway.know(server, session, capabilities)
        else await gateway.confirm(server, session, capabilities)
      } catch (error) {
        failure ??= error
      }
      if (isKnown()) resolve()
    })
    void Promise.all(answers).then(() => resolve())
  })
  if (failure !== undefined && named.length > 0 && !isKnown()) throw failure
}

/** As the client sent it, but for what we added to the definition. */
function relayVerbatim(
  offer: Offer,
  params: Fields,
  view: View,
  exchange: Exchange,
  serving: Serving,
): Promise<Fields> {
  const { account, args } = takeAccount(offer, params['arguments'], view)
  const sent = { ...params, name: offer.upstreamName }
  if (args !== params['arguments']) Object.assign(sent, { arguments: args })
  return relayToolCall(forAccount(offer, account, view), sent, exchange, serving)
}

async function unknownTool(name: string, view: View, shape: Shape): Promise<RpcError> {
  const names = shape.listTools().map((tool) => String(tool['name']))
  const offer = toolNamed(name, view)
  if (offer) {
    const call = JSON.stringify({ module: offer.server.name, tool_name: offer.name })
    const said = `The tool ${offer.server.name}.${offer.name} is not called by its own name here.`
    return new RpcError(rpcCodes.invalidParams, `${said} Call it as call(${call}).`)
  }
  const [near] = await nearestOf(name, names)
  const remedy = `Nearest: ${near ?? (names.slice(0, 5).join(', ') || 'none')}.`
  return new RpcError(rpcCodes.invalidParams, `Unknown tool: ${name.slice(0, 200)}. ${remedy}`)
}

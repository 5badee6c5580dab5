import type { JsonObject } from '#servers/protocol/message'
import { qualifiedName } from '#servers/protocol/server-account'
import { skillsCapability } from '#servers/protocol/skills'
import { withTasks } from '#servers/protocol/tasks'
import { explainCall } from '../call/explain-call.ts'
import { judgeRecent } from '../call/judge-recent.ts'
import { identity as ownIdentity } from '../identity.ts'
import type { Aggregator, AggregatorOptions } from './aggregator-options.ts'
import { createAnswers } from './answer-client.ts'
import { createEndpoint } from './create-endpoint.ts'
import { createInProcessContext } from './in-process-context.ts'
import { instructionsFor } from './instructions.ts'
import { answerRequest } from './methods/answer-request.ts'
import { createPlainRequests } from './plain-request.ts'
import { Suspensions } from './suspensions.ts'
import { wireAggregator } from './wire-aggregator.ts'

/** Creates an aggregator. No server is started before it is needed; `close` stops all of them. */
export function createAggregator(options: AggregatorOptions): Aggregator {
  const { mode = 'meta', prefix = true, identity = ownIdentity } = options
  const { gateway, deps, listModes, close } = wireAggregator(options, mode)
  const suspensions = new Suspensions()
  const { replica } = options
  const requests = createPlainRequests()
  const answer = createAnswers({ deps, suspensions, replica })
  return {
    replica,
    identity,
    gateway,
    deps,
    requests,
    answer,
    createServer(connection) {
      const access = connection.session?.access ?? connection.access
      const view = gateway.viewFor(createInProcessContext({ access }))
      const instructions = instructionsFor(
        { mode: access?.mode ?? mode, prefix },
        view,
        gateway.trust,
      )
      const declared = connection.era === 'modern' ? withTasks(capabilities) : capabilities
      const offered = { identity, capabilities: declared, instructions }
      return createEndpoint({ ...connection, deps, answer, requests, offered })
    },
    request: (message, { access, signal, as, mode: ownMode = mode } = {}) =>
      answerRequest(message, createInProcessContext({ access, signal, as }), {
        ...deps,
        listModes: listModes[ownMode],
      }),
    async receipt({ access, ask = true } = {}) {
      const viewer = createInProcessContext({ access })
      const { unknown } = gateway.viewFor(viewer)
      const { readUnlessStored } = gateway.discovery
      if (ask)
        await Promise.allSettled(
          unknown.map((server) => readUnlessStored(server, viewer.session, {})),
        )
      const view = gateway.viewFor(viewer)
      const silent = view.unknown.map(qualifiedName)
      const { receiptOf } = await import('../tools/list-modes/receipt.ts')
      return { receipt: receiptOf(view, listModes), silent }
    },
    explain: (requested, access) =>
      explainCall(requested, createInProcessContext({ access }), deps),
    judgeRecent: async (settings) => {
      const { recent } = deps.recording
      return recent ? judgeRecent(settings, recent, gateway, createInProcessContext()) : []
    },
    async start(server) {
      gateway.fleet.control.start(qualifiedName(server))
      const { session } = createInProcessContext()
      await gateway.instanceOf(server, session, {}).use(async () => {})
      // The server counts as started when its lists are known.
      await gateway.discovery.readUnlessStored(server, session, {})
    },
    replace(configured) {
      const { callers, limits, servers } = configured
      deps.limits.replace({ callers, ...limits }, servers)
      return gateway.fleet.replace(configured)
    },
    async close() {
      suspensions.close()
      await close()
    },
  }
}

const capabilities: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
  extensions: skillsCapability,
}

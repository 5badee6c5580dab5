import { describeSandbox, qualifiedName, type ServerConfig, sandboxOf } from '@pith-mcp/aggregator'
import { z } from 'zod'
import { stateRisks } from '../config-file/state-risks.ts'
import { examine } from '../doctor/examine.ts'
import { residentBytes } from '../open/resident-bytes.ts'
import { checkAccepted } from './accept-risks.ts'
import { editServerEntries, editValues } from './config-edits.ts'
import type { OperationContext, StateContext } from './context.ts'
import {
  checkup,
  type DescribedServer,
  describeDisabled,
  describeServer,
  newServer,
  server,
  serverDetail,
} from './described-server.ts'
import { component, type Operation, operation } from './operation.ts'
import { ApiError, checkScope, notFound } from './problem.ts'

const list = z.object({ servers: z.array(server) })

export function allServers(context: OperationContext): DescribedServer[] {
  const { units, disabled } = context.aggregator.gateway.fleet
  return [
    ...[...units.values()].map((unit) => describeServer(unit, context)),
    ...disabled.map(describeDisabled),
  ]
}

/** @throws {ApiError} 404 for an unknown unit, 409 for a disabled server */
export function unitCalled(
  name: string,
  { aggregator: { gateway } }: OperationContext,
): ServerConfig {
  const unit = gateway.fleet.units.get(name)
  if (unit) return unit
  if (gateway.fleet.disabled.includes(name))
    throw new ApiError(409, 'disabled', `The server ${name} is disabled.`, 'Enable it first.')
  throw notFound(`server ${JSON.stringify(name)}`, 'GET /servers lists them.')
}

function changing(verb: string, summary: string, change: Change): Operation {
  return operation({
    method: 'post',
    path: `/servers/{unit}/${verb}`,
    summary,
    answer: server,
    audit: ({ unit }) => `${verb} ${unit}`,
    async run({ unit }, context) {
      const config = unitCalled(unit, context)
      await change(config, context)
      return describeServer(config, context)
    },
  })
}

type Change = (unit: ServerConfig, context: OperationContext) => Promise<void> | void

export const serverOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/servers',
    summary: 'List all servers with their accounts and state.',
    answer: list,
    async run(_, context) {
      const units = [...context.aggregator.gateway.fleet.units.values()]
      const states = await Promise.all(units.map((unit) => context.signInStates.of(unit)))
      const signIns = new Map(units.map((unit, at) => [qualifiedName(unit), states[at]] as const))
      return {
        servers: allServers(context).map((row) => ({ ...row, signIn: signIns.get(row.unit) })),
      }
    },
  }),
  operation({
    method: 'get',
    path: '/servers/{unit}',
    summary: 'Get a server, with its processes and the last lines of its stderr.',
    answer: serverDetail,
    async run({ unit: name }, context) {
      const { gateway } = context.aggregator
      const { lines: stderr, total: stderrTotal } = context.logs.of(name)
      const log = { stderr, stderrTotal }
      if (gateway.fleet.disabled.includes(name)) return { ...describeDisabled(name), ...log }
      const unit = unitCalled(name, context)
      const entry = gateway.catalog.entryOf(name)
      const sandbox = await sandboxOf(unit)
      const described = describeServer(unit, context)
      return {
        ...described,
        ...log,
        instances: described.instances.map((row) => ({
          ...row,
          memory: row.pid && residentBytes(row.pid),
        })),
        signIn: await context.signInStates.of(unit),
        sandbox: sandbox && describeSandbox(sandbox),
        instructions: entry && gateway.trust.instructionsOf(unit, entry),
      }
    },
  }),
  changing('start', 'Start a server, also one that was stopped here.', (unit, { aggregator }) =>
    aggregator.start(unit),
  ),
  changing(
    'stop',
    'Stop a server until it is started here. Calls in progress finish; new ones fail with the reason.',
    (unit, { aggregator: { gateway } }) => gateway.fleet.control.stop(qualifiedName(unit)),
  ),
  changing(
    'restart',
    'Restart a server. Calls in progress finish in the old process.',
    (unit, context) => {
      const { gateway } = context.aggregator
      gateway.fleet.control.restart(qualifiedName(unit))
      return context.aggregator.start(unit)
    },
  ),
  operation({
    method: 'post',
    path: '/servers/{unit}/check',
    summary: 'Start a server and report problems and how to fix them.',
    answer: checkup,
    audit: ({ unit }) => `doctor ${unit}`,
    run: ({ unit }, context) =>
      examine(unitCalled(unit, context), context.aggregator.gateway, context.ownerSession),
  }),
  operation({
    method: 'post',
    path: '/servers',
    summary: 'Add a server to the configuration.',
    scope: 'console:admin',
    body: newServer,
    audit: ({ name }) => `add ${name}`,
    answer: z.object({ path: z.string().describe('The configuration file.') }),
    async run(addition, context) {
      const { entry, acceptsRisks } = addition
      if (!acceptsRisks) checkAccepted(stateRisks(entry, context.settings.state))
      return { path: await addServer(context, addition) }
    },
  }),
  operation({
    method: 'delete',
    path: '/servers/{name}',
    summary: 'Remove a server from the configuration. Calls in progress finish.',
    scope: 'console:admin',
    audit: ({ name }) => `remove ${name}`,
    async run({ name }, context) {
      await editServerEntries(context, name, (servers) => {
        if (!Object.hasOwn(servers, name)) throw notFound(`server ${JSON.stringify(name)}`)
        return { drop: [name] }
      })
    },
  }),
  operation({
    method: 'patch',
    path: '/servers/{name}',
    summary:
      'Enable or disable a server in the configuration. To enable it requires the scope console:admin.',
    body: component('ServerSwitch', { enabled: z.boolean() }),
    audit: ({ name, enabled }) => `${enabled ? 'enable' : 'disable'} ${name}`,
    async run({ name, enabled }, context, { principal }) {
      if (enabled) checkScope('console:admin', principal)
      const { fleet } = context.aggregator.gateway
      if (!fleet.disabled.includes(name) && !fleet.servers.some((server) => server.name === name))
        throw notFound(`server ${JSON.stringify(name)}`)
      await editValues(context, [
        { path: ['mcpServers', name, 'disabled'] },
        { path: ['mcpServers', name, 'enabled'], value: enabled ? undefined : false },
      ])
    },
  }),
]

/** Adds a server; without an `entry`, only checks that its name is free. Resolves to the path of the file. */
export const addServer = (
  context: StateContext,
  { name, entry, replace }: Partial<z.output<typeof newServer>> & { name: string },
): Promise<string> =>
  editServerEntries(context, name, (servers) => {
    if (Object.hasOwn(servers, name) && replace !== true)
      throw new ApiError(409, 'exists', `The server ${name} already exists.`, 'Set replace.')
    return entry ? { add: { [name]: entry }, drop: [name] } : {}
  })

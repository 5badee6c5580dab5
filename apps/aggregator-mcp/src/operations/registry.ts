import { readConfig } from '@pith-mcp/aggregator'
import { asSentence } from '@pith-mcp/base/as-sentence'
import { attempt } from '@pith-mcp/base/attempt'
import {
  builtIn,
  createRegistry,
  describeChoice,
  input,
  launchOf,
  planEntry,
  type Registry,
  type RegistryEntry,
} from '@pith-mcp/registry'
import { z } from 'zod'
import { stateRisks } from '../config-file/state-risks.ts'
import { newToolsText } from '../text-of.ts'
import { accepts, checkAccepted } from './accept-risks.ts'
import type { StateContext } from './context.ts'
import { component, type Operation, operation } from './operation.ts'
import { ApiError, badRequest, notFound } from './problem.ts'
import { addServer } from './servers.ts'

const registryServer = component('RegistryServer', {
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  version: z.string().describe('Empty for built-in servers: the newest is started.'),
  isBuiltIn: z.boolean().describe('Known to this program, and not from the registry.'),
  status: z.string().describe('active or deprecated.'),
  statusMessage: z.string().optional(),
  repository: z.string().optional(),
  suggestedName: z.string().describe('For the configuration.'),
  choices: z.array(
    component('RegistryChoice', {
      kind: z.enum(['package', 'remote']),
      type: z.string().describe('That of the package, or the transport.'),
      what: z.string().describe('The package with its version, or the URL.'),
      effect: z.string().describe('What it means to add it.'),
      refusal: z.string().optional().describe('Why it cannot be added.'),
      inputs: z.array(input.meta({ id: 'RegistryInput' })),
    }),
  ),
})

export type RegistryServer = z.output<typeof registryServer>

const registryAddition = component('RegistryAddition', {
  name: z.string().min(1).max(64).describe('In the configuration.'),
  server: z.string(),
  version: z.string().optional().describe('Default: the latest.'),
  choice: z.int().min(0).describe('Its index in the choices of the server.'),
  values: z
    .record(z.string(), z.array(z.string().max(8_000)).max(50))
    .default({})
    .describe(
      'By the names of inputs. A secret is stored in the keychain, or in a file that only its owner can read, unless it is a reference such as ${VARIABLE}.',
    ),
  replace: z.boolean().optional().describe('Replace a server of the same name.'),
  accepts,
})

export const searchRegistry = operation({
  method: 'get',
  path: '/registry/servers',
  summary: 'Search the registry of MCP servers. Without words, only built-in servers are listed.',
  query: z.object({
    search: z.string().max(200).default(''),
    limit: z.coerce.number().int().min(1).max(100).default(20),
    deprecated: z.enum(['true', 'false']).optional().describe('Also deprecated servers.'),
  }),
  answer: component('RegistrySearch', {
    registry: z.string(),
    servers: z.array(registryServer),
    hidden: z.int().describe('Deprecated servers that match and are left out.'),
    unread: z.int().describe('Entries of the registry that are not valid.'),
    hasMore: z.boolean(),
    problem: z.string().optional().describe('Why the registry could not be searched.'),
  }),
  async run({ search, limit, deprecated }, context: StateContext) {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean)
    const query = { words, limit, isDeprecated: deprecated === 'true' }
    const { servers, ...hits } = await registryOf(context).search(query)
    return { ...hits, servers: servers.map(describe), registry: context.settings.registry }
  },
})

export const getRegistryServer = operation({
  method: 'get',
  path: '/registry/server',
  summary: 'Get a server of the registry, with what can be added and what that needs.',
  query: z.object({ name: z.string(), version: z.string().optional() }),
  answer: registryServer,
  run: async ({ name, version }, context: StateContext) =>
    describe(await entryOf(name, version, context)),
})

export const planRegistryServer = operation({
  method: 'post',
  path: '/registry/plan',
  summary: 'Get what would be added, and what is wrong with the values. Changes nothing.',
  body: registryAddition,
  answer: component('RegistryPlan', {
    launch: z.string().describe('The command or URL; below it variables or headers, one per line.'),
    problems: z.array(z.string()),
    risks: z.array(z.string()).describe('What a person must accept, in "accepts".'),
  }),
  async run(addition, context: StateContext) {
    const { entry, problems, risks } = await planOf(addition, context)
    return { launch: launchOf(entry), problems, risks }
  },
})

export const addRegistryServer = operation({
  method: 'post',
  path: '/registry/add',
  summary: 'Add a server of the registry to the configuration.',
  scope: 'console:admin',
  body: registryAddition,
  audit: describeAddition,
  answer: component('RegistryAdded', {
    path: z.string().describe('The configuration file.'),
    launch: z.string(),
    next: z.string().describe('What happens next.'),
  }),
  async run(addition, context: StateContext) {
    const { name, replace } = addition
    const { entry, secrets, problems, risks } = await planOf(addition, context)
    if (problems.length > 0) throw badRequest(problems.join(' '))
    checkAccepted(risks, addition.accepts)
    // A secret of the server that has the name must not be overwritten.
    await addServer(context, { name, replace })
    const { store } = await context.secrets()
    for (const [key, secret] of Object.entries(secrets)) await store(key, secret)
    const path = await addServer(context, { name, entry, replace })
    // The command may be the one that creates the configuration.
    const trust = attempt(() => context.config().settings.trust, undefined)
    const newTools = context.newTools ?? trust?.new ?? 'ignore'
    const next = `${name} starts when it is first needed. ${newToolsText[newTools]}`
    return { path, launch: launchOf(entry), next }
  },
})

/** As the command that does the same, without values. */
function describeAddition({ name, server }: { name: string; server: string }): string {
  return `registry add ${server} --as ${name}`
}

export const registryOperations: readonly Operation[] = [
  searchRegistry,
  getRegistryServer,
  planRegistryServer,
  addRegistryServer,
]

/** With what was read of them. */
const registries = new WeakMap<object, Registry>()

function registryOf({ settings }: StateContext): Registry {
  const registry = registries.get(settings) ?? createRegistry(settings.registry)
  registries.set(settings, registry)
  return registry
}

/** @throws {ApiError} */
async function entryOf(name: string, version = '', context: StateContext): Promise<RegistryEntry> {
  const reading = registryOf(context).get(name, version || 'latest')
  const entry = await reading.catch(({ message }: Error) => {
    const remedy = 'Try again, or name another registry with --registry.'
    throw new ApiError(502, 'registry', asSentence(message), remedy)
  })
  if (entry !== undefined) return entry
  throw notFound(`server ${[name, version].join(' ').trim()} in ${context.settings.registry}`)
}

async function planOf(
  { name, server, version, choice: index, values }: z.output<typeof registryAddition>,
  context: StateContext,
) {
  const { packages, remotes } = await entryOf(server, version, context)
  const choice = [...packages, ...remotes][index]
  if (choice === undefined) throw badRequest(`body.choice ${index} is not one of ${server}.`)
  const { refusal } = describeChoice(choice)
  if (refusal !== undefined) throw badRequest(refusal)
  const { referenceTo } = await context.secrets()
  const isBuiltIn = builtIn.some((entry) => entry.packages.some((known) => known === choice))
  const plan = planEntry(choice, values, name, { referenceTo, isBuiltIn })
  plan.risks.push(...stateRisks(plan.entry, context.settings.state))
  const text = JSON.stringify({ mcpServers: { [name]: plan.entry } })
  if (plan.problems.length === 0)
    await readConfig(text, {}).catch((error: Error) =>
      plan.problems.push(asSentence(error.message)),
    )
  return plan
}

function describe(entry: RegistryEntry): RegistryServer {
  const { packages, remotes, repository, isLatest: _, ...about } = entry
  return {
    ...about,
    isBuiltIn: builtIn.includes(entry),
    repository: repository?.url,
    suggestedName: entry.name.slice(entry.name.lastIndexOf('/') + 1).slice(0, 60),
    choices: [...packages, ...remotes].map((choice) => ({
      ...describeChoice(choice),
      inputs: planEntry(choice, {}, '').inputs,
    })),
  }
}

import { hostname } from 'node:os'
import { modes } from '@pith-mcp/aggregator'
import { findClients } from '@pith-mcp/import'
import { addServer, findClient, launchOf, ownCommands } from '@pith-mcp/server-kit/clients'
import { readText } from '@pith-mcp/server-kit/files'
import { z } from 'zod'
import { activityOf } from '../attention/recent-activity.ts'
import { entryOptions } from '../clients/entry-options.ts'
import { guide } from '../clients/guide.ts'
import { hostEnvironment } from '../clients/host-environment.ts'
import { packageName } from '../clients/package-name.ts'
import { shownChange } from '../clients/shown-change.ts'
import { stateFolder } from '../config.ts'
import { checkProfile, type StateContext } from './context.ts'
import { component, type Operation, operation } from './operation.ts'
import { ApiError, notFound } from './problem.ts'

const clientEntry = component('ClientEntry', {
  name: z.string(),
  file: z.string(),
  folder: z.string().optional().describe('Only clients in this folder have it.'),
  options: z.array(z.string()).describe('Its configuration files, profile and mode.'),
})

const mcpClient = component('McpClient', {
  name: z.string(),
  title: z.string(),
  file: z.string().optional().describe('The file of the user that connect writes, if we know it.'),
  isInstalled: z.boolean().describe('By its files, folders or commands.'),
  problem: z.string().optional().describe('Why a file of the client cannot be read.'),
  entries: z.array(clientEntry).describe('Entries that start the aggregator.'),
  lastSeen: z.string().optional().describe('In 30 days, by the names that clients give.'),
  lastCall: z.string().optional(),
})

const connection = component('ClientConnection', {
  entry: z.string().default('pith').describe('Name of the entry in the client.'),
  mode: z.enum(modes).optional(),
  profile: z.string().optional(),
})

const clientChange = component('ClientChange', {
  file: z.string(),
  change: z.enum(['added', 'replaced', 'there', 'printed']).describe('there: it had this entry.'),
  lines: z.array(z.string()).describe('Added ones begin with "+ "; of others, values are masked.'),
})

/** Of `remove CLIENT`. */
const flags = {
  name: undefined,
  user: true,
  force: false,
  print: false,
  write: false,
  skill: false,
  rules: false,
}
/** How far back clients are looked for. */
const days = 30

export const listClients = operation({
  method: 'get',
  path: '/clients',
  summary: 'List the MCP clients on the computer of the aggregator, with its entries in them.',
  answer: z.object({
    host: z.string().describe('The computer whose clients these are.'),
    clients: z.array(mcpClient),
  }),
  async run(_, { state }: StateContext) {
    checkComputer(state)
    const { clients } = await activityOf(state, days)
    return { host: hostname(), clients: await findClients(clients, hostEnvironment()) }
  },
})

export const clientOperations: readonly Operation[] = [
  listClients,
  operation({
    method: 'post',
    path: '/clients/{name}/preview',
    summary: 'Show what connecting a client would change in its file. Nothing is written.',
    body: connection,
    answer: clientChange,
    run: (input, context) => connect(input, context, true),
  }),
  operation({
    method: 'post',
    path: '/clients/{name}/connect',
    summary: 'Add the aggregator to the file of the user of a client. A copy of the file is kept.',
    scope: 'console:admin',
    body: connection,
    audit: ({ name }) => `add ${name}`,
    answer: clientChange,
    run: (input, context) => connect(input, context, false),
  }),
  operation({
    method: 'delete',
    path: '/clients/{name}',
    summary: 'Take out of the file of the user what connecting wrote.',
    scope: 'console:admin',
    query: z.object({ entry: z.string().default('pith') }),
    audit: ({ name }) => `remove ${name}`,
    answer: z.object({ text: z.string().describe('What was done.') }),
    async run({ name, entry }, { state }) {
      const client = clientCalled(name, state)
      const { remove } = ownCommands({ defaultName: entry, packageName, guide }, process.env)
      return { text: await remove({ ...flags, client }) }
    },
  }),
]

/** @throws {ApiError} 409 among replicas */
function checkComputer({ engines }: StateContext['state']): void {
  const message = 'The clients of replicas are on other computers.'
  if (engines.shared) throw new ApiError(409, 'replicas', message, 'Add the aggregator there.')
}

/** @throws {ApiError} 404 for an unknown client */
function clientCalled(name: string, state: StateContext['state']) {
  checkComputer(state)
  const client = findClient(name)
  if (client) return client
  throw notFound(`client ${JSON.stringify(name)}`, 'GET /clients lists them.')
}

/** As `add CLIENT --user` does, with the configuration of this process. */
async function connect(
  { name, entry, mode, profile }: z.output<typeof connection> & { name: string },
  context: StateContext,
  print: boolean,
): Promise<z.input<typeof clientChange>> {
  const client = clientCalled(name, context.state)
  checkProfile(profile, context)
  const { config, state } = context.settings
  const values = { mode, profile, state: state === stateFolder({}) ? undefined : state }
  const { needs, args } = await entryOptions(config, values)
  const host = hostEnvironment()
  const { command, args: program } = launchOf(host)
  const launch = { command, args: [...program, ...args] }
  const options = { client, name: entry, launch, host, scope: 'user', needs } as const
  const { path: file, text } = await addServer({ ...options, print: true })
  const lines = shownChange((await readText(file))?.text ?? '', text)
  const { change } = await addServer({ ...options, print })
  return { file, change, lines }
}

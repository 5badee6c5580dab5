import { hostname } from 'node:os'
import { modes } from '@pith-mcp/aggregator'
import {
  AddError,
  type AddResult,
  addServer,
  findClient,
  launchOf,
  ownCommands,
} from '@pith-mcp/server-kit/clients'
import { readText } from '@pith-mcp/server-kit/files'
import { z } from 'zod'
import { activityOf } from '../attention/recent-activity.ts'
import { entryOptions } from '../clients/entry-options.ts'
import { findClients } from '../clients/find-clients.ts'
import { guide } from '../clients/guide.ts'
import { shownChange } from '../clients/shown-change.ts'
import { stateFolder } from '../config.ts'
import { hostEnvironment } from '../import/entry/host-environment.ts'
import { packageName } from '../import/entry/own-entry.ts'
import { checkProfile, type StateContext } from './context.ts'
import { component, type Operation, operation } from './operation.ts'
import { ApiError, notFound } from './problem.ts'

const time = z.string().optional()

const clientEntry = component('ClientEntry', {
  name: z.string(),
  file: z.string(),
  folder: z.string().optional().describe('Only clients in this folder have it.'),
  config: z.array(z.string()).describe('Configuration files. Empty: the default one.'),
  profile: z.string().optional(),
  mode: z.string().optional(),
})

const mcpClient = component('McpClient', {
  name: z.string(),
  title: z.string(),
  file: z.string().describe('The file of the user that connect writes.'),
  isInstalled: z.boolean().describe('Whether this file or its folder exists.'),
  problem: z.string().optional().describe('Why a file of the client cannot be read.'),
  entries: z.array(clientEntry).describe('Entries that start the aggregator.'),
  lastSeen: time.describe('In 30 days. Absent if the journal has no line with a name of it.'),
  lastCall: time,
})

const clientList = z.object({
  host: z.string().describe('The computer whose clients these are.'),
  reason: z.string().optional().describe('Why no clients are listed.'),
  clients: z.array(mcpClient),
  others: z
    .array(z.object({ name: z.string(), lastSeen: z.string(), lastCall: time }))
    .describe('Clients that gave other names. At most 50, those seen last.'),
})

const connection = component('ClientConnection', {
  entry: z.string().default('pith').describe('Name of the entry in the client.'),
  mode: z.enum(modes).optional(),
  profile: z.string().optional(),
})

const written = z.object({
  file: z.string(),
  change: z.enum(['added', 'replaced', 'there', 'printed']).describe('there: it had this entry.'),
  backup: z.string().optional().describe('Copy of the file before.'),
})

/** How far back clients are looked for. */
const days = 30
const maxOthers = 50

export const listClients = operation({
  method: 'get',
  path: '/clients',
  summary: 'List the MCP clients on the computer of the aggregator, with its entries in them.',
  answer: clientList,
  async run(_, { state }: StateContext) {
    const host = hostname()
    const reason = reasonAgainst(state)
    if (reason !== undefined) return { host, reason, clients: [], others: [] }
    const { clients, others } = await findClients((await activityOf(state, days)).clients)
    const newest = others.sort((a, b) => (a.lastSeen < b.lastSeen ? 1 : -1))
    return { host, clients, others: newest.slice(0, maxOthers) }
  },
})

export const clientOperations: readonly Operation[] = [
  listClients,
  operation({
    method: 'post',
    path: '/clients/{name}/preview',
    summary: 'Show what connecting a client would change in its file. Nothing is written.',
    body: connection,
    answer: written.extend({
      lines: z.array(z.string()).describe('Added lines begin with "+ ". Others are masked.'),
    }),
    async run(input, context) {
      const { text, path: file, change } = await connect(input, context, true)
      const before = (await readText(file))?.text ?? ''
      return { file, change, lines: shownChange(before, text) }
    },
  }),
  operation({
    method: 'post',
    path: '/clients/{name}/connect',
    summary: 'Add the aggregator to the file of the user of a client. A copy of the file is kept.',
    scope: 'console:admin',
    body: connection,
    audit: ({ name }) => `add ${name}`,
    answer: written,
    async run(input, context) {
      const { path: file, change, backup } = await connect(input, context, false)
      return { file, change, backup }
    },
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
      const flags = { user: true, force: false, print: false, skill: false, rules: false }
      return { text: await remove({ ...flags, name: entry, client }) }
    },
  }),
]

const reasonAgainst = ({ engines }: StateContext['state']): string | undefined =>
  engines.shared && 'Several replicas serve their clients, which are on other computers.'

/** @throws {ApiError} 404 for an unknown client, 409 among replicas */
function clientCalled(name: string, state: StateContext['state']) {
  const reason = reasonAgainst(state)
  if (reason !== undefined)
    throw new ApiError(409, 'replicas', reason, 'Run aggregator-mcp add there.')
  const client = findClient(name)
  if (client === undefined) throw notFound(`client ${JSON.stringify(name)}`, 'GET /clients.')
  return client
}

type Connection = z.output<typeof connection> & { name: string }

/** As `add CLIENT --user` does, with the configuration of this process. */
async function connect(
  { name, entry, mode, profile }: Connection,
  context: StateContext,
  print: boolean,
): Promise<AddResult> {
  const client = clientCalled(name, context.state)
  checkProfile(profile, context)
  const { settings } = context
  const state = settings.state === stateFolder({}) ? undefined : settings.state
  const { needs, args } = await entryOptions(settings.config, { mode, profile, state })
  const host = hostEnvironment()
  const { command, args: program } = launchOf({ ...host, packageName })
  const launch = { command, args: [...program, ...args] }
  const options = { client, name: entry, launch, host, scope: 'user', needs, print } as const
  return addServer(options).catch((error: unknown) => {
    if (!(error instanceof AddError)) throw error
    const remedy = error.code === 'name_taken' ? 'Choose another name for the entry.' : undefined
    throw new ApiError(409, error.code, error.message, remedy)
  })
}

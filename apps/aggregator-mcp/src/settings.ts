import { modes } from '@pith-mcp/aggregator'
import { defineSettings, listOf, networks, onOff } from '@pith-mcp/server-kit/settings'
import { z } from 'zod'
import { levels, logFormats } from './log/logger.ts'

/** The variable names one file, which may contain a comma. */
const files = z
  .preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(z.string()))
  .default([])
const profile = z.string().min(1, 'must be the name of a profile')
const state = z.union([z.string().min(1, 'must be a folder'), z.literal(false)])
const replicaName = z
  .string()
  .regex(/^[0-9a-z]{8}$/, 'must be eight digits and lower-case letters, such as replica1')
const publicUrl = z
  .string()
  .refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), 'must be an http or https URL')
const officialRegistry = 'https://registry.modelcontextprotocol.io'
const registry = z
  .string()
  .min(1, 'must be a URL or a file')
  .refine((text) => !/^https?:/i.test(text) || URL.canParse(text), 'must be a URL or a file')
  .default(officialRegistry)
const characters = z.coerce.number().int().min(2_500).max(80_000)

const configHelp = `servers, {"mcpServers": {…}} as clients write it; reloaded when changed;
repeatable (default ~/.config/pith/aggregator.json;
AGGREGATOR_MCP_CONFIG)`

const modeHelp = `how tools are listed (AGGREGATOR_MCP_MODE):
  meta  search_tools, get_module_schema, call, batch, read_more (default)
  list  name and one line of every tool; get_module_schema has the rest
  full  every tool as its server defines it`

const stateHelp = `folder for pins, the journal and cached tool lists (default
~/.local/state/pith/aggregator-mcp); --no-state stores nothing`

/** The settings of flags and environment variables. */
// biome-ignore format: a table has one line for each setting.
export const settings = defineSettings({
  config: { type: files, short: 'c', isLocal: true, value: 'FILE', help: configHelp },
  mode: { type: z.enum(modes).default('meta'), short: 'm', value: 'MODE', help: modeHelp },
  profile: { type: profile.optional(), short: 'p', value: 'NAME', help: 'serve only this profile of the configuration (AGGREGATOR_MCP_PROFILE)' },
  prefix: { type: onOff(true), variable: false, help: 'put the name of their server before tools and prompts' },
  state: { type: state.optional(), variable: false, value: 'DIR', help: stateHelp },
  share: { type: onOff(true), help: 'one process for all clients of this user, over stdio' },
  shareMinutes: { type: z.coerce.number().min(0).max(1_440).default(5), value: 'N', help: 'minutes without a client after which that process ends (default 5)' },
  http: { type: z.string().optional(), variable: false, isLocal: true, value: '[HOST:]PORT', help: '' },
  token: { type: z.string().min(8).optional(), flag: false, secret: true, help: '' },
  databaseUrl: { type: z.string().optional(), flag: false, variable: 'PITH_DATABASE_URL', secret: true, help: '' },
  redisUrl: { type: z.string().optional(), flag: false, variable: 'PITH_REDIS_URL', secret: true, help: '' },
  clusterKey: { type: z.string().optional(), flag: false, variable: 'PITH_CLUSTER_KEY', secret: true, help: '' },
  replicaName: { type: replicaName.optional(), flag: false, variable: 'PITH_REPLICA_NAME', help: '' },
  replicaUrl: { type: z.string().optional(), flag: false, variable: 'PITH_REPLICA_URL', help: '' },
  replicaListen: { type: z.string().optional(), flag: false, variable: 'PITH_REPLICA_LISTEN', help: '' },
  publicUrl: { type: publicUrl.optional(), value: 'URL', isLocal: true, help: 'address that users see, for links, cookies and sign-ins at\nservers; may have a path (AGGREGATOR_MCP_PUBLIC_URL)' },
  httpHosts: { type: listOf(z.string()), flag: 'http-host', variable: false, isLocal: true, value: 'NAME', help: 'accept this host name over HTTP; repeatable' },
  trustedProxies: { type: networks(), isLocal: true, value: 'ADDRESSES', help: 'believe X-Forwarded-For of these proxies: 10.0.0.0/8,192.0.2.1\n(AGGREGATOR_MCP_TRUSTED_PROXIES)' },
  tlsCert: { type: z.string().optional(), isLocal: true, value: 'FILE', help: 'serve HTTPS with this certificate and its chain (PEM), read again\nwhen changed (AGGREGATOR_MCP_TLS_CERT)' },
  tlsKey: { type: z.string().optional(), isLocal: true, value: 'FILE', help: 'private key of --tls-cert (PEM) (AGGREGATOR_MCP_TLS_KEY)' },
  maxResultCharacters: { type: characters.optional(), variable: false, value: 'N', help: 'length of a result in meta and list (default 20000)' },
  firstPageCharacters: { type: characters.optional(), variable: false, value: 'N', help: 'length of the first page of a longer result (default 4000); one of\nhalf as much more comes whole' },
  registry: { type: registry, value: 'URL|FILE', help: `registry of MCP servers, or a file with what one lists (default\n${officialRegistry}; AGGREGATOR_MCP_REGISTRY)` },
  resultFiles: { type: onOff(false), variable: false, help: 'over stdio, also write long results to files and name them,\nfor agents that search files' },
  stderr: { type: onOff(false), variable: false, help: 'log what servers write to stderr' },
  logFormat: { type: z.enum(logFormats).default('text'), value: logFormats.join('|'), help: '' },
  logLevel: { type: z.enum(levels).default('info'), value: levels.join('|'), help: '' },
}, 'AGGREGATOR_MCP')

/** Without the defaults of `config` and `state`, which depend on the environment. */
export type GivenSettings = z.output<typeof settings.schema>

/** The variable that names the configuration file. */
export const configVariable = String(settings.lines.find(({ name }) => name === 'config')?.variable)

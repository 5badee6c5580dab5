import { z } from 'zod'
import { askKinds } from './ask-kinds.ts'
import { rate } from './limit-settings.ts'
import { oauthSettings } from './oauth-settings.ts'
import { faultOfSandbox, sandboxEntry } from './sandbox-entry.ts'
import { names, toolRules } from './tool-rules.ts'

const seconds = z.number().nonnegative().max(86_400)
const texts = z.record(z.string(), z.string())
/** Keys that clients write and that have no effect here. */
const foreign = {
  alwaysAllow: z.unknown().optional(),
  autoApprove: z.unknown().optional(),
  gallery: z.unknown().optional(),
  version: z.unknown().optional(),
}

export const clientKeys: readonly string[] = Object.keys(foreign)

/** Members of an entry that an account overrides. */
const account = z.strictObject({
  description: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
  url: z.string().optional(),
  headers: texts.optional(),
})

const noCluster =
  'must be "replica" or "session" (run a server that all replicas share once, over HTTP, and name its url instead of the command)'

const shape = z.strictObject({
  type: z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse']).optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
  cwd: z.string().optional(),
  sandbox: sandboxEntry.optional(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  httpUrl: z.string().optional(),
  headers: texts.optional(),
  oauth: oauthSettings.optional(),
  enabled: z.boolean().optional(),
  disabled: z.boolean().optional(),
  description: z.string().optional(),
  tags: names.optional(),
  accounts: z
    .record(
      z.string().regex(/^[\w.-]{1,40}$/, 'must have at most 40 letters, digits, "_", "-" and "."'),
      account,
    )
    .refine((accounts) => Object.keys(accounts).length > 0, 'must name at least one account')
    .optional(),
  account: z.string().optional(),
  ...toolRules.shape,
  pin: z.boolean().optional(),
  rate: rate.optional(),
  maxConcurrency: z.number().int().positive().max(1_000).optional(),
  timeoutSeconds: seconds.positive().optional(),
  startTimeoutSeconds: seconds.positive().optional(),
  idleMinutes: z.number().nonnegative().max(10_080).optional(),
  per: z
    .enum(['replica', 'session'], {
      // A value of versions before 0.1.0.
      error: ({ input }) => (input === 'cluster' ? noCluster : undefined),
    })
    .optional(),
  maxInstances: z.number().int().positive().max(1_000).optional(),
  era: z.enum(['2025', '2026']).optional(),
  asks: z.array(z.enum(askKinds)).max(askKinds.length).optional(),
  ...foreign,
})

/** An entry of `mcpServers` as written. */
export type ServerEntry = z.output<typeof shape>

export const serverEntry = shape.superRefine((value, context) => {
  const fault = faultOf(value)
  if (fault !== undefined) context.addIssue(fault)
})

/** Returns what is wrong with members in combination. */
function faultOf(entry: ServerEntry): string | undefined {
  const { type, command, url, serverUrl, httpUrl, account, accounts = {}, sandbox } = entry
  const addresses = [command, url, serverUrl, httpUrl].filter((value) => value !== undefined)
  if (addresses.length === 0) return 'must have a command or a url'
  if (addresses.length > 1) return 'must have only one of command and url'
  if ((command !== undefined) !== (type === undefined ? command !== undefined : type === 'stdio'))
    return `has type ${type}, which requires a ${type === 'stdio' ? 'command' : 'url'}`
  if (account !== undefined && !Object.hasOwn(accounts, account))
    return `has the account ${JSON.stringify(account)}, which is not one of its accounts`
  if (entry.enabled === true && entry.disabled === true)
    return 'has "enabled": true and "disabled": true; keep one of them'
  if (entry.maxInstances !== undefined && entry.per !== 'session')
    return 'has maxInstances, which applies to "per": "session" only'
  const isCommand = command !== undefined
  const misplaced = [
    faultOfLaunch(entry, isCommand),
    ...Object.entries(accounts).map(([name, own]) =>
      faultOfLaunch(own, isCommand, `accounts.${name}.`),
    ),
  ].find((fault) => fault !== undefined)
  return misplaced ?? (sandbox && faultOfSandbox(sandbox))
}

const launchKeys = {
  command: ['args', 'env', 'cwd', 'sandbox'],
  url: ['url', 'headers', 'oauth'],
} as const

/** Returns the member of an entry or account that its kind of server does not have. */
function faultOfLaunch(launch: object, isCommand: boolean, path = ''): string | undefined {
  const key = launchKeys[isCommand ? 'url' : 'command'].find((one) => Object.hasOwn(launch, one))
  if (key === undefined) return undefined
  return `has ${path}${key}, which applies to servers with a ${isCommand ? 'url' : 'command'} and not to a ${isCommand ? 'command' : 'url'}`
}

/** Values under these keys may be secret and are left out of error messages. */
export const secretKeys: readonly string[] = [
  'env',
  'headers',
  'accounts',
  'oauth',
  'callers',
  'args',
  'by',
  'url',
  'serverUrl',
  'httpUrl',
  'clientSecret',
  'token',
  'apiKey',
  'redis',
  'traces',
]

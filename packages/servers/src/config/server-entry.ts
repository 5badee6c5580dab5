import { z } from 'zod'
import { serverLimits } from './limit-settings.ts'
import { resultSettings } from './result-settings.ts'
import { faultOfSandbox, sandboxEntry } from './sandbox.ts'
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

/**
 * What servers may ask clients: `form` and `url` are elicitations, by a form and by opening a page;
 * `sampling` lets a client's model write; `roots` are the folders of a client.
 */
const askKinds = ['form', 'url', 'sampling', 'roots'] as const
export type AskKind = (typeof askKinds)[number]

/** For servers that require a sign-in; what is missing is discovered. */
const oauthSettings = z.strictObject({
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  grant: z
    .enum(['authorization_code', 'client_credentials'])
    .optional()
    .describe('How tokens are got. Default: a user signs in. "client_credentials" needs no user.'),
  privateKey: z
    .string()
    .min(1)
    .optional()
    .describe('PKCS #8 as PEM, instead of clientSecret: signs JWTs for client_credentials.'),
  algorithm: z
    .enum(['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512'])
    .optional()
    .describe('Of privateKey. Default ES256.'),
  /**
   * The authorization server that `clientSecret` belongs to. Default: the first one that the server
   * names.
   */
  issuer: z.url({ protocol: /^https?$/ }).optional(),
  scope: z.string().min(1).optional(),
  port: z
    .number()
    .int()
    .min(1_024)
    .max(65_535)
    .optional()
    .describe(
      'Port of the redirect URI on this machine; a registered client may require a fixed one.',
    ),
})

export type OauthSettings = z.output<typeof oauthSettings>

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
  sandbox: sandboxEntry
    .optional()
    .describe('Without it the server has the rights of this process.'),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  httpUrl: z.string().optional(),
  headers: texts.optional(),
  oauth: oauthSettings.optional(),
  enabled: z.boolean().optional(),
  disabled: z.boolean().optional(),
  description: z.string().optional().describe('Shown to models next to the name.'),
  tags: names.optional().describe('Topics, for profiles and searches.'),
  accounts: z
    .record(
      z.string().regex(/^[\w.-]{1,40}$/, 'must have at most 40 letters, digits, "_", "-" and "."'),
      account,
    )
    .refine((accounts) => Object.keys(accounts).length > 0, 'must name at least one account')
    .optional(),
  account: z.string().optional(),
  ...toolRules.shape,
  pin: z.boolean().optional().describe('Compare tools with their pins. Default true.'),
  ...serverLimits.shape,
  results: resultSettings.optional(),
  timeoutSeconds: seconds
    .positive()
    .default(300)
    .describe('Maximum time of one call without progress.'),
  startTimeoutSeconds: seconds
    .positive()
    .default(30)
    .describe('Maximum time of a start until the server answers.'),
  idleMinutes: z
    .number()
    .nonnegative()
    .max(10_080)
    .default(15)
    .describe('Stop after this time without calls; 0 means never.'),
  /**
   * What has an instance of its own: a replica, which is this process if there are no others; or
   * each client session.
   */
  per: z
    .enum(['replica', 'session'], {
      // A value of versions before 0.1.0.
      error: ({ input }) => (input === 'cluster' ? noCluster : undefined),
    })
    .optional(),
  maxInstances: z
    .number()
    .int()
    .positive()
    .max(1_000)
    .optional()
    .describe('Most instances for one caller, with "per: "session"". Default 8.'),
  asks: z
    .array(z.enum(askKinds))
    .max(askKinds.length)
    .optional()
    .describe('What it may ask clients. Default: that of the aggregator.'),
  ...foreign,
})

type Shape = Record<string, z.core.$ZodType>

/** The members of an entry that a schema has; undefined without any. */
function membersOf<T extends Shape>(entry: object, { shape }: z.ZodObject<T>) {
  const members = Object.entries(entry).filter(([key]) => Object.hasOwn(shape, key))
  if (members.length === 0) return undefined
  return Object.fromEntries(members) as z.output<z.ZodObject<T>>
}

const withoutMembers = <T extends object, S extends Shape>(entry: T, shape: S) =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => !Object.hasOwn(shape, key))) as Omit<
    T,
    keyof S
  >

/**
 * An entry of `mcpServers`: how the server is started as written, and everything else as it is
 * used, in milliseconds. A key that nothing here names is a member of the server.
 */
export const serverEntry = shape
  .superRefine((value, context) => {
    const fault = faultOf(value)
    if (fault !== undefined) context.addIssue(fault)
  })
  .transform((entry) => {
    const { pin, timeoutSeconds, startTimeoutSeconds, idleMinutes, ...rest } = entry
    const rules = membersOf(entry, toolRules)
    const limits = membersOf(entry, serverLimits)
    return {
      ...withoutMembers(rest, { ...toolRules.shape, ...serverLimits.shape, ...foreign }),
      /** Filters and renames its tools. */
      ...(rules && { rules }),
      ...(limits && { limits }),
      ...(pin !== undefined && { isPinned: pin }),
      timeoutMs: timeoutSeconds * 1000,
      startTimeoutMs: startTimeoutSeconds * 1000,
      idleMs: idleMinutes * 60_000,
    }
  })

export type ServerEntry = z.output<typeof serverEntry>

/** Returns what is wrong with members in combination. */
function faultOf(entry: z.output<typeof shape>): string | undefined {
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
    ...Object.entries(accounts).map(([name, launch]) =>
      faultOfLaunch(launch, isCommand, `accounts.${name}.`),
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
  const key = launchKeys[isCommand ? 'url' : 'command'].find((name) => Object.hasOwn(launch, name))
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

import { z } from 'zod'
import { createExpander, type Environment } from './expand-variables.ts'
import { limits, rate } from './limit-settings.ts'
import { permissions } from './permission-settings.ts'
import { profile, profileName } from './profile-settings.ts'

/** A client that is known by its token. */
const caller = z.strictObject({
  token: z.string().min(1),
  profile: profileName.optional(),
  rate: rate.optional(),
  sessionTokens: z.number().int().positive().optional(),
})

const scopeName = z.string().min(1).max(200).optional()

/** Claims that an access token must have, and claims that are read from it. */
const oauth = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }),
  audience: z.string().min(1),
  resource: z.url({ protocol: /^https?$/ }).optional(),
  jwksUri: z.url({ protocol: /^https?$/ }).optional(),
  scopes: z
    .strictObject({
      mcp: scopeName,
      'console:read': scopeName,
      console: scopeName,
      'console:admin': scopeName,
    })
    .optional(),
  profileClaim: z.string().min(1).optional(),
  nameClaim: z.string().min(1).optional(),
  algorithms: z.array(z.string()).min(1).optional(),
})

/** Versions before 0.1.0 had an object with url, headers and `sampleRatio` here. */
const noExporter =
  'must be true or false: where traces are sent is set by the variables OTEL_EXPORTER_OTLP_TRACES_ENDPOINT and OTEL_EXPORTER_OTLP_TRACES_HEADERS, and the share that is sampled by OTEL_TRACES_SAMPLER=parentbased_traceidratio and OTEL_TRACES_SAMPLER_ARG'

const telemetry = z.strictObject({
  /** Spans of requests; sent as the variables of OpenTelemetry say. */
  traces: z
    .boolean({ error: ({ input }) => (typeof input === 'object' ? noExporter : undefined) })
    .optional(),
  metrics: z
    .boolean()
    .optional()
    .describe('Serve Prometheus metrics at "/metrics" of the HTTP endpoint.'),
})

const settings = z.strictObject({
  profile: profileName.optional().describe('The default profile of callers without one.'),
  profiles: z.record(profileName, profile).optional(),
  callers: z.record(profileName, caller).optional(),
  oauth: oauth
    .optional()
    .describe('Accepts clients over HTTP by access tokens of an authorization server.'),
  limits: limits.optional(),
  permissions: permissions.optional(),
  firstListSeconds: z
    .number()
    .nonnegative()
    .max(300)
    .optional()
    .describe(
      'How long the first list, or a search that names it, waits for a starting server. Default 5.',
    ),
  alwaysLoad: z
    .boolean()
    .optional()
    .describe('Mark "search_tools" and "call", so that clients do not hide them. Default true.'),
  readOnlyCall: z
    .boolean()
    .optional()
    .describe('List "call_read_only", which clients can allow as a whole. Default false.'),
  /** A model that search_tools asks as well; it gets queries, and names and descriptions of tools. */
  embeddings: z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }),
      model: z.string().min(1),
      apiKey: z.string().min(1).optional(),
      weight: z.number().min(0).max(1).optional(),
    })
    .optional(),
  trust: z
    .strictObject({
      pin: z.boolean().optional(),
      new: z
        .enum(['hold', 'allow'])
        .optional()
        .describe('Tools whose names have no pin. Default: "hold" over HTTP, "allow" on stdio.'),
      scan: z.boolean().optional(),
    })
    .refine(({ pin, new: newTools }) => pin !== false || newTools !== 'hold', {
      path: ['new'],
      message: 'cannot be "hold" while "pin" is false: approvals are pins',
    })
    .optional(),
  journal: z
    .union([
      z.boolean(),
      z.strictObject({
        folder: z.string().min(1).optional(),
        retentionDays: z.number().int().positive().max(3_650).optional(),
        maxMegabytes: z.number().int().positive().max(100_000).optional(),
        failClosed: z.boolean().optional(),
        holdRepeatsMinutes: z
          .number()
          .nonnegative()
          .max(1_440)
          .optional()
          .describe('For how long a call whose outcome is unknown is not sent again. Default 15.'),
      }),
    ])
    .optional(),
  telemetry: telemetry.optional(),
})

/** The object `aggregator` of a configuration: profiles, callers, limits and the journal. */
export type AggregatorSettings = z.output<typeof settings>

/**
 * Settings that are options of an aggregator as they are. The others can be replaced at runtime, or
 * are for the program around it.
 */
export type ServingSettings = Omit<
  AggregatorSettings,
  | 'profile'
  | 'profiles'
  | 'callers'
  | 'limits'
  | 'permissions'
  | 'oauth'
  | 'trust'
  | 'journal'
  | 'telemetry'
>

export const aggregatorSettings = settings.superRefine(
  ({ profile, profiles = {}, callers = {} }, context) => {
    const references = [
      ...(profile === undefined ? [] : [{ path: ['profile'], name: profile }]),
      ...Object.entries(callers).flatMap(([caller, { profile: name }]) =>
        name === undefined ? [] : [{ path: ['callers', caller, 'profile'], name }],
      ),
    ]
    for (const { path, name } of references)
      if (!Object.hasOwn(profiles, name))
        context.addIssue({
          code: 'custom',
          path,
          message: 'must name a profile of aggregator.profiles',
        })
  },
)

/** Characters. Shorter tokens can be guessed. */
const minTokenLength = 8

/**
 * Expands variables in the settings that may be secret, and lists the variables that are not set.
 */
export function expandSettings(
  input: AggregatorSettings,
  environment: Environment,
): { settings: AggregatorSettings; problems: string[] } {
  const { expand, problems } = createExpander(environment)
  const tokens = new Map<string, string>()
  const expandToken = (text: string, caller: string): string => {
    const path = `callers.${caller}.token`
    const before = problems.length
    const token = expand(text, path)
    if (problems.length > before) return token
    if (token.length < minTokenLength)
      problems.push(`${path} must have at least ${minTokenLength} characters`)
    const owner = tokens.get(token)
    if (owner !== undefined) problems.push(`${path} is the same as that of ${owner}`)
    tokens.set(token, caller)
    return token
  }
  const settings = structuredClone(input)
  const { callers = {}, embeddings, limits, journal } = settings
  for (const [name, caller] of Object.entries(callers))
    caller.token = expandToken(caller.token, name)
  if (embeddings?.apiKey) embeddings.apiKey = expand(embeddings.apiKey, 'embeddings.apiKey')
  if (limits?.redis) limits.redis = expand(limits.redis, 'limits.redis')
  if (typeof journal === 'object' && journal.folder !== undefined)
    journal.folder = expand(journal.folder, 'journal.folder')
  return { settings, problems }
}

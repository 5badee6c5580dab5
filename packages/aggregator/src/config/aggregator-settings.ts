import { z } from 'zod'
import { type Environment, expandVariables } from './expand-variables.ts'
import type { LimitSettings, Rate } from './limit-settings.ts'
import type { ProfileSettings } from './profile-settings.ts'
import { rate } from './server-entry.ts'

const names = z.array(z.string().min(1)).max(1_000)

/** The object `aggregator` of a configuration: profiles, callers, limits and the journal. */
export interface AggregatorSettings {
  /** The default profile of callers without one. */
  profile?: string | undefined
  profiles?: Record<string, ProfileSettings> | undefined
  callers?: Record<string, CallerSettings> | undefined
  /** Accepts clients over HTTP by access tokens of an authorization server. */
  oauth?: AccessTokenSettings | undefined
  limits?: (Omit<LimitSettings, 'callers'> & { redis?: string | undefined }) | undefined
  trust?: { pin?: boolean | undefined; scan?: boolean | undefined } | undefined
  journal?: boolean | JournalSettings | undefined
  search?: { embeddings?: EmbeddingSettings | undefined } | undefined
  telemetry?: TelemetrySettings | undefined
}

/** A client that is known by its token. */
interface CallerSettings {
  token: string
  profile?: string | undefined
  rate?: Rate | undefined
  sessionTokens?: number | undefined
}

/** Claims that a token must have, and claims that are read from it. */
interface AccessTokenSettings {
  issuer: string
  audience: string
  resource?: string | undefined
  jwksUri?: string | undefined
  scopes?:
    | {
        mcp?: string | undefined
        'console:read'?: string | undefined
        console?: string | undefined
      }
    | undefined
  profileClaim?: string | undefined
  nameClaim?: string | undefined
  algorithms?: string[] | undefined
}

interface JournalSettings {
  folder?: string | undefined
  retentionDays?: number | undefined
  maxMegabytes?: number | undefined
}

interface TelemetrySettings {
  /** Spans of requests; sent to `url`, or where the variables of OpenTelemetry say. */
  traces?: boolean | TraceSettings | undefined
  /** Serve Prometheus metrics at `/metrics` of the HTTP endpoint. */
  metrics?: boolean | undefined
}

interface TraceSettings {
  /** Full URL of OTLP over HTTP, such as `http://localhost:4318/v1/traces`. */
  url?: string | undefined
  headers?: Record<string, string> | undefined
  /** Share of the requests that begin a trace, from 0 to 1. */
  sampleRatio?: number | undefined
}

interface EmbeddingSettings {
  url: string
  model: string
  apiKey?: string | undefined
}

/** Names become parts of URLs and file names. */
const profileName = z
  .string()
  .regex(
    /^[a-zA-Z0-9][\w-]{0,39}$/,
    'must be a name of at most 40 letters, digits, "_" and "-" that begins with a letter or digit',
  )

const profile = z.strictObject({
  description: z.string().optional(),
  servers: names.optional(),
  tags: names.optional(),
  allow: names.optional(),
  deny: names.optional(),
  readOnly: z.boolean().optional(),
  accounts: z.record(z.string(), names).optional(),
})

const caller = z.strictObject({
  token: z.string().min(1),
  profile: profileName.optional(),
  rate: rate.optional(),
  sessionTokens: z.number().int().positive().optional(),
})

const scopeName = z.string().min(1).max(200).optional()

const oauth = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }),
  audience: z.string().min(1),
  resource: z.url({ protocol: /^https?$/ }).optional(),
  jwksUri: z.url({ protocol: /^https?$/ }).optional(),
  scopes: z
    .strictObject({ mcp: scopeName, 'console:read': scopeName, console: scopeName })
    .optional(),
  profileClaim: z.string().min(1).optional(),
  nameClaim: z.string().min(1).optional(),
  algorithms: z.array(z.string()).min(1).optional(),
})

const limits = z.strictObject({
  caller: rate.optional(),
  server: rate.optional(),
  tool: rate.optional(),
  sessionTokens: z.number().int().positive().optional(),
  redis: z.string().min(1).optional(),
})

const telemetry = z.strictObject({
  traces: z
    .union([
      z.boolean(),
      z.strictObject({
        url: z.url({ protocol: /^https?$/ }).optional(),
        headers: z.record(z.string().min(1).max(200), z.string()).optional(),
        sampleRatio: z.number().min(0).max(1).optional(),
      }),
    ])
    .optional(),
  metrics: z.boolean().optional(),
})

const settings = z.strictObject({
  profile: profileName.optional(),
  profiles: z.record(profileName, profile).optional(),
  callers: z.record(profileName, caller).optional(),
  oauth: oauth.optional(),
  limits: limits.optional(),
  trust: z
    .strictObject({
      pin: z.boolean().optional(),
      scan: z.boolean().optional(),
    })
    .optional(),
  journal: z
    .union([
      z.boolean(),
      z.strictObject({
        folder: z.string().min(1).optional(),
        retentionDays: z.number().int().positive().max(3_650).optional(),
        maxMegabytes: z.number().int().positive().max(100_000).optional(),
      }),
    ])
    .optional(),
  search: z
    .strictObject({
      embeddings: z
        .strictObject({
          url: z.url({ protocol: /^https?$/ }),
          model: z.string().min(1),
          apiKey: z.string().min(1).optional(),
        })
        .optional(),
    })
    .optional(),
  telemetry: telemetry.optional(),
})

export const aggregatorSettings: z.ZodType<AggregatorSettings> = settings.superRefine(
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
  given: AggregatorSettings,
  environment: Environment,
): { settings: AggregatorSettings; problems: string[] } {
  const problems: string[] = []
  const expand = (text: string, path: string): string => {
    const { text: expanded, missing } = expandVariables(text, environment)
    for (const variable of missing) problems.push(`${path} refers to ${variable}, which is not set`)
    return expanded
  }
  const { callers, limits, search, telemetry } = given
  const tokens = new Map<string, string>()
  const expandToken = (text: string, caller: string): string => {
    const path = `callers.${caller}.token`
    const before = problems.length
    const token = expand(text, path)
    if (problems.length > before) return token
    if (token.length < minTokenLength)
      problems.push(`${path} must have at least ${minTokenLength} characters`)
    const other = tokens.get(token)
    if (other !== undefined) problems.push(`${path} is the same as that of ${other}`)
    tokens.set(token, caller)
    return token
  }
  const { embeddings } = search ?? {}
  const traces = typeof telemetry?.traces === 'object' ? telemetry.traces : undefined
  return {
    problems,
    settings: {
      ...given,
      ...(callers && {
        callers: Object.fromEntries(
          Object.entries(callers).map(([name, one]) => [
            name,
            { ...one, token: expandToken(one.token, name) },
          ]),
        ),
      }),
      ...(limits?.redis && { limits: { ...limits, redis: expand(limits.redis, 'limits.redis') } }),
      ...(embeddings?.apiKey && {
        search: {
          embeddings: {
            ...embeddings,
            apiKey: expand(embeddings.apiKey, 'search.embeddings.apiKey'),
          },
        },
      }),
      ...(traces?.headers && {
        telemetry: {
          ...telemetry,
          traces: {
            ...traces,
            headers: Object.fromEntries(
              Object.entries(traces.headers).map(([name, value]) => [
                name,
                expand(value, `telemetry.traces.headers.${name}`),
              ]),
            ),
          },
        },
      }),
    },
  }
}

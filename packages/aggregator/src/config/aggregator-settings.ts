import { z } from 'zod'
import { type Environment, expandVariables } from './expand-variables.ts'
import type { LimitSettings, Rate } from './limit-settings.ts'
import type { ProfileSettings } from './profile-settings.ts'
import { rate } from './server-entry.ts'

const names = z.array(z.string().min(1)).max(1_000)

/** What stands under `aggregator` beside the servers: who may use what, and how much of it. */
export interface AggregatorSettings {
  /** Of those who name none. */
  profile?: string | undefined
  profiles?: Record<string, ProfileSettings> | undefined
  callers?: Record<string, CallerSettings> | undefined
  /** Access tokens of an authorization server that let clients in over HTTP. */
  oauth?: AccessTokenSettings | undefined
  limits?: (Omit<LimitSettings, 'callers'> & { redis?: string | undefined }) | undefined
  trust?: { pin?: boolean | undefined; scan?: boolean | undefined } | undefined
  journal?: boolean | JournalSettings | undefined
  search?: { embeddings?: EmbeddingSettings | undefined } | undefined
  telemetry?: TelemetrySettings | undefined
}

/** Who comes with a token. */
interface CallerSettings {
  token: string
  profile?: string | undefined
  rate?: Rate | undefined
  sessionTokens?: number | undefined
}

/** What the tokens have to say, and what is read from them. */
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
  days?: number | undefined
  megabytes?: number | undefined
}

/** What is told to those who watch it. */
interface TelemetrySettings {
  /** Spans of each request; where they are sent is said here or by the variables of OpenTelemetry. */
  traces?: boolean | TraceSettings | undefined
  /** For Prometheus, at `/metrics` of the HTTP endpoint. */
  metrics?: boolean | undefined
}

interface TraceSettings {
  /** Of OTLP over HTTP, whole, such as `http://localhost:4318/v1/traces`. */
  url?: string | undefined
  headers?: Record<string, string> | undefined
  /** Of requests that are no part of a trace already; from 0 to 1. */
  sampleRatio?: number | undefined
}

interface EmbeddingSettings {
  url: string
  model: string
  apiKey?: string | undefined
}

/** Names become parts of URLs and of file names. */
const profileName = z
  .string()
  .regex(/^[a-zA-Z0-9][\w-]{0,39}$/, 'a name has letters, digits, _ and -, at most 40')

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
        days: z.number().int().positive().max(3_650).optional(),
        megabytes: z.number().int().positive().max(100_000).optional(),
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
    const wanted = [
      ...(profile === undefined ? [] : [{ path: ['profile'], name: profile }]),
      ...Object.entries(callers).flatMap(([caller, { profile: name }]) =>
        name === undefined ? [] : [{ path: ['callers', caller, 'profile'], name }],
      ),
    ]
    for (const { path, name } of wanted)
      if (!Object.hasOwn(profiles, name))
        context.addIssue({ code: 'custom', path, message: 'there is no such profile' })
  },
)

/** Shorter ones can be guessed. */
const shortestToken = 8

/** Variables in what may be secret. Those that are not set are told. */
export function expandSettings(
  given: AggregatorSettings,
  environment: Environment,
): { settings: AggregatorSettings; problems: string[] } {
  const problems: string[] = []
  const expand = (text: string, path: string): string => {
    const { text: expanded, missing } = expandVariables(text, environment)
    for (const variable of missing) problems.push(`${path} names ${variable}, which is not set`)
    return expanded
  }
  const { callers, limits, search, telemetry } = given
  const tokens = new Map<string, string>()
  const expandToken = (text: string, caller: string): string => {
    const path = `callers.${caller}.token`
    const before = problems.length
    const token = expand(text, path)
    if (problems.length > before) return token
    if (token.length < shortestToken)
      problems.push(`${path} has to have at least ${shortestToken} characters`)
    const other = tokens.get(token)
    if (other !== undefined) problems.push(`${path} is that of ${other} too`)
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

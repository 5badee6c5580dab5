import {
  cacheType,
  defineSettings,
  httpLines,
  listOf,
  onOff,
  parseJson,
} from '@pith-mcp/server-kit/settings'
import { z } from 'zod'

/** Sites that have a name in addition to their URL. */
export const siteNames = ['aws', 'aws-cn', 'snowflake', 'microsoft-learn', 'mdn'] as const
/** Servers whose tools can be imitated. */
const compatNames = ['aws', 'snowflake'] as const

const number = z.coerce.number()
/** An object, written as JSON in the environment. */
const json = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? parseJson(value) : value), schema)

const headers = json(z.record(z.string(), z.record(z.string(), z.string())))
const sites = json(
  z.record(z.string(), z.record(z.string(), z.string()), {
    error: 'must be an object of objects, written as JSON in the environment',
  }),
)
const proxy = z.strictObject({
  http: z.string().optional(),
  https: z.string().optional(),
  noProxy: z.string().optional(),
})
const asciiLine = z.string().regex(/^[\x20-\x7e]+$/, 'must be one line of ASCII characters')

const embeddings = json(
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }),
    model: z.string().min(1),
    apiKey: z.string().min(1).optional(),
    weight: z.number().min(0).max(1).optional(),
  }),
)

/** The settings of `docs-mcp.json`, flags and environment variables. */
// biome-ignore format: a table has one line for each setting.
export const settings = defineSettings({
  sources: { type: listOf(z.string()), flag: false, help: 'the arguments: what is searched and may be read' },
  site: { type: listOf(z.enum(siteNames)), value: '<name>', help: 'aws, aws-cn, snowflake, microsoft-learn or mdn; may be repeated', manual: '[known sites](sites.md); may be repeated' },
  compat: { type: z.enum(compatNames).optional(), value: '<name>', help: 'aws or snowflake; AWS_DOCUMENTATION_PARTITION=aws-cn for China', manual: '[tools of another server](compat.md): `aws`, `snowflake`' },
  sites: { type: sites.default({}), flag: false, secret: true, help: 'hosts, paths and keys of [sites and services](sites.md#settings); JSON in the environment' },
  siteSearch: { type: onOff(true), help: 'use the search services of sites' },
  userAgent: { type: asciiLine.optional(), value: '<text>', unset: '`pith-docs`', help: 'User-Agent of requests', manual: 'User-Agent header of requests' },
  parser: { type: z.enum(['fast', 'parse5']).default('fast'), value: '<name>', help: '', manual: 'parser of HTML: fast, or parse5, its slower reference' },
  timeout: { type: number.gt(0).max(600).default(20), value: '<s>', help: 'for one request', manual: 'time for one request' },
  maxPages: { type: number.int().min(1).default(2000), value: '<n>', help: 'maximum pages of one source to read in advance' },
  searchWait: { type: number.min(0).max(600).default(20), value: '<s>', help: 'maximum wait of a search for pages' },
  cache: { type: cacheType, value: '<folder>', unset: "the system's cache folder", help: 'folder for pages and indexes; --no-cache: none', manual: 'folder for pages and indexes; `false`, or `off` in the environment: none' },
  maxCacheMb: { type: number.gt(0).default(512), value: '<n>', help: 'maximum size of cached pages', manual: 'maximum size of the cached pages, compressed' },
  databaseUrl: { type: z.string().optional(), flag: false, variable: 'PITH_DATABASE_URL', secret: true, help: '`postgresql://…` of the [database that replicas share](search/indexing.md#replicas)' },
  offline: { type: onOff(false), help: 'send no requests; use files, packs and cached pages' },
  only: { type: listOf(z.string()), value: '<host>', unset: 'all', help: 'read no other hosts; may be repeated' },
  allowNetworks: { type: listOf(z.string()), flag: 'allow-network', value: '<cidr>', help: 'a network that may be read although it is not public' },
  headers: { type: headers.default({}), flag: false, secret: true, help: 'request headers, by host; JSON in the environment' },
  cookies: { type: z.string().min(1).optional(), value: '<file>', help: 'cookies.txt for documentation behind a login', manual: 'file of cookies in the format of Netscape, for [documentation behind a login](access.md#documentation-behind-a-login)' },
  proxy: { type: proxy.default({}), flag: false, variable: false, help: '`http`, `https` and `noProxy`; in the environment, `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`' },
  embeddings: { type: embeddings.optional(), flag: false, secret: true, help: '`url`, `model`, `apiKey` and `weight` of an [embedding model](search/indexing.md#by-meaning) that ranks what the words have found; JSON in the environment' },
  ...httpLines('DOCS_MCP'),
  structuredContent: { type: onOff(false), help: '', manual: 'also return the figures of replies as structured content' },
  alwaysLoad: { type: onOff(true), help: '', manual: 'mark the tools for searching and reading with `anthropic/alwaysLoad`, so that clients that hide tools show them' },
}, 'DOCS_MCP')

export type Settings = z.output<typeof settings.schema>

import { z } from 'zod'

/** U+0000 marks references of a person, in `plan-entry.ts`. */
const text = z
  .string()
  .max(8_000)
  .refine((value) => !value.includes('\0'))
const list = <T extends z.ZodType>(item: T) => z.array(item).max(100).default([])

/** What a person may be asked for. */
export const question = z.object({
  description: text.optional(),
  isRequired: z.boolean().default(false),
  isSecret: z.boolean().default(false),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).catch('string'),
  default: text.optional(),
  placeholder: text.optional(),
  choices: z.array(text).max(200).optional(),
})
const field = question.extend({ value: text.optional() })
const variables = z.record(z.string(), field).default({})
const template = field.extend({ variables })
const keyValue = template.extend({ name: text })
const argument = template.extend({
  type: z.enum(['positional', 'named']),
  name: text.default(''),
  valueHint: text.default('argument'),
  isRepeated: z.boolean().default(false),
})
const remote = z.object({ type: text, url: text, headers: list(keyValue), variables })
/** A word of a command line that no program takes for an option. */
const word = text.pipe(z.string().regex(/^[^-\s]\S*$/))
const registryPackage = z.object({
  registryType: text,
  registryBaseUrl: z.url().optional(),
  identifier: word,
  version: word.optional(),
  runtimeHint: text.optional(),
  transport: z.object({ type: text }).default({ type: 'stdio' }),
  runtimeArguments: list(argument),
  packageArguments: list(argument),
  environmentVariables: list(keyValue),
})

/** A server.json, with what a registry says of it. */
const registryEntry = z.object({
  name: z.string().min(1).max(200),
  title: text.optional(),
  description: text.default(''),
  version: text.default(''),
  repository: z.object({ url: text }).optional().catch(undefined),
  packages: list(registryPackage),
  remotes: list(remote),
  status: z.string().default('active'),
  statusMessage: text.optional(),
  isLatest: z.boolean().default(true),
})

export type Field = z.output<typeof field>
export type Template = z.output<typeof template>
export type Argument = z.output<typeof argument>
export type RegistryPackage = z.output<typeof registryPackage>
export type Remote = z.output<typeof remote>
export type RegistryEntry = z.output<typeof registryEntry>

export interface RegistryPage {
  entries: RegistryEntry[]
  /** How many entries are not valid. */
  unread: number
  next: string | undefined
}

/** Reads a reply of a registry: a page of its list, a bare list, or one server. */
export function readReply(reply: unknown): RegistryPage {
  const body = camelCased(reply) as { servers?: unknown; metadata?: { nextCursor?: string } } | null
  const rows = Array.isArray(body) ? body : Array.isArray(body?.servers) ? body.servers : [body]
  const entries = rows.flatMap((row) => registryEntry.safeParse(flat(row)).data ?? [])
  return {
    entries,
    unread: rows.length - entries.length,
    next: body?.metadata?.nextCursor || undefined,
  }
}

type Members = Record<string, Record<string, unknown> | undefined>

/** One object of what a publisher wrote, and what the registry adds. */
function flat(row: Members | null): object {
  const { server = row as Members, _meta = server?.['_meta'] } = row ?? {}
  const official = Object(_meta)['io.modelcontextprotocol.registry/official']
  return { ...Object(server?.['versionDetail']), ...server, ...Object(official) }
}

/** Members of schemas before 2025-09-16, in snake_case, by their present names. Null is left out. */
function camelCased(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => camelCased(item))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(
    members.map(([key, member]) => [
      isMap
        ? key
        : key
            .replace(/(?<=\w)_(\w)/g, (_, letter: string) => letter.toUpperCase())
            .replace('transportType', 'type'),
      camelCased(member, key === 'variables'),
    ]),
  )
}

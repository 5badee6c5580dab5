import { createHash } from 'node:crypto'
import { z } from 'zod'

/** How far an approval reaches: one call, the calls of one session, or until it is revoked. */
export const grants = ['once', 'session', 'kept'] as const
/** How far an approval reaches: one call, the calls of one session, or until it is revoked. */
export type Grant = (typeof grants)[number]

/** A call that a person was asked about, with the answer. */
export const approval = z.object({
  id: z.string(),
  /** Hash of all that it is bound to. */
  key: z.string(),
  state: z.enum(['waiting', 'refused', ...grants]),
  /** Who called, and in which session. Absent for a client without a name. */
  caller: z.string().optional(),
  profile: z.string().optional(),
  session: z.string(),
  server: z.string(),
  account: z.string().optional(),
  /** The tool, or the method of a read. */
  tool: z.string(),
  /** JSON of the arguments, without secrets that are known. */
  args: z.string(),
  /** Path of the setting that asks, and what it says of the reason. */
  setting: z.string(),
  reason: z.string().optional(),
  needsAnother: z.boolean(),
  /** Milliseconds since 1970. */
  askedAt: z.number(),
  /** Milliseconds since 1970; absent if it is kept. */
  endsAt: z.number().optional(),
  /** Milliseconds from the answer for which it is valid. */
  validMs: z.number(),
  answeredBy: z.string().optional(),
  answeredAt: z.number().optional(),
})

/** A call that waits for a person, with the answer if there is one. */
export type Approval = z.output<typeof approval>

/** What an approval is bound to. Another value of any member is another call. */
export interface Binding {
  /** Caller and profile. */
  principal: string
  /** How the server is started or reached. */
  source: string
  server: string
  account: string | undefined
  tool: string
  /** Hash of its definition, and its name at the server. */
  definition: string
  args: unknown
  /** The caller cannot approve it. */
  needsAnother: boolean
}

export const keyOf = (binding: Binding): string =>
  createHash('sha256').update(canonicalJson(binding)).digest('hex')

/** JSON with the members of objects in the order of their names, without blanks (as in RFC 8785). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

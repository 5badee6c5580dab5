import { isIP } from 'node:net'
import { z } from 'zod'
import { toolHints } from './tool-hints.ts'
import { names } from './tool-rules.ts'

const maxRules = 200
const scalar = z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()])

/** `[SCHEME://]HOST[:PORT]`; the host is a name, whose labels may be `*`, an address, or a range. */
export const hostForm =
  /^(?:([a-z][\w+.-]*):\/\/)?(\[[\da-f:.]+(?:\/\d{1,3})?\]|[^\s:/[\]@?#]+(?:\/\d{1,2})?)(?::(\d{1,5}))?$/i
function isHostOrRange(text: string): boolean {
  const [, , host = ''] = hostForm.exec(text) ?? []
  const [address = '', bits] = host.replace(/[[\]]/g, '').split('/')
  return bits === undefined || Number(bits) <= ({ 4: 32, 6: 128 }[isIP(address)] ?? -1)
}

const hostPattern = z
  .string()
  .max(300)
  .regex(hostForm, 'must have the form HOST, *.DOMAIN, ADDRESS or ADDRESS/BITS, without a path')
  .refine(isHostOrRange, 'must have an address before BITS, and no more bits than that has')

const test = z.strictObject({
  equals: z
    .union([scalar, z.array(scalar).min(1).max(1_000)])
    .optional()
    .describe('This value, or one of these.'),
  prefix: z.string().min(1).max(2_000).optional().describe('A text that begins like this.'),
  below: z
    .string()
    .min(1)
    .max(2_000)
    .regex(/^(?:[a-zA-Z]:)?[\\/]/, 'must be an absolute path')
    .optional()
    .describe('An absolute path: this folder, or something in it.'),
  host: z
    .union([hostPattern, z.array(hostPattern).min(1).max(1_000)])
    .optional()
    .describe(
      'The host of a URL, or one of these: a name, *.example.com, an address, 10.0.0.0/8; with :PORT or SCHEME:// for those only.',
    ),
  min: z.number().optional(),
  max: z.number().optional(),
  matches: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('A pattern of RE2, found anywhere in the text unless it has ^ and $.'),
})

/** What one value of the arguments must be: the value itself, or tests that all hold. */
const condition = z.union([
  scalar,
  test.extend({
    not: test.optional().describe('Tests that must not all hold.'),
    absent: z.literal(true).optional().describe('Also no value at all.'),
  }),
])

export type ValueTest = z.output<typeof test>
export type Condition = z.output<typeof condition>

const rule = z.strictObject({
  servers: names.optional().describe('Patterns of server names. Without any: all servers.'),
  tools: names
    .optional()
    .describe('Patterns of "SERVER.TOOL"; a server alone means all its tools.'),
  resources: names.optional().describe('Patterns of URIs, as the server has them.'),
  prompts: names.optional().describe('Patterns of names of prompts at their server.'),
  accounts: names.optional(),
  profiles: names.optional(),
  callers: names.optional().describe('Names of callers, such as token:NAME. Patterns.'),
  params: z
    .record(z.string().min(1).max(200), condition)
    .optional()
    .describe('Conditions by the path of the value: path, a.b, files[*].path.'),
  annotations: toolHints.optional().describe('Hints that the tool must have.'),
  reason: z.string().max(300).optional().describe('Shown to the model and to who approves.'),
})

/** A rule for everything is mostly one that was not written to its end. */
const narrows = (members: object): boolean =>
  Object.keys(members).some((key) => key !== 'reason' && key !== 'approver')
const narrowed = {
  error: 'must say which calls it is for; "servers": ["*"] is for all',
}

const allowRule = rule.extend({
  only: z
    .literal(true)
    .optional()
    .describe('Calls without further arguments than those that params names.'),
})

/** One entry of a list of permissions; a call must meet all its members. */
export type PermissionRule = z.output<typeof askRule> & z.output<typeof allowRule>

const askRule = rule.extend({
  approver: z
    .literal('another')
    .optional()
    .describe('Another person than the caller must approve it.'),
})

/** What may be called, and what is asked before: the first list with a rule that applies decides. */
export const permissions = z.strictObject({
  deny: z.array(rule.refine(narrows, narrowed)).max(maxRules).optional(),
  ask: z.array(askRule.refine(narrows, narrowed)).max(maxRules).optional(),
  allow: z.array(allowRule.refine(narrows, narrowed)).max(maxRules).optional(),
  default: z
    .enum(['allow', 'ask', 'deny'])
    .optional()
    .describe('What happens to a call that no rule applies to. Default "allow".'),
  approvalMinutes: z
    .number()
    .positive()
    .max(10_080)
    .optional()
    .describe('How long a request waits for approval, and an approval for its call. Default 60.'),
})

export type PermissionSettings = z.output<typeof permissions>

import { z } from 'zod'

const paths = z.array(z.string().min(1).max(4_096)).max(100)
const variables = z
  .array(z.string().regex(/^[^=\s\0]+$/, 'must be the name of a variable'))
  .max(200)

/**
 * `sandbox` of an entry as written; all members are optional, and without them little is allowed.
 */
export const sandboxEntry = z.strictObject({
  by: z
    .union([z.literal('bubblewrap'), z.array(z.string()).min(1).max(200)], {
      error: 'must be "bubblewrap" or a command as a list',
    })
    .optional(),
  env: variables.optional(),
  files: z
    .union(
      [
        z.enum(['none', 'read']),
        z.strictObject({ read: paths.optional(), write: paths.optional() }),
      ],
      { error: 'must be "none", "read" or {"read": […], "write": […]}' },
    )
    .optional(),
  network: z.boolean().optional(),
})

export type SandboxEntry = z.output<typeof sandboxEntry>

/** Returns what is contradictory in an entry. */
export function faultOfSandbox({ by, files, network }: SandboxEntry): string | undefined {
  if (!Array.isArray(by)) return undefined
  if (by[0]?.trim() === '') return 'has an empty command in sandbox.by'
  const requested = [
    ...(files === undefined ? [] : ['files']),
    ...(network === undefined ? [] : ['network']),
  ]
  return requested.length === 0
    ? undefined
    : `has sandbox.${requested[0]}, which cannot be enforced through a command of your own: express it in the command`
}

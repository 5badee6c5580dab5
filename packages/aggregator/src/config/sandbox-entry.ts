import { z } from 'zod'

/** `sandbox` of an entry as it is written; all of it may be left out, and then little is allowed. */
export interface SandboxEntry {
  by?: 'bubblewrap' | 'node' | string[] | undefined
  env?: string[] | undefined
  files?:
    | 'none'
    | 'read'
    | { read?: string[] | undefined; write?: string[] | undefined }
    | undefined
  network?: boolean | undefined
}

const paths = z.array(z.string().min(1).max(4_096)).max(100)
const variables = z.array(z.string().regex(/^[^=\s\0]+$/, 'is no name of a variable')).max(200)

export const sandboxEntry: z.ZodType<SandboxEntry> = z.strictObject({
  by: z
    .union([z.enum(['bubblewrap', 'node']), z.array(z.string()).min(1).max(200)], {
      error: 'is neither "bubblewrap" nor "node" nor a command as a list',
    })
    .optional(),
  env: variables.optional(),
  files: z
    .union(
      [
        z.enum(['none', 'read']),
        z.strictObject({ read: paths.optional(), write: paths.optional() }),
      ],
      { error: 'is neither "none" nor "read" nor {"read": […], "write": […]}' },
    )
    .optional(),
  network: z.boolean().optional(),
})

/** What cannot be meant. */
export function faultOfSandbox({ by, files, network }: SandboxEntry): string | undefined {
  if (!Array.isArray(by)) return undefined
  if (by[0]?.trim() === '') return 'sandbox.by names no command'
  const asked = [
    ...(files === undefined ? [] : ['files']),
    ...(network === undefined ? [] : ['network']),
  ]
  return asked.length === 0
    ? undefined
    : `sandbox.${asked[0]} cannot be enforced through a command of your own; say it in the command`
}

import { z } from 'zod'
import { ApiError } from './problem.ts'

export const accepts = z
  .array(z.string().max(2_000))
  .max(50)
  .default([])
  .describe('The risks that a person has accepted, as they were shown.')

/** @throws {ApiError} for risks that were not accepted */
export function checkAccepted(risks: readonly string[], accepted: readonly string[] = []): void {
  const open = risks.filter((risk) => !accepted.includes(risk))
  if (open.length === 0) return
  throw new ApiError(
    409,
    'risks',
    `${open.join(' ')} Nothing was added.`,
    'Accept it in the dialog, with --accept on the command line, or with the member of the request that is for it.',
  )
}

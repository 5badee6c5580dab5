import type { ApiContext } from './context.ts'
import { notFound } from './problem.ts'

/** @throws {ApiError} 404 for a profile that is not configured */
export function checkProfile(profile: string | undefined, { config }: ApiContext): void {
  if (profile !== undefined && !Object.hasOwn(config().settings.profiles ?? {}, profile))
    throw notFound(`profile ${JSON.stringify(profile)}`, 'GET /profiles lists them.')
}

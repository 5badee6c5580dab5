import { badConfig } from './config-root.ts'
import type { Condition, PermissionSettings } from './permission-settings.ts'

/** Finds a pattern of RE2 in a text, in linear time. */
export type FindPattern = (pattern: string, text: string) => boolean

let loaded: Promise<FindPattern> | undefined

/** Loaded with the first pattern. Compiled patterns are kept: they are settings. */
export function loadPatterns(): Promise<FindPattern> {
  loaded ??= import('re2js').then(({ RE2JS }) => {
    const compiled = new Map<string, InstanceType<typeof RE2JS>>()
    return (pattern, text) => {
      const matcher = compiled.get(pattern) ?? RE2JS.compile(pattern)
      compiled.set(pattern, matcher)
      return matcher.matcher(text).find()
    }
  })
  return loaded
}

export const hasPatterns = (settings: PermissionSettings): boolean =>
  JSON.stringify(settings).includes('"matches":')

/** @throws {AggregatorError} `bad_config` for what is no pattern of RE2 */
export async function checkPatterns(settings: PermissionSettings | undefined): Promise<void> {
  if (settings === undefined || !hasPatterns(settings)) return
  const find = await loadPatterns()
  for (const list of ['deny', 'ask', 'allow'] as const)
    for (const [index, { params = {} }] of (settings[list] ?? []).entries())
      for (const [path, condition] of Object.entries(params))
        for (const pattern of patternsIn(condition))
          try {
            find(pattern, '')
          } catch (error) {
            throw badConfig(
              `aggregator.permissions.${list}[${index}].params.${path}.matches is no pattern of RE2: ${(error as Error).message}`,
            )
          }
}

function patternsIn(condition: Condition): string[] {
  if (typeof condition !== 'object' || condition === null) return []
  return [condition.matches, condition.not?.matches].filter((pattern) => pattern !== undefined)
}

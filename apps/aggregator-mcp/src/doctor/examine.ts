import {
  type Aggregator,
  describeSandbox,
  qualifiedName,
  type ServerConfig,
  safeName,
  sandboxOf,
  withoutFence,
} from '@pith-mcp/aggregator'
import { countOf } from '@pith-mcp/base/count-of'

type Gateway = Aggregator['gateway']

/** Start a unit, and describe it or what is wrong with it. */
export async function examine(
  unit: ServerConfig,
  gateway: Gateway,
  session: Parameters<Gateway['discovery']['readUnlessCurrent']>[1],
): Promise<{ isHealthy: boolean; lines: string[] }> {
  const started = performance.now()
  const name = qualifiedName(unit)
  try {
    await gateway.discovery.readUnlessCurrent(unit, session, {})
    const ms = Math.round(performance.now() - started)
    const entry = gateway.catalog.entryOf(name)
    const info = entry?.serverInfo
    const parts = [
      countOf(entry?.tools.length ?? 0, 'tool'),
      `protocol ${entry?.era === 'modern' ? '2026-07-28' : '2025 or earlier'}`,
      ...(info?.['name'] ? [`${info['name']} ${info['version']}`] : []),
      `${ms} ms`,
    ]
    const report = await sandboxOf(unit)
    const sandbox = report === undefined ? [] : [`  sandbox: ${describeSandbox(report)}`]
    const odd = faultsOf(unit, gateway).map(
      ({ kind, name, why }) => `  ${kind} ${safeName(name)}: ${why}`,
    )
    return { isHealthy: true, lines: [`${name}: ok; ${parts.join(', ')}`, ...odd, ...sandbox] }
  } catch (error) {
    const { message: text, remedy } = error as Error & { remedy?: string }
    const message = withoutFence(text)
    return {
      isHealthy: false,
      lines: [`${name}: ${message}${remedy ? ` ${remedy}` : ''}`, ...adviceFor(unit, message)],
    }
  }
}

/** Definitions that clients cannot list as they are. */
export const faultsOf = (unit: ServerConfig, { catalog }: Gateway) =>
  catalog.entryOf(qualifiedName(unit))?.faults ?? []

/** The most frequent cause of an error, by its message. */
const advice: readonly [RegExp, (unit: ServerConfig) => string][] = [
  [/the command .* was not found in /i, () => 'Check that the folder (cwd) exists.'],
  [
    /the command .* was not found/i,
    (unit) =>
      `Check that ${unit.type === 'stdio' ? unit.command : ''} is installed, and on the PATH of this process.`,
  ],
  [/EACCES/, () => 'The file is not executable. Run chmod +x on it.'],
  [
    /did not answer within/,
    () => 'Raise startTimeoutSeconds if it needs longer, as a first npx does.',
  ],
  [/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/, () => 'Check that a server listens at this address.'],
  [/\b401\b|\b403\b/, () => 'The server needs a sign-in or a valid key.'],
]

function adviceFor(unit: ServerConfig, message: string): string[] {
  const entry = advice.find(([pattern]) => pattern.test(message))
  return entry ? [`  ${entry[1](unit)}`] : []
}

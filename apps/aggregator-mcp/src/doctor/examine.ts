import {
  type Aggregator,
  type ServerConfig,
  sandboxOf,
  saySandbox,
  unitName,
} from '@pith-mcp/aggregator'

type Gateway = Aggregator['gateway']

/** Start a server, or one of its accounts, and say how it is. */
export async function examine(
  unit: ServerConfig,
  gateway: Gateway,
  session: Parameters<Gateway['confirm']>[1],
): Promise<{ isWell: boolean; lines: string[] }> {
  const started = performance.now()
  const name = unitName(unit)
  try {
    await gateway.confirm(unit, session, {})
    const ms = Math.round(performance.now() - started)
    const entry = gateway.catalog.entryOf(name, '{}')
    const info = entry?.serverInfo
    const said = [
      `${entry?.tools.length ?? 0} tools`,
      `${entry?.era === 'modern' ? '2026-07-28' : '2025 or earlier'}`,
      ...(info ? [`${info['name']} ${info['version']}`] : []),
      `${ms} ms`,
    ]
    const report = await sandboxOf(unit)
    const inForce = report === undefined ? [] : [`  sandbox: ${saySandbox(report)}`]
    return { isWell: true, lines: [`${name}: well; ${said.join(', ')}`, ...inForce] }
  } catch (error) {
    const { message, remedy } = error as Error & { remedy?: string }
    return {
      isWell: false,
      lines: [`${name}: ${message}${remedy ? ` ${remedy}` : ''}`, ...adviceFor(unit, message)],
    }
  }
}

/** What most often is behind it. */
const advice: readonly [RegExp, (unit: ServerConfig) => string][] = [
  [/the command .* was not found in /, () => 'is there such a folder (cwd)?'],
  [
    /the command .* was not found/,
    (unit) =>
      `is ${unit.type === 'stdio' ? unit.command : ''} installed, and in the PATH that this program sees?`,
  ],
  [/EACCES/, () => 'the file may not be run; chmod +x it.'],
  [
    /did not answer within/,
    () => 'raise startTimeoutSeconds if it needs longer, such as a first npx.',
  ],
  [/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/, () => 'does something listen at that address?'],
  [/\b401\b|\b403\b/, () => 'it wants a sign-in or a valid key.'],
]

function adviceFor(unit: ServerConfig, message: string): string[] {
  const found = advice.find(([pattern]) => pattern.test(message))
  return found ? [`  ${found[1](unit)}`] : []
}

import type { Line } from '../../src/settings/index.ts'

/** How a setting reaches a program. */
export interface Way {
  name: string
  argv: string[]
  environment: Record<string, string>
}

/** The ways to give the value `text`; what is a switch is switched. Its flag needs no value. */
export function waysToGive({ flag, variable, preset }: Line, text: string): Way[] {
  const argv =
    typeof preset === 'boolean' ? [`--${preset ? 'no-' : ''}${flag}`] : [`--${flag}`, text]
  return [
    ...(flag === false ? [] : [{ name: String(argv[0]), argv, environment: {} }]),
    ...(variable === false
      ? []
      : [{ name: variable, argv: [], environment: { [variable]: text } }]),
  ]
}

export type CallArguments = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

/** A call written as a model would make it, arguments that are not given left out. */
export function callText(tool: string, args: CallArguments): string {
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== false)
  return `${tool}(${given.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ')})`
}

/** A title as it stands in a line of a reply; it may not pass for one of our own brackets. */
export function shortTitle(title: string): string {
  const plain = title.replace(/\s+/g, ' ').replaceAll('[', '(').replaceAll(']', ')')
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}

export const count = (value: number): string => value.toLocaleString('en-US')

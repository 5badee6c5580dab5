/** A call with its arguments, those that are `undefined` left out. */
export interface NextCall {
  tool: string
  args: Readonly<Record<string, string | number | undefined>>
}

/** A call written as a model would make it. */
export function callText({ tool, args }: NextCall): string {
  const given = Object.entries(args).filter(([, value]) => value !== undefined)
  return `${tool}(${given.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ')})`
}

export const count = (value: number): string => value.toLocaleString('en-US')

/** Text of files in a line of ours: what would begin another line is a blank. */
export const oneLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  text.replace(/[\u0000-\u0008\n-\u001f\u007f\u0085\u2028\u2029]/g, ' ')

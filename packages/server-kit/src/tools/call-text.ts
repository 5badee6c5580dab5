/** Arguments of a call; undefined and false ones are left out. */
export type CallArguments = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

/** A call in the notation of the replies: `find_file(pattern="a.ts")`. */
export function callText(tool: string, args: CallArguments): string {
  const present = Object.entries(args).filter(([, value]) => value !== undefined && value !== false)
  return `${tool}(${present.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ')})`
}

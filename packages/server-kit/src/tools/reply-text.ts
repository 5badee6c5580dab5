/** `12,345`. */
export const count = (value: number): string => value.toLocaleString('en-US')

/** `1 page`, `2 pages`. */
export const amount = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`

/** Arguments of a call; undefined and false ones are left out. */
export type CallArguments = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

/** A call in the notation of the replies: `find_file(pattern="a.ts")`. */
export function callText(tool: string, args: CallArguments): string {
  const present = Object.entries(args).filter(([, value]) => value !== undefined && value !== false)
  return `${tool}(${present.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ')})`
}

/**
 * A call with unusable arguments: the message states the problem, the remedy an alternative call.
 */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly remedy: string

  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

/** The beginning of a reply that is too long, and a line that states its `size`. */
export const cutReply = (text: string, at: number, size: string): string =>
  `${text.slice(0, at)}\n[cut: the reply had ${size}]`

/** How a server describes the errors of its tools to the model. */
export interface ErrorTexts {
  errorText(error: unknown, args: Readonly<Record<string, unknown>>): string
  /** True for an error of the caller or of what is read, not of this server. */
  isExpected(error: unknown): boolean
}

/** The text of an error that is not one of the library's. */
export function errorText(error: unknown): string {
  if (error instanceof CallError)
    return `${error.message.replace(/(?<![.,!?])$/, '.')} ${error.remedy}`
  return `The call failed: ${error instanceof Error ? error.message : String(error)}.`
}

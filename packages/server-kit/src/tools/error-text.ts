import { CallError } from './call-error.ts'

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

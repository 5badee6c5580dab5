import {
  escapeInvisible,
  type JournalLoss,
  type NewTools,
  withoutFence,
} from '@pith-mcp/aggregator'
import { countOf } from '@pith-mcp/base/count-of'

/** The text of a tool result. Content that is not text is printed as JSON. */
export function textOf(result: Record<string, unknown>): string {
  const content = Array.isArray(result['content']) ? result['content'] : []
  return content
    .map((block: { type?: unknown; text?: unknown }) =>
      typeof block.text === 'string' ? block.text : JSON.stringify(block),
    )
    .join('\n')
}

/** Which systems have a sandbox. */
export const sandboxText =
  'Sandboxes: bubblewrap on Linux; on other systems, only a command of your own, such as docker.'

/**
 * A line as people read it: without the tags that tell models what is text of a server, and with
 * control characters and line breaks escaped, so that no server writes lines of ours.
 */
export const lineFor = (text: string): string => escapeInvisible(withoutFence(text))

/** A text of several lines, of which each is shown as such. */
export const linesFor = (text: string): string =>
  withoutFence(text)
    .split('\n')
    .map((line) => escapeInvisible(line.replaceAll('\t', '  ')))
    .join('\n')

/** JSON in which invisible characters are escaped. */
export const jsonFor = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(/(?!\n)\p{C}/gu, (sign) =>
    [...Array(sign.length).keys()]
      .map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** Describes journal lines that could not be written. */
export const lossText = ({ lines, message, time }: JournalLoss): string =>
  `${countOf(lines, 'line')} of the journal could not be written, the last at ${time}: ${message}`

/** Describes a document of the database by its kind and name. */
export const refusedText = (document: string): string =>
  `The document ${lineFor(document)} in the database is not signed with PITH_CLUSTER_KEY, or is an old one. It does not count.`

/** What happens to tools whose names have no pin. */
export const newToolsText: Readonly<Record<NewTools, string>> = {
  hold: 'New tools are held until they are approved: aggregator-mcp pin.',
  allow: 'New tools are pinned when they are first seen.',
  ignore: 'New tools are held over HTTP and pinned on stdio: aggregator.trust.new is not set.',
}

/** With whom clients of a shared process share an instance of a server. */
export const sharingTexts = {
  all: 'shared by all clients',
  folder: 'one for each folder',
  session: 'one for each client',
} as const

/** The message of an error without what follows its first line, at most 300 characters. */
export const shortMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 300) ?? ''

/** Where JSON breaks, as " (line 1, column 2)". Empty if the engine's message does not say it. */
export function jsonErrorAt(text: string, error: unknown): string {
  const { message } = error as Error
  const [, digits] = /at position (\d+)/.exec(message) ?? []
  if (digits === undefined) return /end of JSON/.test(message) ? ' (it ends too early)' : ''
  const lines = text.slice(0, Number(digits)).split('\n')
  return ` (line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1})`
}

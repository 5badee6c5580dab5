import { callText as textOfCall } from '@pith-mcp/server-kit/tools'

/** A call with its arguments; `undefined` ones are left out. */
export interface NextCall {
  tool: string
  args: Readonly<Record<string, string | number | undefined>>
}

/** A call in the notation of the replies. */
export const callText = ({ tool, args }: NextCall): string => textOfCall(tool, args)

/** Text of files in a line of a reply: characters that would begin another line become blanks. */
export const oneLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  text.replace(/[\u0000-\u0008\n-\u001f\u007f\u0085\u2028\u2029]/g, ' ')

/** Names of parameters, and those of the design of paging. */
const pagingNames: Readonly<Record<string, string>> = {
  chunk_id: 'chunkId',
  file_path: 'filePath',
  function: 'functionSignature',
  page_token: 'pageToken',
  page_size: 'pageSize',
  start_line: 'startLine',
}

/** Arguments under the names of the design of paging. */
export const inPagingNames = <Value>(args: Readonly<Record<string, Value>> | object) =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]): [string, Value] => [
      pagingNames[name] ?? name,
      value,
    ]),
  )

/** True for arguments under those names. */
export const hasPagingNames = (args: object): boolean =>
  Object.keys(args).some((name) => Object.values(pagingNames).includes(name))

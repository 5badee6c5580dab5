import { addressOf } from '@pith-mcp/server-kit/clients'
import { isTable, sameData, type Table } from '@pith-mcp/server-kit/files'

const transports: Readonly<Record<string, string>> = {
  'streamable-http': 'http',
  streamableHttp: 'http',
}

/** Whether two entries mean the same server, in different notations or with different sandboxes. */
export const isSameServer = (one: unknown, other: unknown): boolean =>
  isTable(one) && isTable(other) && sameData(meaningOf(one), meaningOf(other))

function meaningOf(entry: Table): Table {
  const { url: _, serverUrl: __, httpUrl: ___, sandbox: ____, ...others } = entry
  const { type, enabled, disabled, ...rest } = others
  const address = addressOf(entry)
  const isOff = enabled === false || disabled === true
  const fields = Object.entries(rest).filter(([, value]) => !isEmpty(value))
  return withPlainVariables({
    ...Object.fromEntries(fields),
    ...(address !== undefined && {
      url: address,
      type: transports[String(type)] ?? type ?? 'http',
    }),
    ...(isOff && { isOff }),
  }) as Table
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)

/** Normalizes `${env:NAME}` to `${NAME}`. */
const withPlainVariables = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/(?<!\$)\$\{env:/g, '${'))

import { isTable, sameData, type Table } from '@pith-mcp/setup/files'
import { addressOf } from './translate-entry.ts'

const transports: Readonly<Record<string, string>> = {
  'streamable-http': 'http',
  streamableHttp: 'http',
}

/** Whether two entries mean one server, however they are written, and whatever it may do. */
export const isSameServer = (one: unknown, other: unknown): boolean =>
  isTable(one) && isTable(other) && sameData(meaningOf(one), meaningOf(other))

function meaningOf(entry: Table): Table {
  const { url: _, serverUrl: __, httpUrl: ___, sandbox: ____, ...said } = entry
  const { type, enabled, disabled, ...rest } = said
  const address = addressOf(entry)
  const isOff = enabled === false || disabled === true
  const kept = Object.entries(rest).filter(([, value]) => !isEmpty(value))
  return withPlainVariables({
    ...Object.fromEntries(kept),
    ...(address !== undefined && {
      url: address,
      type: transports[String(type)] ?? type ?? 'http',
    }),
    ...(isOff && { isOff }),
  }) as Table
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)

/** `${env:NAME}` is `${NAME}`. */
const withPlainVariables = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/(?<!\$)\$\{env:/g, '${'))

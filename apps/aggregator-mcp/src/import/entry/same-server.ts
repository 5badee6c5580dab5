import { isTable, type Table } from '../client.ts'
import { sameData } from '../files/same-data.ts'
import { addressOf } from './translate-entry.ts'

const transports: Readonly<Record<string, string>> = {
  'streamable-http': 'http',
  streamableHttp: 'http',
}

/** Whether two entries mean one server, however they are written. */
export const isSameServer = (one: unknown, other: unknown): boolean =>
  isTable(one) && isTable(other) && sameData(meaningOf(one), meaningOf(other))

function meaningOf(entry: Table): Table {
  const { url: _, serverUrl: __, httpUrl: ___, type, enabled, disabled, ...rest } = entry
  const address = addressOf(entry)
  const isOff = enabled === false || disabled === true
  const said = Object.entries(rest).filter(([, value]) => !isEmpty(value))
  return withPlainVariables({
    ...Object.fromEntries(said),
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

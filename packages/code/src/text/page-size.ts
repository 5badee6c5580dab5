import { CodeError } from '../code-error.ts'

export type SizeUnit = 'tokens' | 'lines' | 'bytes'

export interface PageSize {
  amount: number
  unit: SizeUnit
}

/** In tokens; the maximum also applies to pages measured in other units. */
export const defaultPageTokens = 4_000
/** Maximum tokens of a page. */
export const maxPageTokens = 20_000
/** In characters, for any page, because token counts are estimates. */
export const maxPageCharacters = 64_000
const minPageTokens = 50

const units: Readonly<Record<string, { unit: SizeUnit; times: number }>> = {
  '': { unit: 'tokens', times: 1 },
  token: { unit: 'tokens', times: 1 },
  tokens: { unit: 'tokens', times: 1 },
  line: { unit: 'lines', times: 1 },
  lines: { unit: 'lines', times: 1 },
  b: { unit: 'bytes', times: 1 },
  byte: { unit: 'bytes', times: 1 },
  bytes: { unit: 'bytes', times: 1 },
  kb: { unit: 'bytes', times: 1024 },
  kib: { unit: 'bytes', times: 1024 },
}

/** Characters of a size that are parsed. */
const maxSizeLength = 40

/**
 * Parse `4000`, `"300 lines"` or `"10 KB"`. 0 and larger values mean the maximum.
 *
 * @throws {CodeError} `bad_argument` for an invalid or negative size.
 */
export function readPageSize(size: number | string): PageSize {
  if (typeof size === 'number' && size > maxPageTokens) return all
  const text = String(size)
    .trim()
    .slice(0, maxSizeLength + 1)
  const [, digits = '', name = ''] = /^([\d_,]*\.?\d+)\s?([a-z]*)$/i.exec(text) ?? []
  const found = units[name.toLowerCase()]
  const amount = Math.floor(Number(digits.replace(/[_,]/g, '')) * (found?.times ?? 1))
  if (text.length > maxSizeLength || digits === '' || !found || !Number.isFinite(amount))
    throw new CodeError(
      'bad_argument',
      `${JSON.stringify(text)} is not a valid page size.`,
      'Pass a number of tokens such as 4000, or "300 lines" or "10 KB".',
    )
  if (found.unit !== 'tokens') return amount === 0 ? all : { amount, unit: found.unit }
  if (amount === 0) return all
  return { amount: Math.min(Math.max(amount, minPageTokens), maxPageTokens), unit: 'tokens' }
}

const all: PageSize = { amount: maxPageTokens, unit: 'tokens' }

import { CodeError } from '../code-error.ts'

/** What a page is measured in. */
export type SizeUnit = 'tokens' | 'lines' | 'bytes'

export interface PageSize {
  amount: number
  unit: SizeUnit
}

/** In tokens; a page of another unit may have no more than the most of these. */
export const defaultPageTokens = 4_000
export const mostPageTokens = 20_000
/** Of any page, since what a text costs is estimated. */
export const mostPageCharacters = 64_000
const leastPageTokens = 50

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

/** Of what a size is written with. */
const longestSize = 40

/**
 * Reads `4000`, `"300 lines"` or `"10 KB"`. 0 is as much as is allowed, and what is above it too.
 *
 * @throws {CodeError} `bad_argument` for what is no size, or below 0.
 */
export function readPageSize(given: number | string): PageSize {
  if (typeof given === 'number' && given > mostPageTokens) return all
  const text = String(given)
    .trim()
    .slice(0, longestSize + 1)
  const [, digits = '', name = ''] = /^([\d_,]*\.?\d+)\s?([a-z]*)$/i.exec(text) ?? []
  const found = units[name.toLowerCase()]
  const amount = Math.floor(Number(digits.replace(/[_,]/g, '')) * (found?.times ?? 1))
  if (text.length > longestSize || digits === '' || !found || !Number.isFinite(amount))
    throw new CodeError(
      'bad_argument',
      `${JSON.stringify(text)} is no size of a page.`,
      'Pass a number of tokens, as 4000, or "300 lines" or "10 KB".',
    )
  if (found.unit !== 'tokens') return amount === 0 ? all : { amount, unit: found.unit }
  if (amount === 0) return all
  return { amount: Math.min(Math.max(amount, leastPageTokens), mostPageTokens), unit: 'tokens' }
}

const all: PageSize = { amount: mostPageTokens, unit: 'tokens' }

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

/**
 * Reads `4000`, `"300 lines"` or `"10 KB"`. 0 is as much as is allowed, and what is above it too.
 *
 * @throws {CodeError} `bad_argument` for what is no size, or below 0.
 */
export function readPageSize(given: number | string): PageSize {
  const [, digits = '', name = ''] = /^\s*([\d_,]*\.?\d+)\s*([a-z]*)\s*$/i.exec(String(given)) ?? []
  const found = units[name.toLowerCase()]
  const amount = Math.floor(Number(digits.replace(/[_,]/g, '')) * (found?.times ?? 1))
  if (digits === '' || !found || !Number.isFinite(amount))
    throw new CodeError(
      'bad_argument',
      `page_size ${JSON.stringify(given)} is no size.`,
      'Pass a number of tokens, as 4000, or "300 lines" or "10 KB".',
    )
  if (found.unit !== 'tokens') return amount === 0 ? all : { amount, unit: found.unit }
  if (amount === 0) return all
  return { amount: Math.min(Math.max(amount, leastPageTokens), mostPageTokens), unit: 'tokens' }
}

const all: PageSize = { amount: mostPageTokens, unit: 'tokens' }

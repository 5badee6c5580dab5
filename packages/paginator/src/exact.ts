import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base'

/**
 * Exact number of o200k tokens. Requires the package `gpt-tokenizer`, which you install yourself.
 */
export function countTokens(text: string): number {
  return count(text, { allowedSpecial: 'all' })
}

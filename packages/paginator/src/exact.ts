import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base'

/** Tokens of the o200k vocabulary, exactly. Needs `gpt-tokenizer`, which you install yourself. */
export function countTokens(text: string): number {
  return count(text, { allowedSpecial: 'all' })
}

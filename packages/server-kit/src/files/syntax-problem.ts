import type { ParseErrorCode } from 'jsonc-parser'

const problems: Readonly<Record<number, string>> = {
  1: 'an unknown word',
  2: 'an invalid number',
  3: 'a missing property name',
  4: 'a missing value',
  5: 'a missing colon',
  6: 'a missing comma',
  7: 'a missing closing brace',
  8: 'a missing closing bracket',
  9: 'text after the end',
  10: 'a comment that is not allowed',
  11: 'a comment without an end',
  12: 'a string without an end',
  13: 'an incomplete number',
  14: 'an invalid Unicode escape',
  15: 'an invalid escape',
  16: 'an invalid character',
}

/** Names a syntax error of JSON, such as `a missing comma`. */
export const syntaxProblem = (code: ParseErrorCode): string => problems[code] ?? 'a syntax error'

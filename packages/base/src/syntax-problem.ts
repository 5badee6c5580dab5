import { type ParseError, printParseErrorCode } from 'jsonc-parser'

/** A syntax error of JSON in words, such as `comma expected`. */
export const syntaxProblem = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replace(/\B[A-Z]/g, ' $&')
    .toLowerCase()

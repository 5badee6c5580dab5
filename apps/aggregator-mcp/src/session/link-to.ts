import { createConsoleCode } from './console-codes.ts'

/** An address that opens a console once. It stands behind the #, which no server is told. */
export const linkTo = (url: string, key: string): string => `${url}/#code=${createConsoleCode(key)}`

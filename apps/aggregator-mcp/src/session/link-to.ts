import { createConsoleCode } from './console-codes.ts'

/** A link that signs in once. The code is in the fragment, which browsers do not send to servers. */
export const linkTo = (url: string, key: string): string => `${url}/#code=${createConsoleCode(key)}`

import { oncePer } from './once-per.ts'

/**
 * The JSON of a result. It is made once, for the journal, the size, the store and the client: a
 * result does not change after it has arrived. @throws {RangeError} if it is nested too deep
 */
export const jsonOf: (result: object) => string = oncePer((result) => JSON.stringify(result))

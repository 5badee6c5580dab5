/** A JSON-RPC error to be sent as it is; `status` is what HTTP says beside it. */
export class Rejection extends Error {
  constructor(code, message, data, status) {
    super(message)
    this.error = { code, message, ...(data === undefined ? {} : { data }) }
    this.status = status
  }
}

/** Thrown through a tool by `ask` in the modern era: the call ends here and is made again. */
export class InputRequired extends Error {
  constructor(result) {
    super('input required')
    this.result = result
  }
}

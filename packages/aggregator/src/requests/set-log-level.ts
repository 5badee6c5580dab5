import { isLogLevel } from '../relay/log-levels.ts'
import { RpcError, rpcCodes } from './rpc-error.ts'
import type { Handler } from './serving.ts'

export const setLogLevel: Handler = async ({ level }, { session }, { gateway }) => {
  if (!isLogLevel(level))
    throw new RpcError(rpcCodes.invalidParams, `${JSON.stringify(level)} is no log level.`)
  gateway.setLogLevel(session, level)
  return {}
}

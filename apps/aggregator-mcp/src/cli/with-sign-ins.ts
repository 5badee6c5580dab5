import type { SignIns } from '@pith-mcp/aggregator'
import { signInsFor } from '../open/sign-ins-for.ts'
import type { CommandContext } from './command.ts'

/** Open the sign-ins for `work`. Errors are logged: exit code 1, or 130 after Ctrl-C. */
export async function withSignIns(
  { settings, log }: CommandContext,
  work: (signIns: SignIns, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const interrupted = new AbortController()
  const interrupt = (): void => interrupted.abort(new Error('The sign-in was cancelled.'))
  process.once('SIGINT', interrupt)
  const signIns = signInsFor({
    state: settings.state,
    isAttended: true,
    log,
  })
  try {
    return await work(signIns, interrupted.signal)
  } catch (error) {
    const { message, remedy } = error as Error & { remedy?: string }
    log(`${message}${remedy ? ` ${remedy}` : ''}`)
    return interrupted.signal.aborted ? 130 : 1
  } finally {
    process.off('SIGINT', interrupt)
    signIns.close()
  }
}

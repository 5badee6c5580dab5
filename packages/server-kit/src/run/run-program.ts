import { UsageError } from '../settings/usage-error.ts'
import { log } from './log.ts'

/**
 * Runs `main`. An error is printed with its remedy, and the exit code is 2 for wrong usage and 1 for
 * any other. `hint` is appended to the remedy of an error.
 */
export async function runProgram(
  name: string,
  main: () => Promise<void>,
  hint: (error: Error) => string = () => '',
): Promise<void> {
  try {
    await main()
  } catch (error) {
    if (error instanceof UsageError) {
      log(name, `${error.message}\nTry ${name} --help.`)
      process.exitCode = 2
      return
    }
    const remedy =
      error instanceof Error && 'remedy' in error ? ` ${error.remedy}${hint(error)}` : ''
    log(name, `${error instanceof Error ? error.message : error}${remedy}`)
    process.exitCode = 1
  }
}

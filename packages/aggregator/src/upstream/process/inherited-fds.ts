import { readdirSync, readFileSync } from 'node:fs'

const ownFolder = '/proc/self/fdinfo'
const closesAtExec = 0o2000000
/** Descriptors at and above this are not checked; it is the usual limit of open descriptors. */
const most = 1_024

/**
 * Descriptors that this process was started with and that its children would inherit, in order.
 * Known on Linux only.
 */
export function inheritedFds(): number[] {
  let names: string[]
  try {
    names = readdirSync(ownFolder)
  } catch {
    return []
  }
  return names
    .map(Number)
    .filter((number) => number > 2 && number < most && isPassedOn(number))
    .sort((a, b) => a - b)
}

function isPassedOn(number: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s*([0-7]+)/m.exec(readFileSync(`${ownFolder}/${number}`, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & closesAtExec) === 0
  } catch {
    // It has been closed in the meantime.
    return false
  }
}

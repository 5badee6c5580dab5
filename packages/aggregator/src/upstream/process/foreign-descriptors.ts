import { readdirSync, readFileSync } from 'node:fs'

const ownFolder = '/proc/self/fdinfo'
const closesAtExec = 0o2000000
/** Beyond it nobody looks; a process has at most as many open at once as this, as a rule. */
const most = 1_024

/**
 * Descriptors that we were started with and that what we start would get too, whatever they lead
 * to, in order. Known on Linux only.
 */
export function foreignDescriptors(): number[] {
  let names: string[]
  try {
    names = readdirSync(ownFolder)
  } catch {
    return []
  }
  return names
    .map(Number)
    .filter((number) => number > 2 && number < most && isPassedOn(number))
    .sort((one, other) => one - other)
}

function isPassedOn(number: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s*([0-7]+)/m.exec(readFileSync(`${ownFolder}/${number}`, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & closesAtExec) === 0
  } catch {
    // It was closed meanwhile.
    return false
  }
}

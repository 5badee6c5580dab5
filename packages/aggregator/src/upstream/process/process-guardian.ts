import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Kills the listed process groups when its input ends, which happens however this process ends,
 * `kill -9` included. A shell script, because it must be small and outlive this process.
 */
const script = `
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups=\${groups%%" $group "*}' '\${groups#*" $group "} ;;
  esac
done
for group in $groups; do kill -s TERM -- "-$group"; done 2>/dev/null
[ "$groups" = ' ' ] || sleep 1
for group in $groups; do kill -s KILL -- "-$group"; done 2>/dev/null
`

let guardian: ChildProcess | undefined
const guarded = new Set<number>()

/** Kills the process group when this process ends. Windows has no process groups. */
export function guard(group: number): void {
  if (process.platform === 'win32') return
  guarded.add(group)
  guardian ??= startGuardian()
  guardian.stdin?.write(`+ ${group}\n`)
}

/** The process group has ended. */
export function unguard(group: number): void {
  if (guarded.delete(group)) guardian?.stdin?.write(`- ${group}\n`)
}

function startGuardian(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  ;(child.stdin as unknown as { unref?(): void } | null)?.unref?.()
  child.stdin?.on('error', () => {})
  child.on('error', () => {})
  child.on('exit', () => {
    if (guardian !== child) return
    guardian = undefined
    // The guardian was killed; the groups still need one.
    if (guarded.size > 0) for (const group of guarded) guard(group)
  })
  return child
}

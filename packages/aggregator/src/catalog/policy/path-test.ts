import { decodings, isText, loose, withSigns } from './readings.ts'
import type { Verdict } from './verdicts.ts'

/** A path is read as each kind of server may read it; where they differ it cannot be judged. */
export function judgeBelow(value: unknown, folder: string): Verdict {
  if (!isText(value)) return undefined
  const isBelow = (path: string, root: string): boolean =>
    path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`)
  const root = normalized(folder)
  const paths = readingsOf(value).map(normalized)
  if (root === undefined || !paths.every((path) => path !== undefined)) return undefined
  // Several paths may be in one text, and two slashes may begin a host.
  if (/[\r\n\t]/.test(value) || /^[\\/]{2}/.test(value)) return undefined
  if (paths.every((path) => isBelow(path, root))) return true
  const isOnDrive = isDrive(root)
  // Without a drive, a path is on the current one.
  const onDrive = (path: string) => (isOnDrive && !isDrive(path) ? root.slice(0, 2) + path : path)
  const wanted = loose(withoutAlias(root))
  return paths.some((path) => isBelow(loose(withoutAlias(onDrive(path))), wanted))
    ? undefined
    : false
}

const isDrive = (path: string): boolean => /^[a-z]:/i.test(path)

/** Folders that are other names of the root, or of folders in it. */
const withoutAlias = (path: string): string =>
  path.replace(/^\/(?:proc\/(?:self|thread-self|\d+)\/root|private)(?=\/)/, '')

/** Some servers take parameters, as in `..;x/`, for no part of a segment. */
const withoutParameters = (path: string): string => path.replace(/;[^\\/]*/g, '')

function readingsOf(text: string): string[] {
  const path = text.replace(/^file:\/\/(?:localhost)?(?=\/)/i, '')
  const forms = decodings(path).flatMap((form) => [form, form.replaceAll('\\', '/')])
  return [...new Set(forms.flatMap((form) => [form, withSigns(form), withoutParameters(form)]))]
}

/** Parts that Windows reads as another name: other ends, short names, streams. */
const isOddPart = (part: string): boolean => /^(?!\.{1,2}$).*[. ]$|~\d|:/.test(part)

/** Without dots and doubled slashes; undefined for a path that is not absolute, or cannot be read. */
function normalized(path: string): string | undefined {
  const unprefixed = path.replace(/^(?:[\\/]{2}[?.])?[\\/]+(?=[a-z]:)/i, '')
  const isWindows = isDrive(unprefixed)
  if (!/^(?:[a-z]:)?[\\/]/i.test(unprefixed) || path.includes('\0')) return undefined
  const parts: string[] = []
  for (const [at, part] of (isWindows ? unprefixed.replaceAll('\\', '/') : unprefixed)
    .split('/')
    .entries()) {
    if (isWindows && at > 0 && isOddPart(part)) return undefined
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return isWindows ? parts.join('/') : `/${parts.join('/')}`
}

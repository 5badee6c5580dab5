import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Variables that Node and its libraries read once for a whole process. */
const ofProcess =
  /^(?:HOME|USERPROFILE|TMPDIR|TE?MP|TZ|NODE_.*|OTEL_.*|SSL_CERT_(?:FILE|DIR)|OPENSSL_CONF|(?:HTTPS?|ALL|NO)_PROXY)$/i

/**
 * Where the shared process listens: a socket, or a named pipe on Windows. Processes
 * that differ in what Node reads once have different ones.
 *
 * @throws {Error} if the folder may be another user's
 */
export function sharedAddress(environment: Environment): string {
  const fixed = Object.entries(environment).filter(([name]) => ofProcess.test(name))
  const key = createHash('sha256').update(JSON.stringify(fixed.sort())).digest('hex').slice(0, 12)
  const name = `aggregator-mcp-${key}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\pith-${userInfo().username}-${name}`
  const path = join(runtimeFolder(environment), `${name}.sock`)
  // The process adds its id while it starts.
  if (Buffer.byteLength(path) > maxPathBytes)
    throw new Error(`${path} is too long for the address of a socket`)
  return path
}

const maxPathBytes = 92

/** A folder of this user alone: who cannot enter it can neither connect, nor listen in our place. */
function runtimeFolder({ XDG_RUNTIME_DIR: ofUser }: Environment): string {
  const uid = process.getuid?.() ?? 0
  const folder = ofUser && isAbsolute(ofUser) ? join(ofUser, 'pith') : join(tmpdir(), `pith-${uid}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // A link may lead anywhere.
  const { mode, uid: owner } = lstatSync(folder)
  const isOurs = (mode & 0o170_777) === 0o040_700 && owner === uid
  if (!isOurs) throw new Error(`${folder} is not a folder of mode 700 of this user`)
  return folder
}

import { statSync } from 'node:fs'
import { type Principal, scopesOf } from '../principals/principal.ts'
import { readTokens, type TokenRecord } from './token-file.ts'

/** A token with its principal, which stays the same object while the file changes. */
interface KnownToken {
  readonly stored: TokenRecord
  readonly principal: Principal
}

/** The tokens of a file. */
interface TokensOfFile {
  /** True if the file exists, even if it is empty or damaged. */
  readonly hasFile: boolean
  /** True if the file cannot be trusted. */
  readonly isDamaged: boolean
  readonly byHash: ReadonlyMap<string, KnownToken>
}

export interface KnownTokens {
  /** Reads the file if it has changed; checked at most once a second. */
  current(): TokensOfFile
  /** The next look checks the file: this process has changed it. */
  expire(): void
}

const lookEveryMs = 1_000

export function createKnownTokens(
  path: string,
  onLog: (text: string) => void,
  now: () => number,
): KnownTokens {
  let lookedAt = Number.NEGATIVE_INFINITY
  let stamp: string | undefined
  let known: TokensOfFile = { hasFile: false, isDamaged: false, byHash: new Map() }

  function read(): TokensOfFile {
    const tokens = readTokens(path)
    const isDamaged = tokens instanceof Error
    if (isDamaged)
      onLog(
        `${path} cannot be used (${tokens.message}). Stored tokens are rejected until the file is repaired.`,
      )
    const byHash = new Map<string, KnownToken>()
    for (const stored of isDamaged ? [] : (tokens ?? [])) {
      const principal = known.byHash.get(stored.hash)?.principal ?? principalOf(stored)
      byHash.set(stored.hash, { stored, principal })
    }
    return { hasFile: stamp !== undefined, isDamaged, byHash }
  }

  return {
    current() {
      if (Math.abs(now() - lookedAt) < lookEveryMs) return known
      lookedAt = now()
      const stampNow = stampOf(path)
      if (stampNow === stamp) return known
      stamp = stampNow
      known = read()
      return known
    },
    expire() {
      lookedAt = Number.NEGATIVE_INFINITY
    },
  }
}

const principalOf = ({ id, name, profile, scopes }: TokenRecord): Principal => ({
  kind: 'token',
  id,
  name,
  profile,
  scopes: scopesOf(scopes, profile),
})

function stampOf(path: string): string | undefined {
  try {
    const { mtimeMs, size, ino, mode } = statSync(path)
    return `${mtimeMs} ${size} ${ino} ${mode}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable'
  }
}
